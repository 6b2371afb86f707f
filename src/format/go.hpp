// What the three forms of bits-and-blooms' filters share: m, k and a bitset that has a length of
// its own.
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
#include <utility>
#include <vector>

namespace bloomery::format {

/// The frame of a filter in a gob stream: all but the numbers that follow from the filter.
struct gob_frame {
    std::string definitions; ///< the messages before the value
    std::string type;        ///< the value's type number; empty: it came from elsewhere
};

/// What a file says besides m, k and the bits below m, and the way in which it says it.
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

/// Reads it: its length decides its byte order. O(1). Throws bad_data unless the words are as many
/// as the length says, and clear past it.
[[nodiscard]] go_bitset read_go_bitset(byte_view bytes);

/// The numbers of a filter, and what its form keeps.
struct go_parts {
    std::uint64_t m = 0;
    std::uint64_t k = 0;
    go_bitset bitset;
    go_note note;
};

/// The m and k of WriteTo's form, and its bitset. Throws bad_data.
[[nodiscard]] go_parts read_go(byte_view bytes);

/// The filter; `present` is how many bytes there are, which m must not exceed by far. O(bytes).
/// Throws bad_data, memory_refused.
template <class Filter>
[[nodiscard]] any_filter filter_of(go_parts parts, std::uint64_t present, const limits& most);

/// The note of any filter of Go's, also of one that has none. O(w).
[[nodiscard]] go_note go_note_of(const any_filter& source);

/// The bitset as WriteTo writes it. O(w).
void write_go_bitset(const any_filter& source, const go_note& note, const byte_consumer& write);

/// The whole as WriteTo writes it, and how many bytes that is. O(w) and O(1).
void write_go(const any_filter& source, const go_note& note, const byte_consumer& write);
[[nodiscard]] std::uint64_t go_byte_count(const go_note& note) noexcept;

/// Whether bytes are as WriteTo writes them. O(1), never throws.
[[nodiscard]] likeness looks_go(byte_view bytes) noexcept;

/// New(m, k) or NewWithEstimates(n, p). Throws bad_argument.
template <class Filter>
[[nodiscard]] any_filter new_go(const foreign_options& options);

/// ApproximatedSize, and what is unusual about the bitset.
[[nodiscard]] std::vector<foreign_fact> go_facts(const any_filter& of);

extern template any_filter filter_of<go_filter>(go_parts, std::uint64_t, const limits&);
extern template any_filter filter_of<go_fnv_filter>(go_parts, std::uint64_t, const limits&);
extern template any_filter new_go<go_filter>(const foreign_options&);
extern template any_filter new_go<go_fnv_filter>(const foreign_options&);

} // namespace bloomery::format
