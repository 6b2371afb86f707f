// Guava's side of the live test: keys on standard input, one a line.
//
//   make FORM FUNNEL FILE N P   a new filter with these keys
//   add  FORM FUNNEL FILE       these keys into a filter that is there
//   ask  FORM FUNNEL FILE       prints the lines whose key may be in it
//   tell FORM FUNNEL FILE       prints what Guava computes of it
//
// FORM is stream (writeTo) or object (Java serialisation).

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;

public class Guava {
    /** What the lines of a funnel are: the funnel, and how a line becomes its key. */
    private record Kind(Funnel<Object> funnel, Function<byte[], Object> key) {}

    @SuppressWarnings("unchecked")
    private static Kind kind(Object funnel, Function<byte[], Object> key) {
        return new Kind((Funnel<Object>) funnel, key);
    }

    private static Kind kind(String name) {
        return switch (name) {
            case "bytes" -> kind(Funnels.byteArrayFunnel(), line -> HexFormat.of().parseHex(ascii(line)));
            case "int" -> kind(Funnels.integerFunnel(), line -> Integer.valueOf(ascii(line)));
            case "long" -> kind(Funnels.longFunnel(), line -> Long.valueOf(ascii(line)));
            case "chars" -> kind(Funnels.unencodedCharsFunnel(), Guava::text);
            case "utf8" -> kind(Funnels.stringFunnel(StandardCharsets.UTF_8), Guava::text);
            case "utf16le" -> kind(Funnels.stringFunnel(StandardCharsets.UTF_16LE), Guava::text);
            case "latin1" -> kind(Funnels.stringFunnel(StandardCharsets.ISO_8859_1), Guava::text);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String ascii(byte[] line) {
        return new String(line, StandardCharsets.US_ASCII);
    }

    /** UTF-8 that may hold surrogates by themselves, which Java's own decoder would replace. */
    private static String text(byte[] line) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < line.length; ) {
            int first = line[i++] & 0xff;
            int more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
            int codePoint = more == 0 ? first : first & (0x3f >> more);
            for (; more > 0; --more) {
                codePoint = codePoint << 6 | line[i++] & 0x3f;
            }
            made.appendCodePoint(codePoint);
        }
        return made.toString();
    }

    private static List<byte[]> lines() throws Exception {
        byte[] all = System.in.readAllBytes();
        List<byte[]> lines = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < all.length; ++i) {
            if (all[i] == '\n') {
                lines.add(java.util.Arrays.copyOfRange(all, begin, i));
                begin = i + 1;
            }
        }
        return lines;
    }

    @SuppressWarnings("unchecked")
    private static BloomFilter<Object> read(String form, Kind kind, String file) throws Exception {
        try (InputStream in = new FileInputStream(file)) {
            return form.equals("stream")
                    ? BloomFilter.readFrom(in, kind.funnel())
                    : (BloomFilter<Object>) new ObjectInputStream(in).readObject();
        }
    }

    private static void write(String form, BloomFilter<Object> filter, String file) throws Exception {
        try (OutputStream out = new FileOutputStream(file)) {
            if (form.equals("stream")) {
                filter.writeTo(out);
            } else {
                ObjectOutputStream objects = new ObjectOutputStream(out);
                objects.writeObject(filter);
                objects.flush();
            }
        }
    }

    private static void ask(BloomFilter<Object> filter, Kind kind) throws Exception {
        ByteArrayOutputStream found = new ByteArrayOutputStream();
        for (byte[] line : lines()) {
            if (filter.mightContain(kind.key().apply(line))) {
                found.write(line);
                found.write('\n');
            }
        }
        System.out.write(found.toByteArray());
        System.out.flush();
    }

    public static void main(String[] args) throws Exception {
        String form = args[1];
        Kind kind = kind(args[2]);
        String file = args[3];
        BloomFilter<Object> filter =
                args[0].equals("make")
                        ? BloomFilter.create(
                                kind.funnel(), Long.parseLong(args[4]), Double.parseDouble(args[5]))
                        : read(form, kind, file);
        switch (args[0]) {
            case "make", "add" -> {
                for (byte[] line : lines()) {
                    filter.put(kind.key().apply(line));
                }
                write(form, filter, file);
            }
            case "ask" -> ask(filter, kind);
            case "tell" -> {
                System.out.println("expectedFpp " + filter.expectedFpp());
                System.out.println("approximateElementCount " + filter.approximateElementCount());
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
