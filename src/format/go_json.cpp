// bits-and-blooms for Go as JSON: {"m":1000,"k":5,"b":"..."}, in which b is the bitset in base64.
#include <bloomery/error.hpp>

#include "base64.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "go.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::inline v0::format {

namespace {

/// Reads a single object and nothing else: every member once, in any order.
class object_reader {
public:
    explicit object_reader(std::string_view text) noexcept : left_(text) {}

    struct members {
        std::uint64_t m = 0;
        std::uint64_t k = 0;
        std::string_view b{};
        std::string seen{}; // the names so far
    };

    /// The members, or nothing if the text is anything else.
    std::optional<members> read() {
        members found;
        if (!take('{')) {
            return std::nullopt;
        }
        do {
            if (!member(found)) {
                return std::nullopt;
            }
        } while (take(','));
        const bool closed = take('}');
        skip_space();
        const bool whole = closed && left_.empty() && found.seen.size() == 3;
        return whole ? std::optional(found) : std::nullopt;
    }

private:
    void skip_space() {
        left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size()));
    }

    bool take(char wanted) {
        skip_space();
        if (left_.empty() || left_.front() != wanted) {
            return false;
        }
        left_.remove_prefix(1);
        return true;
    }

    bool member(members& found) {
        const auto name = string();
        if (!name || name->size() != 1 || found.seen.find(*name) != std::string::npos ||
            !take(':')) {
            return false;
        }
        found.seen += *name;
        switch (name->front()) {
        case 'm':
            return store(number(), found.m);
        case 'k':
            return store(number(), found.k);
        case 'b':
            return store(string(), found.b);
        default:
            return false;
        }
    }

    template <class Value>
    static bool store(const std::optional<Value>& read, Value& into) {
        into = read.value_or(Value{});
        return read.has_value();
    }

    std::optional<std::uint64_t> number() {
        skip_space();
        const std::string_view digits =
            left_.substr(0, std::min(left_.find_first_not_of("0123456789"), left_.size()));
        if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) {
            return std::nullopt;
        }
        left_.remove_prefix(digits.size());
        std::uint64_t value = 0;
        const auto [end, wrong] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return wrong == std::errc{} ? std::optional(value) : std::nullopt;
    }

    /// A string without escapes: neither a name nor base64 needs one.
    std::optional<std::string_view> string() {
        if (!take('"')) {
            return std::nullopt;
        }
        const std::size_t end = left_.find_first_of("\"\\");
        if (end == std::string_view::npos || left_[end] == '\\') {
            return std::nullopt;
        }
        const std::string_view text = left_.substr(0, end);
        left_.remove_prefix(end + 1);
        return text;
    }

    std::string_view left_;
};

go_parts read_go_json(byte_view bytes) {
    const std::string_view text = text_of(bytes);
    const auto members = object_reader(text).read();
    if (!members) {
        throw bad_data("this is not a filter of Go's bloom in JSON: it must be one object with "
                       "the numbers m and k and the string b, and nothing else");
    }
    auto bitset = from_base64(members->b);
    if (!bitset) {
        throw bad_data("the filter is damaged: its member b is not base64; restore it from a copy");
    }
    go_parts parts{members->m, members->k, read_go_bitset(bitset->bytes)};
    parts.decoded = std::move(bitset->bytes);
    parts.note.standard_base64 = bitset->alphabet == base64_alphabet::standard;
    parts.note.line_end = text.ends_with('\n');
    return parts;
}

void write_go_json(const any_filter& source, const go_note& note, const byte_consumer& write) {
    const plan::shape shape = source.spec().shape;
    std::string text = "{\"m\":" + std::to_string(shape.bit_count) +
                       ",\"k\":" + std::to_string(shape.hash_count) + ",\"b\":\"";
    byte_writer bitset;
    write_go_bitset(source, note, [&](byte_view part) { bitset.put(part); });
    text += to_base64(bitset.bytes(),
                      note.standard_base64 ? base64_alphabet::standard : base64_alphabet::url);
    text += note.line_end ? "\"}\n" : "\"}";
    write(std::as_bytes(std::span(text)));
}

} // namespace

likeness looks_like_go_json(byte_view bytes) {
    return possible_if(object_reader(text_of(bytes)).read().has_value());
}

const foreign_format go_json_format =
    go_format_of<false, looks_like_go_json, read_go_json, write_go_json, go_json_format>(
        "go-json", "bits-and-blooms/bloom for Go, MarshalJSON; version 2.0.1 and later",
        "its name: the text looks like that of the format go-fnv-json");
const foreign_format go_fnv_json_format =
    go_format_of<true, looks_like_go_json, read_go_json, write_go_json, go_fnv_json_format>(
        "go-fnv-json", "Go bits-and-blooms as JSON, version 2.0.0, with FNV hashes",
        "its name: the text looks like that of the format go-json");

} // namespace bloomery::inline v0::format
