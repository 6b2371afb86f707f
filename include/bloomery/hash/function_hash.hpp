// Makes a hash object, as a filter takes it, from a plain function over bytes.
#pragma once

#include <bloomery/hash/classical.hpp>
#include <bloomery/hash/fnv.hpp>
#include <bloomery/hash/hash_id.hpp>
#include <bloomery/hash/java.hpp>
#include <bloomery/hash/murmur.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace bloomery::hash {

/// A function of bytes or of a string_view, as a hash object. Unless told that its result is
/// avalanching (each of 64 or 128 bits as good as any other), the filter mixes it once more.
template <auto Fn, hash_id Id = hash_id::custom, bool Avalanching = false>
struct function_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = Avalanching;

    /// What the function gives for a byte key.
    constexpr auto operator()(std::span<const std::byte> key) const noexcept {
        if constexpr (std::is_invocable_v<decltype(Fn), std::span<const std::byte>>) {
            return Fn(key);
        } else {
            return Fn(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()));
        }
    }

    friend constexpr bool operator==(function_hash, function_hash) = default;
};

/// The same for a function of bytes and a seed, or a start, which `Start` is the default of.
template <auto Fn, auto Start, hash_id Id = hash_id::custom, bool Avalanching = false>
struct seeded_function_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = Avalanching;

    std::remove_const_t<decltype(Start)> seed = Start;

    /// What the function gives for a byte key under this seed.
    constexpr auto operator()(std::span<const std::byte> key) const noexcept {
        return Fn(key, seed);
    }

    friend constexpr bool operator==(seeded_function_hash, seeded_function_hash) = default;
};

/// Murmur and FNV as hash objects; `seed` is where they start. Those of 32 bits are not avalanching
/// because half of a 64-bit digest would be zero.
using murmur3_x64_128_hash =
    seeded_function_hash<murmur3_x64_128, std::uint64_t{0}, hash_id::murmur3_x64_128, true>;
using murmur3_x86_32_hash =
    seeded_function_hash<murmur3_x86_32, std::uint32_t{0}, hash_id::murmur3_x86_32>;
using murmur64a_hash = seeded_function_hash<murmur64a, std::uint64_t{0}, hash_id::murmur64a, true>;
using murmur2_32_hash = seeded_function_hash<murmur2_32, std::uint32_t{0}, hash_id::murmur2_32>;
using fnv1_32_hash = seeded_function_hash<fnv1_32, fnv_start_32, hash_id::fnv1_32>;
using fnv1a_32_hash = seeded_function_hash<fnv1a_32, fnv_start_32, hash_id::fnv1a_32>;
using fnv1_64_hash = seeded_function_hash<fnv1_64, fnv_start_64, hash_id::fnv1_64>;
using fnv1a_64_hash = seeded_function_hash<fnv1a_64, fnv_start_64, hash_id::fnv1a_64>;

/// The classical string hashes over bytes as hash objects.
using bkdr_hash = function_hash<bkdr, bkdr.id>;
using ap_hash = function_hash<ap, ap.id>;
using djb_hash = function_hash<djb, djb.id>;
using js_hash = function_hash<js, js.id>;
using rs_hash = function_hash<rs, rs.id>;
using sdbm_hash = function_hash<sdbm, sdbm.id>;
using pjw_hash = function_hash<pjw, pjw.id>;
using elf_hash = function_hash<elf, elf.id>;
using dek_hash = function_hash<dek, dek.id>;
using hf_hash = function_hash<hf, hf.id>;
using hf_ip_hash = function_hash<hf_ip, hf_ip.id>;
using tianl_hash = function_hash<tianl, tianl.id>;
using fnv_java_hash = function_hash<fnv_java, fnv_java.id>;
using java_string_hash = function_hash<java::string_hash_code, hash_id::java_string>;

/// The additive hash of one multiplier, such as `additive_hash<61>`. A file has no room for the
/// multiplier, so this counts as the user's own hash.
template <std::uint32_t Multiplier>
using additive_hash = function_hash<additive{Multiplier}>;

} // namespace bloomery::hash
