// Index schemes of Java classes that hash a text several times, including their mistakes.
// Some have keys without a position, for which the original throws. Ours throw `no_place` at the
// same point: an insert keeps the bits that it set before.
#pragma once

#include <bloomery/detail/hash/java.hpp>
#include <bloomery/detail/layout/divisor.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bloomery::inline v0::layout {

/// hutool's single filters: one probe, |hash % size|. The array consists of whole words of
/// `WordBits`, and a key whose bit is past the last word has no position.
template <std::uint64_t WordBits>
struct hutool_scheme {
    static constexpr scheme_id id = WordBits == 32 ? scheme_id::hutool_32 : scheme_id::hutool_64;
    using size_type = divisor;
    static constexpr bool may_throw = true;

    class walk_type {
    public:
        constexpr explicit walk_type(digest64 d) noexcept : hash_(d.value) {}
        constexpr std::uint64_t next() const noexcept { return hash_; }

    private:
        std::uint64_t hash_;
    };
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d); }
    static std::uint64_t reduce(std::uint64_t raw, const divisor& bit_count) {
        const std::uint64_t at = detail::magnitude(static_cast<std::int64_t>(raw)) % bit_count;
        if (at >= bit_count.value() / WordBits * WordBits) {
            throw no_place("the key's bit, " + std::to_string(at) +
                           ", is past the last whole word of the array, where hutool throws "
                           "ArrayIndexOutOfBoundsException; use a multiple of " +
                           std::to_string(WordBits) + " bits");
        }
        return at;
    }
};

/// Over an int[].
using hutool_32_scheme = hutool_scheme<32>;
/// Over a long[].
using hutool_64_scheme = hutool_scheme<64>;

/// The hashes of one text, at most sixteen; those that a filter does not use are 0.
using java_hashes = digest_list<std::int64_t, 16>;

namespace detail {

class java_walk {
public:
    constexpr explicit java_walk(const java_hashes& d) noexcept : hashes_(d) {}
    /// |hash|. After the sixteenth, the hash is 0, like hutool's after the eighth.
    constexpr std::uint64_t next() noexcept {
        const std::size_t i = turn_++;
        return i < hashes_.words.size() ? magnitude(hashes_.words[i]) : 0;
    }
    [[nodiscard]] constexpr std::size_t turn() const noexcept { return turn_; }

private:
    const java_hashes& hashes_;
    std::size_t turn_ = 0;
};

} // namespace detail

/// hutool's BitSetBloomFilter: a string hash for each probe, in one array.
struct hutool_set_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::hutool_set;
    static constexpr detail::java_walk walk(const java_hashes& d) noexcept {
        return detail::java_walk(d);
    }
};

/// hutool's BitMapBloomFilter: each string hash in its own part of the array, all of the same size.
struct hutool_map_scheme {
    static constexpr scheme_id id = scheme_id::hutool_map;
    static constexpr detail::java_walk walk(const java_hashes& d) noexcept {
        return detail::java_walk(d);
    }
    struct size_type {
        constexpr size_type(std::uint64_t bit_count, std::uint32_t hash_count) noexcept
            : all(bit_count), part(hash_count == 0 ? 0 : bit_count / hash_count) {}
        friend constexpr bool operator==(const size_type&, const size_type&) = default;
        std::uint64_t all;
        divisor part;
    };
    static constexpr std::uint64_t place(detail::java_walk& walk, const size_type& size) noexcept {
        const std::uint64_t before = walk.turn() * size.part.value();
        return before + walk.next() % size.part;
    }
    /// For a raw location alone, as if there were one part.
    static constexpr std::uint64_t reduce(std::uint64_t raw, const size_type& size) noexcept {
        return raw % size.all;
    }
};

/// Eight multiplicative hashes, the low 30 bits of each.
struct additive_8_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::additive_8;
    static constexpr std::uint64_t bit_count = std::uint64_t{1} << 30U;
    using eight = digest_list<std::uint32_t, 8>;

    class walk_type {
    public:
        constexpr explicit walk_type(const eight& d) noexcept : next_(d.words.data()) {}
        constexpr std::uint64_t next() noexcept { return *next_++; }

    private:
        const std::uint32_t* next_;
    };
    static constexpr walk_type walk(const eight& d) noexcept { return walk_type(d); }
};

namespace detail {

/// The hash code, spread as in HashMap, and six factors that give six positions.
template <class Rule>
class hash_code_walk {
public:
    constexpr explicit hash_code_walk(digest64 d) noexcept
        : spread_(static_cast<std::uint32_t>(
              hash::java::spread(static_cast<std::int32_t>(static_cast<std::uint32_t>(d.value))))) {
    }
    constexpr std::uint64_t next() noexcept {
        return Rule::raw(factors[turn_++ % factors.size()], spread_);
    }

private:
    static constexpr std::array<std::uint32_t, 6> factors{1, 6, 16, 38, 58, 68};
    std::uint32_t spread_;
    std::size_t turn_ = 0;
};

} // namespace detail

/// The filter with the precedence error: in i * (size - 1) & code, the mask is multiplied instead
/// of the code. So its six positions are nearly the same, some exceed the size, and for about half
/// of all keys one is negative, and the original throws.
struct hash_code_6_scheme {
    static constexpr scheme_id id = scheme_id::hash_code_6;
    static constexpr bool may_throw = true;
    using size_type = divisor;
    /// The largest size that the positions can reach; the original's array grows to it from 2^29.
    static constexpr std::uint64_t bit_count = std::uint64_t{1} << 31U;

    static constexpr std::uint64_t raw(std::uint32_t factor, std::uint32_t code) noexcept {
        return factor * 0x1fffffffU & code;
    }
    static constexpr detail::hash_code_walk<hash_code_6_scheme> walk(digest64 d) noexcept {
        return detail::hash_code_walk<hash_code_6_scheme>(d);
    }
    static std::uint64_t reduce(std::uint64_t raw, const divisor& array_bits) {
        if (raw >> 31U != 0) {
            throw no_place("the key has a negative bit number, " +
                           std::to_string(static_cast<std::int32_t>(raw)) +
                           ", for which the original throws; the scheme hash-code-6-mended "
                           "accepts every key");
        }
        return raw % array_bits;
    }
};

/// The same with the intended parentheses: i * code modulo the size, so that every key has
/// positions. No other program uses this format.
struct hash_code_6_mended_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::hash_code_6_mended;
    static constexpr std::uint64_t bit_count = std::uint64_t{1} << 29U;

    static constexpr std::uint64_t raw(std::uint32_t factor, std::uint32_t code) noexcept {
        const std::uint32_t product = factor * code; // an int, which wraps
        return product;
    }
    static constexpr detail::hash_code_walk<hash_code_6_mended_scheme> walk(digest64 d) noexcept {
        return detail::hash_code_walk<hash_code_6_mended_scheme>(d);
    }
};

} // namespace bloomery::inline v0::layout
