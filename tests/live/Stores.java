// The side of Hadoop and Spark in the live test: keys on standard input, one a line in hexadecimal digits.
//
//   make hadoop|counting FILE TYPE BITS HASHES   a new filter with these keys; TYPE is Hadoop's type of hash
//   make spark FILE VERSION N BITS SEED          the same
//   ask  hadoop|counting|spark FILE              prints the lines whose key may be in it

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.Filter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.spark.util.sketch.BloomFilter;

public class Stores {
    private static byte[] key(String line) {
        return HexFormat.of().parseHex(line);
    }

    private static Filter hadoop(String kind) {
        return kind.equals("counting") ? new CountingBloomFilter() : new org.apache.hadoop.util.bloom.BloomFilter();
    }

    private static Filter hadoop(String kind, int type, int bits, int hashes) {
        return kind.equals("counting") ? new CountingBloomFilter(bits, hashes, type)
                                       : new org.apache.hadoop.util.bloom.BloomFilter(bits, hashes, type);
    }

    private static void make(String[] said, List<String> lines) throws Exception {
        try (DataOutputStream out = new DataOutputStream(new FileOutputStream(said[2]))) {
            int first = Integer.parseInt(said[3]);
            if (said[1].equals("spark")) {
                BloomFilter made = BloomFilter.create(first == 1 ? BloomFilter.Version.V1 : BloomFilter.Version.V2,
                    Long.parseLong(said[4]), Long.parseLong(said[5]), Integer.parseInt(said[6]));
                lines.forEach(line -> made.putBinary(key(line)));
                made.writeTo(out);
            } else {
                Filter made = hadoop(said[1], first, Integer.parseInt(said[4]), Integer.parseInt(said[5]));
                lines.forEach(line -> made.add(new Key(key(line))));
                made.write(out);
            }
        }
    }

    private static Predicate<byte[]> read(String[] said) throws Exception {
        try (InputStream in = new FileInputStream(said[2])) {
            if (said[1].equals("spark")) {
                return BloomFilter.readFrom(in)::mightContainBinary;
            }
            Filter read = hadoop(said[1]);
            read.readFields(new DataInputStream(in));
            return bytes -> read.membershipTest(new Key(bytes));
        }
    }

    public static void main(String[] said) throws Exception {
        List<String> lines = new String(System.in.readAllBytes()).lines().toList();
        if (said[0].equals("make")) {
            make(said, lines);
            return;
        }
        Predicate<byte[]> asked = read(said);
        StringBuilder found = new StringBuilder();
        Consumer<String> print = line -> found.append(line).append('\n');
        lines.stream().filter(line -> asked.test(key(line))).forEach(print);
        System.out.print(found);
    }
}
