// bits-and-blooms for Go as JSON: {"m":1000,"k":5,"b":"..."}, in which b is the bitset in base64.
#include <bloomery/error.hpp>

#include "base64.hpp"
#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "go.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::format {

namespace {

/// Reads the one object that there is, and nothing else: every member once, in any order.
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
        if (digits.empty() || digits.size() > 20 || (digits.size() > 1 && digits.front() == '0')) {
            return std::nullopt;
        }
        left_.remove_prefix(digits.size());
        std::uint64_t value = 0;
        for (const char digit : digits) {
            const auto next = static_cast<std::uint64_t>(digit - '0');
            if (value > (~std::uint64_t{0} - next) / 10) {
                return std::nullopt;
            }
            value = value * 10 + next;
        }
        return value;
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

likeness looks_like_go_json(byte_view bytes) {
    return object_reader(text_of(bytes)).read() ? likeness::sure : likeness::no;
}

template <class Filter>
any_filter decode_go_json(byte_view bytes, const foreign_options& options) {
    const std::string_view text = text_of(bytes);
    const auto members = object_reader(text).read();
    if (!members) {
        throw bad_data("this is not a filter of Go's bloom in JSON: that is one object with the "
                       "numbers m and k and the text b, and nothing else");
    }
    const auto bitset = from_base64(members->b);
    if (!bitset) {
        throw bad_data("the filter is damaged: its member b is not base64; restore it from a copy");
    }
    go_parts parts{members->m, members->k, read_go_bitset(bitset->bytes), {}};
    parts.note.standard_base64 = bitset->alphabet == base64_alphabet::standard;
    parts.note.line_end = text.ends_with('\n');
    return filter_of<Filter>(std::move(parts), bytes.size(), options.limits);
}

template <class Filter, const foreign_format& Format>
void encode_go_json(const any_filter& source, const byte_consumer& write,
                    const foreign_options& /*options*/) {
    require_type<Filter>(source.spec(), Format);
    const plan::shape shape = source.spec().shape;
    const go_note note = go_note_of(source);
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

const foreign_format go_json_format{
    .name = "go-json",
    .what = "bits-and-blooms/bloom for Go, MarshalJSON; version 2.0.1 and later",
    .keys = "bytes",
    .looks = looks_like_go_json,
    .decode = decode_go_json<go_filter>,
    .encode = encode_go_json<go_filter, go_json_format>,
    .create = new_go<go_filter>,
    .facts = go_facts,
};

const foreign_format go_fnv_json_format{
    .name = "go-fnv-json",
    .what = "Go bits-and-blooms as JSON, of version 2.0.0, with hashes by FNV",
    .keys = "bytes",
    .needs = "its name: the text is as that of the format go-json",
    .looks = looks_like_nothing,
    .decode = decode_go_json<go_fnv_filter>,
    .encode = encode_go_json<go_fnv_filter, go_fnv_json_format>,
    .create = new_go<go_fnv_filter>,
    .facts = go_facts,
};

} // namespace bloomery::format
