// Cuckoo filters for tests: created, filled and inspected.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include "../../tools/redis-module/cuckoo_filter.hpp"
#include "fake_server.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace bloomery::testing {

using redis_module::cuckoo_fields;
using redis_module::cuckoo_filter;
using redis_module::cuckoo_outcome;

inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// As CF.RESERVE takes them.
struct cuckoo_shape {
    std::uint64_t capacity;
    std::uint64_t bucket_size = 2;
    std::uint64_t iterations = 20;
    std::uint64_t expansion = 1;

    [[nodiscard]] std::unique_ptr<cuckoo_filter> made(std::uint64_t most = no_limit) const {
        return cuckoo_filter::create(capacity, bucket_size, iterations, expansion, most).filter;
    }
};

inline std::uint64_t hash_of(const std::string& item) {
    return cuckoo_filter::hash(bytes_of(item));
}
inline std::uint64_t hash_of(std::uint64_t item) { return hash_of(std::to_string(item)); }

/// Adds the numbers from 0.
inline void add_numbers(cuckoo_filter& to, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(to.insert(hash_of(i), no_limit), cuckoo_outcome::done) << i;
    }
}

/// All that a filter is: header and slots.
inline std::string whole(const cuckoo_filter& of) {
    const auto header = of.header();
    std::string all(reinterpret_cast<const char*>(header.data()), header.size());
    for (std::size_t i = 0; i < of.filters(); ++i) {
        const byte_view slots = of.bytes(i);
        all.append(reinterpret_cast<const char*>(slots.data()), slots.size());
    }
    return all;
}

/// FNV-1a of 64 bits.
inline std::uint64_t checksum(const std::string& bytes) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return sum;
}

} // namespace bloomery::testing
