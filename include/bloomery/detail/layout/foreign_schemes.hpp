// Index schemes of other systems: exactly how each turns the hashes of a key into positions.
//
// Each is `walk(digest)`, whose `next()` gives raw locations, and `reduce(raw, size)`, where the
// size is the number of bits, or a `size_type` made from it. The arithmetic is that of the
// originals, which are written in Java, Go, C and C++: it wraps; signed arithmetic is mentioned.
// docs/formats.md has a page for each.
#pragma once

#include <bloomery/detail/layout/divisor.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/hash/digest.hpp>

#include <bit>
#include <cstdint>

namespace bloomery::inline v0::layout {

namespace detail {

inline constexpr std::uint64_t without_sign = 0x7fffffffffffffff;

/// Java's `x < 0 ? ~x : x`.
constexpr std::uint32_t fold(std::uint32_t x) noexcept { return x >> 31 != 0 ? ~x : x; }
constexpr std::uint64_t fold(std::uint64_t x) noexcept { return x >> 63 != 0 ? ~x : x; }

/// |x|, even for the smallest number.
constexpr std::uint64_t magnitude(std::int64_t x) noexcept {
    const auto bits = static_cast<std::uint64_t>(x);
    return x < 0 ? 0U - bits : bits;
}

/// The sign extended from 32 bits.
constexpr std::uint64_t widened(std::uint32_t x) noexcept {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(x)});
}

/// Raw locations that are taken modulo the number of bits, as nearly all are.
struct modulo {
    using size_type = divisor;
    static constexpr std::uint64_t reduce(std::uint64_t raw, const divisor& bit_count) noexcept {
        return raw % bit_count;
    }
};

/// x, x + y, x + 2 y, ...
class steps {
public:
    constexpr steps(std::uint64_t first, std::uint64_t step) noexcept : at_(first), step_(step) {}
    constexpr std::uint64_t next() noexcept {
        const std::uint64_t current = at_;
        at_ += step_;
        return current;
    }

private:
    std::uint64_t at_;
    std::uint64_t step_;
};

} // namespace detail

/// Guava's MURMUR128_MITZ_64: the sign bit of each sum is cleared.
struct guava_64_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::guava_64;

    struct walk_type : detail::steps {
        using steps::steps;
        constexpr std::uint64_t next() noexcept { return steps::next() & detail::without_sign; }
    };
    static constexpr walk_type walk(digest128 d) noexcept { return {d.low, d.high}; }
};

/// Guava's MURMUR128_MITZ_32, of the two halves of one 64-bit hash, from i = 1; and the first
/// version of Spark's, whose two hashes are those halves. No position is beyond 2^31.
struct guava_32_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::guava_32;

    class walk_type {
    public:
        constexpr explicit walk_type(std::uint64_t halves) noexcept
            : at_(static_cast<std::uint32_t>(halves)),
              step_(static_cast<std::uint32_t>(halves >> 32)) {}
        constexpr std::uint64_t next() noexcept {
            at_ += step_;
            return detail::fold(at_);
        }

    private:
        std::uint32_t at_;
        std::uint32_t step_;
    };
    static constexpr walk_type walk(digest128 d) noexcept { return walk_type(d.low); }
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d.value); }
};

/// The second version of Spark's: the two halves again, summed in 64 bits.
struct spark_2_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::spark_2;

    class walk_type {
    public:
        constexpr explicit walk_type(std::uint64_t halves) noexcept
            : at_(detail::widened(static_cast<std::uint32_t>(halves)) * 0x7fffffff),
              step_(detail::widened(static_cast<std::uint32_t>(halves >> 32))) {}
        constexpr std::uint64_t next() noexcept {
            at_ += step_;
            return detail::fold(at_);
        }

    private:
        std::uint64_t at_;
        std::uint64_t step_;
    };
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d.value); }
};

/// bits-and-blooms for Go: four hashes, two of which are bases and two are steps.
struct go_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::go;
    using four = digest_list<std::uint64_t, 4>;

    class walk_type {
    public:
        constexpr explicit walk_type(const four& hashes) noexcept : hashes_(hashes) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t i = turn_++;
            const std::uint64_t odd = i % 2;
            return hashes_.words[odd] + i * hashes_.words[2 + (i + odd) % 4 / 2];
        }

    private:
        four hashes_;
        std::uint64_t turn_ = 0;
    };
    static constexpr walk_type walk(const four& d) noexcept { return walk_type(d); }
};

