#include "note.hpp"

#include <bloomery/detail/format/side_files.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/text/number.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <charconv>
#include <fstream>

namespace bloomery::inline v0::detail {

namespace {

constexpr std::string_view note_first_line = "bloomery guard 1\n";
constexpr std::string_view check_word = "check ";
constexpr std::size_t longest_note = 64U << 10U;
constexpr std::string_view digits = "0123456789abcdef";

void append_hex(std::string& to, std::byte one) {
    const auto number = std::to_integer<unsigned>(one);
    to += digits[number >> 4U];
    to += digits[number & 15U];
}

/// One word without a blank or a line's end, whatever the text: bytes up to the blank as %20.
std::string escaped(std::string_view text) {
    std::string made;
    for (const char one : text) {
        if (one > ' ' && one != '%' && one != '\x7f') {
            made += one;
        } else {
            made += '%';
            append_hex(made, static_cast<std::byte>(one));
        }
    }
    return made;
}

std::optional<unsigned> from_hex(std::string_view two) {
    unsigned number = 0;
    const auto [end, wrong] = std::from_chars(two.data(), two.data() + two.size(), number, 16);
    if (two.size() != 2 || wrong != std::errc{} || end != two.data() + 2) {
        return std::nullopt;
    }
    return number;
}

std::optional<std::string> unescaped(std::string_view word) {
    std::string made;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '%') {
            made += word[i];
            continue;
        }
        const std::optional<unsigned> number = from_hex(word.substr(i + 1, 2));
        if (!number) {
            return std::nullopt;
        }
        made += static_cast<char>(*number);
        i += 2;
    }
    return made;
}

bool read_boot(std::string_view word, std::array<std::byte, 16>& into) {
    if (word.size() != 2 * into.size()) {
        return false;
    }
    for (std::size_t i = 0; i < into.size(); ++i) {
        const std::optional<unsigned> number = from_hex(word.substr(2 * i, 2));
        if (!number) {
            return false;
        }
        into[i] = static_cast<std::byte>(*number);
    }
    return true;
}

bool read_line(std::string_view name, std::string_view word, guard_note& into) {
    if (name == "source") {
        const std::optional<std::string> text = unescaped(word);
        into.source = text.value_or("");
        return text.has_value();
    }
    if (name == "mark") {
        into.mark = unescaped(word);
        return into.mark.has_value();
    }
    if (name == "count") {
        into.count = text::number_in<std::uint64_t>(word);
        return into.count.has_value();
    }
    if (name == "layers") {
        into.layers = text::number_in<std::uint64_t>(word).value_or(0);
        return into.layers >= 1 && into.layers <= 64;
    }
    if (name == "state") {
        into.closed = word == "closed";
        return into.closed || word == "open";
    }
    return name == "boot" && read_boot(word, into.boot);
}

std::string check_of(std::string_view text) {
    const std::uint64_t sum = hash::xxh3_64{}(bytes_of(text)).value;
    std::string made;
    for (unsigned shift = 64; shift > 0; shift -= 8) {
        append_hex(made, static_cast<std::byte>(sum >> (shift - 8)));
    }
    return made;
}

} // namespace

std::string encode_note(const guard_note& note) {
    std::string text(note_first_line);
    const auto line = [&](std::string_view name, std::string_view word) {
        text.append(name).append(" ").append(word).append("\n");
    };
    line("source", escaped(note.source));
    line("state", note.closed ? "closed" : "open");
    line("layers", std::to_string(note.layers));
    if (note.mark) {
        line("mark", escaped(*note.mark));
    }
    if (note.count) {
        line("count", std::to_string(*note.count));
    }
    std::string boot;
    for (const std::byte one : note.boot) {
        append_hex(boot, one);
    }
    line("boot", boot);
    const std::string check = check_of(text);
    line("check", check);
    return text;
}

std::optional<guard_note> decode_note(std::string_view text) {
    const std::size_t last =
        text.size() > longest_note ? std::string_view::npos : text.rfind(check_word);
    if (!text.starts_with(note_first_line) || last == std::string_view::npos) {
        return std::nullopt;
    }
    std::string end(check_word);
    end.append(check_of(text.substr(0, last))).append("\n");
    if (text.substr(last) != end) {
        return std::nullopt;
    }
    guard_note note;
    std::string_view lines = text.substr(note_first_line.size(), last - note_first_line.size());
    while (!lines.empty()) {
        const std::string_view one = lines.substr(0, lines.find('\n'));
        const std::size_t blank = one.find(' ');
        if (one.size() == lines.size() || blank == std::string_view::npos ||
            !read_line(one.substr(0, blank), one.substr(blank + 1), note)) {
            return std::nullopt;
        }
        lines.remove_prefix(one.size() + 1);
    }
    return note;
}

std::filesystem::path note_of(const std::filesystem::path& file) {
    std::filesystem::path beside = file;
    return beside += ".guard";
}

std::optional<guard_note> read_note(const std::filesystem::path& file) {
    std::ifstream in(note_of(file), std::ios::binary);
    std::string text(longest_note + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return decode_note(text);
}

void write_note(const std::filesystem::path& file, const guard_note& note) {
    const std::string text = encode_note(note);
    format::replace_contents(note_of(file), std::as_bytes(std::span(text)));
}

} // namespace bloomery::inline v0::detail
