// Any function over bytes or text can become a hash object for a filter.
#include <bloomery/hash/function_hash.hpp>

#include "vectors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hash = bloomery::hash;
using hash::hash_id;

namespace {

std::uint64_t length_of_bytes(std::span<const std::byte> key) { return key.size(); }
std::uint32_t first_of_text(std::string_view text) { return static_cast<unsigned char>(text[0]); }

TEST(FunctionHash, TakesFunctionsOfBytesAndOfText) {
    EXPECT_EQ(hash::function_hash<length_of_bytes>{}(vectors::bytes("four")), 4U);
    EXPECT_EQ(hash::function_hash<first_of_text>{}(vectors::bytes("\xffour")), 0xffU);
}

TEST(FunctionHash, IsTheUsersOwnAndWeakUnlessTold) {
    using plain = hash::function_hash<length_of_bytes>;
    static_assert(plain::id == hash_id::custom && !plain::is_avalanching);
    using told = hash::function_hash<length_of_bytes, hash_id::custom, true>;
    static_assert(told::is_avalanching);
}

TEST(FunctionHash, OnlyFullWidthMurmurIsAvalanching) {
    static_assert(hash::murmur3_x64_128_hash::is_avalanching);
    static_assert(hash::murmur64a_hash::is_avalanching);
    static_assert(!hash::murmur3_x86_32_hash::is_avalanching);
    static_assert(!hash::murmur2_32_hash::is_avalanching);
    static_assert(!hash::fnv1a_64_hash::is_avalanching);
    static_assert(!hash::bkdr_hash::is_avalanching);
}

TEST(FunctionHash, ClassicalAliasesKeepFunctionAndId) {
    const auto expect_same = [](auto object, hash_id id, auto function) {
        EXPECT_EQ(object(vectors::bytes("Some text")), function("Some text"));
        EXPECT_EQ(object.id, id);
    };
    expect_same(hash::bkdr_hash{}, hash_id::bkdr, hash::bkdr);
    expect_same(hash::ap_hash{}, hash_id::ap, hash::ap);
    expect_same(hash::djb_hash{}, hash_id::djb, hash::djb);
    expect_same(hash::js_hash{}, hash_id::js, hash::js);
    expect_same(hash::rs_hash{}, hash_id::rs, hash::rs);
    expect_same(hash::sdbm_hash{}, hash_id::sdbm, hash::sdbm);
    expect_same(hash::pjw_hash{}, hash_id::pjw, hash::pjw);
    expect_same(hash::elf_hash{}, hash_id::elf, hash::elf);
    expect_same(hash::dek_hash{}, hash_id::dek, hash::dek);
    expect_same(hash::hf_hash{}, hash_id::hf, hash::hf);
    expect_same(hash::hf_ip_hash{}, hash_id::hf_ip, hash::hf_ip);
    expect_same(hash::tianl_hash{}, hash_id::tianl, hash::tianl);
    expect_same(hash::fnv_java_hash{}, hash_id::fnv_java, hash::fnv_java);
    expect_same(hash::java_string_hash{}, hash_id::java_string, hash::java::string_hash_code);
    expect_same(hash::additive_hash<61>{}, hash_id::custom, hash::additive{61});
}

TEST(FunctionHash, SeededAliasesKeepFunctionSeedAndId) {
    const auto expect_same = [](auto object, hash_id id, auto function) {
        const auto key = vectors::bytes("Some text");
        EXPECT_EQ(object(key), function(key, object.seed));
        auto other = object;
        ++other.seed;
        EXPECT_NE(other, object);
        EXPECT_EQ(other(key), function(key, other.seed));
        EXPECT_NE(other(key), object(key));
        EXPECT_EQ(object.id, id);
    };
    // Inlined by force, so that a pointer to one is nothing to call.
    const auto calling = []<auto Function>() {
        return [](auto key, auto seed) { return Function(key, seed); };
    };
    expect_same(hash::murmur3_x64_128_hash{}, hash_id::murmur3_x64_128,
                calling.operator()<hash::murmur3_x64_128>());
    expect_same(hash::murmur3_x86_32_hash{}, hash_id::murmur3_x86_32,
                calling.operator()<hash::murmur3_x86_32>());
    expect_same(hash::murmur64a_hash{}, hash_id::murmur64a, calling.operator()<hash::murmur64a>());
    expect_same(hash::murmur2_32_hash{}, hash_id::murmur2_32,
                calling.operator()<hash::murmur2_32>());
    expect_same(hash::fnv1_32_hash{}, hash_id::fnv1_32, calling.operator()<hash::fnv1_32>());
    expect_same(hash::fnv1a_32_hash{}, hash_id::fnv1a_32, calling.operator()<hash::fnv1a_32>());
    expect_same(hash::fnv1_64_hash{}, hash_id::fnv1_64, calling.operator()<hash::fnv1_64>());
    expect_same(hash::fnv1a_64_hash{}, hash_id::fnv1a_64, calling.operator()<hash::fnv1a_64>());
}

TEST(FunctionHash, SeedsDefaultToWhereTheFunctionsStart) {
    EXPECT_EQ(hash::murmur64a_hash{}.seed, 0U);
    EXPECT_EQ(hash::fnv1a_64_hash{}(vectors::bytes("foobar")), 0x85944171f73967e8U);
    EXPECT_EQ(hash::fnv1_32_hash{}(vectors::bytes("foobar")), 0x31f0b262U);
}

} // namespace