/// Redisson: the step alternates between the second hash and the first.
struct redisson_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::redisson;

    class walk_type {
    public:
        constexpr explicit walk_type(digest128 d) noexcept
            : at_(d.low), step_(d.high), other_(d.low) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t current = at_ & detail::without_sign;
            at_ += step_;
            const std::uint64_t after = other_;
            other_ = step_;
            step_ = after;
            return current;
        }

    private:
        std::uint64_t at_;
        std::uint64_t step_;
        std::uint64_t other_;
    };
    static constexpr walk_type walk(digest128 d) noexcept { return walk_type(d); }
};

/// Cassandra: starts from the second hash and steps by the first; signed remainders.
struct cassandra_scheme {
    static constexpr scheme_id id = scheme_id::cassandra;
    using size_type = divisor;

    static constexpr detail::steps walk(digest128 d) noexcept { return {d.high, d.low}; }
    static constexpr std::uint64_t reduce(std::uint64_t raw, const divisor& bit_count) noexcept {
        return detail::magnitude(static_cast<std::int64_t>(raw)) % bit_count;
    }
};

/// Hadoop: a separate hash for each probe, each the seed of the next.
struct hadoop_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::hadoop;
    static constexpr std::uint32_t most_hashes = 255;
    using chain = digest_list<std::uint32_t, most_hashes>;

    class walk_type {
    public:
        constexpr explicit walk_type(const chain& hashes) noexcept : next_(hashes.words.data()) {}
        constexpr std::uint64_t next() noexcept {
            return detail::magnitude(static_cast<std::int32_t>(*next_++));
        }

    private:
        const std::uint32_t* next_;
    };
    static constexpr walk_type walk(const chain& d) noexcept { return walk_type(d); }
};

/// HBase: two hashes of 32 bits, which are the halves of the digest; signed remainders.
struct hbase_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::hbase;

    class walk_type {
    public:
        constexpr explicit walk_type(digest64 d) noexcept
            : at_(static_cast<std::uint32_t>(d.value)),
              step_(static_cast<std::uint32_t>(d.value >> 32)) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint64_t current = detail::magnitude(static_cast<std::int32_t>(at_));
            at_ += step_;
            return current;
        }

    private:
        std::uint32_t at_;
        std::uint32_t step_;
    };
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d); }
};

/// RedisBloom: plain double hashing. Its 32-bit sums need no special case, because it uses them
/// only modulo powers of two.
struct redisbloom_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::redisbloom;

    static constexpr detail::steps walk(digest128 d) noexcept { return {d.low, d.high}; }
};

/// LevelDB: the step is the hash, rotated.
struct leveldb_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::leveldb;

    class walk_type {
    public:
        constexpr explicit walk_type(std::uint32_t hash) noexcept
            : at_(hash), step_(std::rotr(hash, 17)) {}
        constexpr std::uint64_t next() noexcept {
            const std::uint32_t current = at_;
            at_ += step_;
            return current;
        }

    private:
        std::uint32_t at_;
        std::uint32_t step_;
    };
    static constexpr walk_type walk(digest64 d) noexcept {
        return walk_type(static_cast<std::uint32_t>(d.value));
    }
};

/// Apache DataSketches, in which the empty string is not a key: its digest is two zeros.
struct datasketches_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::datasketches;

    struct walk_type : detail::steps {
        using steps::steps;
        constexpr std::uint64_t next() noexcept { return steps::next() >> 1U; }
    };
    static constexpr walk_type walk(digest128 d) noexcept { return {d.low + d.high, d.high}; }
    static constexpr bool is_nothing(digest128 d) noexcept { return d == digest128{0, 0}; }
};

/// DCSO's: powers of a constant modulo the largest 64-bit prime, including the original's overflow
/// before the modulus.
struct dcso_scheme : detail::modulo {
    static constexpr scheme_id id = scheme_id::dcso;

    class walk_type {
    public:
        constexpr explicit walk_type(digest64 d) noexcept : at_(d.value % prime) {}
        constexpr std::uint64_t next() noexcept {
            at_ = at_ * 18446744073709550147U % prime;
            return at_;
        }

    private:
        static constexpr std::uint64_t prime = 18446744073709551557U;
        std::uint64_t at_;
    };
    static constexpr walk_type walk(digest64 d) noexcept { return walk_type(d); }
};

} // namespace bloomery::inline v0::layout
