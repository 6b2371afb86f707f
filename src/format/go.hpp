// What the three forms of bits-and-blooms' filters share: m, k and a bitset with its own length.
#pragma once

#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/foreign.hpp>

#include "bit_order.hpp"
#include "keeping.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::format {

/// The frame of a filter in a gob stream: all but the numbers that follow from the filter.
struct gob_frame {
    std::string definitions; ///< the messages before the value
    std::string type;        ///< the value's type number; empty: it came from elsewhere
};

/// The contents of a file besides m, k and the bits below m, and its form.
struct go_note {
    std::uint64_t length = 0; ///< of the bitset, in bits; indices from there on are read as 0
    /// The words from m / 64 on, without the bits below m: FromWithM takes words as they are.
    std::vector<std::uint64_t> beyond{};
    bool little_endian = false;   ///< length and words, where bitset.LittleEndian() was called
    bool standard_base64 = false; ///< of JSON, where bitset.Base64StdEncoding() was called
    bool line_end = false;        ///< after JSON, as json.Encoder leaves it
    gob_frame gob{};              ///< of a gob stream
};

/// A filter with its bitset as Go has it. Setting a bit past the length lengthens the bitset.
template <class Filter>
class go_kept : public keeping<Filter, go_note> {
public:
    using keeping<Filter, go_note>::keeping;

    /// The length of the bitset now. O(w).
    [[nodiscard]] std::uint64_t length() const noexcept {
        return std::max(this->note.length, used_bits(this->words()));
    }

    template <class Other>
    void merge(const Other& other) {
        Filter::merge(other);
        with_words_of(other, [](std::uint64_t a, std::uint64_t b) { return a | b; });
    }
    template <class Other>
    void intersect(const Other& other) {
        const std::uint64_t before = length();
        Filter::intersect(other);
        this->note.length = before;
        with_words_of(other, [](std::uint64_t a, std::uint64_t b) { return a & b; });
    }
    void clear() noexcept {
        this->note.length = length();
        this->note.beyond.clear();
        Filter::clear();
    }

private:
    template <class Other, class Operation>
    void with_words_of(const Other& other, Operation operation) {
        std::vector<std::uint64_t>& mine = this->note.beyond;
        std::vector<std::uint64_t> its;
        if constexpr (std::same_as<Other, go_kept>) {
            this->note.length = std::max(length(), other.length());
            its = other.note.beyond;
        }
        mine.resize(std::max(mine.size(), its.size()));
        its.resize(mine.size());
        std::ranges::transform(mine, its, mine.begin(), operation);
    }
};

/// What bitset.WriteTo wrote.
struct go_bitset {
    std::uint64_t length = 0;
    bool little_endian = false;
    byte_view words;
};

/// Reads a bitset; the byte order is derived from the length. O(1). Throws bad_data unless the
/// number of words matches the length, and the bits past it are clear.
[[nodiscard]] go_bitset read_go_bitset(byte_view bytes);

/// The numbers of a filter, and its note.
struct go_parts {
    std::uint64_t m = 0;
    std::uint64_t k = 0;
    go_bitset bitset;
    go_note note{};
    std::vector<std::byte> decoded{}; ///< the bytes of the bitset, if they are not in the file
};

/// The m and k of WriteTo's form, and its bitset. Throws bad_data.
[[nodiscard]] go_parts read_go(byte_view bytes);

/// The filter, with FNV hashes or the newer ones; `present` is the number of bytes present, which m
/// must not exceed by far. O(bytes). Throws bad_data, memory_refused.
[[nodiscard]] any_filter go_filter_of(bool fnv, go_parts parts, std::uint64_t present,
                                      const limits& most);

/// The note of a Go filter of that type, even if it did not come with a note. Throws incompatible
/// for any other filter, like require_type. O(w).
[[nodiscard]] go_note go_note_of(bool fnv, const any_filter& source, const foreign_format& format);

/// The bitset as WriteTo writes it. O(w).
void write_go_bitset(const any_filter& source, const go_note& note, const byte_consumer& write);

/// The whole as WriteTo writes it, and how many bytes that is. O(w) and O(1).
void write_go(const any_filter& source, const go_note& note, const byte_consumer& write);
[[nodiscard]] std::uint64_t go_byte_count(const go_note& note) noexcept;

/// Whether the bytes look like the output of WriteTo: at most possible, because they do not tell
/// which of the two hashes they have. O(1), never throws.
[[nodiscard]] likeness looks_go(byte_view bytes);
/// The same for other forms. O(bytes), never throws.
[[nodiscard]] likeness looks_like_go_json(byte_view bytes);
[[nodiscard]] likeness looks_like_go_gob(byte_view bytes);

/// New(m, k) or NewWithEstimates(n, p). Throws bad_argument.
[[nodiscard]] any_filter new_go(bool fnv, const foreign_options& options);

/// ApproximatedSize, and what is unusual about the bitset.
[[nodiscard]] std::vector<foreign_fact> go_facts(const any_filter& of);

/// The format of a form that `Read` makes go_parts of and `Write` writes like write_go, with the
/// newer hashes or with FNV's, whose bytes look the same.
template <bool Fnv, auto Looks, auto Read, auto Write, const foreign_format& Format>
[[nodiscard]] constexpr foreign_format go_format_of(std::string_view name, std::string_view what,
                                                    std::string_view needs) {
    return {
        .name = name,
        .what = what,
        .keys = "bytes",
        .needs = needs,
        .looks = Looks,
        .decode =
            [](byte_view bytes, const foreign_options& options) {
                return go_filter_of(Fnv, Read(bytes), bytes.size(), options.limits);
            },
        .encode =
            [](const any_filter& source, const byte_consumer& write,
               const foreign_options& /*options*/) {
                Write(source, go_note_of(Fnv, source, Format), write);
            },
        .create = [](const foreign_options& options) { return new_go(Fnv, options); },
        .facts = go_facts,
    };
}

} // namespace bloomery::inline v0::format
