// Headers of dumps with any numbers, as only an attacker makes them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bloomery::testing {

namespace detail {

template <class Number>
void append_bytes(std::string& to, Number number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number); // servers are little endian
}

} // namespace detail

/// What a cuckoo filter claims to be.
struct cuckoo_claims {
    std::uint64_t items = 1;
    std::uint64_t buckets = 1;
    std::uint64_t deletes = 0;
    std::uint64_t filters = 1;
    std::uint16_t bucket_size = 2;
    std::uint16_t iterations = 20;
    std::uint16_t expansion = 1;
};

inline std::string cuckoo_header(const cuckoo_claims& of) {
    std::string made;
    for (const std::uint64_t one : {of.items, of.buckets, of.deletes, of.filters}) {
        detail::append_bytes(made, one);
    }
    for (const std::uint16_t one : {of.bucket_size, of.iterations, of.expansion}) {
        detail::append_bytes(made, one);
    }
    return made;
}

/// A Bloom filter of layers for one item each, with as many hashes as a rate can ask for.
inline std::string costly_bloom_header(std::size_t layers, std::uint64_t bytes_of_each) {
    constexpr double bits_per_entry = 1500;
    std::string made;
    detail::append_bytes(made, std::uint64_t{0}); // items
    detail::append_bytes(made, static_cast<std::uint32_t>(layers));
    detail::append_bytes(made, std::uint32_t{5}); // options
    detail::append_bytes(made, std::uint32_t{1}); // growth
    for (std::size_t i = 0; i < layers; ++i) {
        detail::append_bytes(made, bytes_of_each);
        detail::append_bytes(made, bytes_of_each * 8);
        detail::append_bytes(made, std::uint64_t{0}); // items
        detail::append_bytes(made, 1e-300);
        detail::append_bytes(made, bits_per_entry);
        detail::append_bytes(
            made, static_cast<std::uint32_t>(std::ceil(0.693147180559945 * bits_per_entry)));
        detail::append_bytes(made, std::uint64_t{1000}); // capacity
        made += '\0';
    }
    return made;
}

} // namespace bloomery::testing
