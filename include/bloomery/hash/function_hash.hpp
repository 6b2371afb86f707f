// Makes a hash object for a filter from a plain function over bytes.
#pragma once

#include <bloomery/detail/hash/classical.hpp>
#include <bloomery/detail/hash/fnv.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/highway.hpp>
#include <bloomery/detail/hash/java.hpp>
#include <bloomery/detail/hash/murmur.hpp>
#include <bloomery/detail/own_copy.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace bloomery::inline v0::hash {

/// A function of bytes or of a string_view, as a hash object. The filter mixes its result once
/// more, unless it is declared avalanching (each of its 64 or 128 bits is as good as any other).
template <auto Fn, hash_id Id = hash_id::custom, bool Avalanching = false>
struct function_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = Avalanching;

    /// The result of the function for a byte key.
    BLOOMERY_OWN_COPY constexpr auto operator()(std::span<const std::byte> key) const noexcept {
        if constexpr (std::is_invocable_v<decltype(Fn), std::span<const std::byte>>) {
            return Fn(key);
        } else {
            return Fn(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()));
        }
    }

    friend constexpr bool operator==(function_hash, function_hash) = default;
};

/// As above, for a function of bytes and a seed or start value, whose default is `Start`.
template <auto Fn, auto Start, hash_id Id = hash_id::custom, bool Avalanching = false>
struct seeded_function_hash {
    static constexpr hash_id id = Id;
    static constexpr bool is_avalanching = Avalanching;

    std::remove_const_t<decltype(Start)> seed = Start;

    /// The result of the function for a byte key with this seed.
    BLOOMERY_OWN_COPY constexpr auto operator()(std::span<const std::byte> key) const noexcept {
        return Fn(key, seed);
    }

    friend constexpr bool operator==(seeded_function_hash, seeded_function_hash) = default;
};

/// Murmur and FNV as hash objects; `seed` is their start value. The 32-bit ones are not
/// avalanching, because half of a 64-bit digest would be zero.
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

/// The classic string hashes over bytes, as hash objects.
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

/// The additive hash with one multiplier, such as `additive_hash<61>`. Files cannot store the
/// multiplier, so this counts as a user-defined hash.
template <std::uint32_t Multiplier>
using additive_hash = function_hash<additive{Multiplier}>;

} // namespace bloomery::inline v0::hash
