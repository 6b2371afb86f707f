// The hash of native filters, chosen at run time: fast and seeded, or keyed against adversaries.
#pragma once

#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace bloomery::inline v0 {

/// XXH3 with a seed, 64 or 128 bits wide, or SipHash-1-3 with a secret key. The id, the seed and a
/// check value of the key are part of a filter's spec; the secret itself never is.
///
/// Always returns 128 bits, so that one code path serves both widths. A 64-bit hash is widened, and
/// a widened digest is probed exactly like the narrow one: a filter made with `hash::xxh3_64` at
/// compile time and one made with `native_hash` have the same bits.
class native_hash {
public:
    static constexpr bool is_avalanching = true;

    /// XXH3-64 with seed 0.
    constexpr native_hash() noexcept = default;

    /// XXH3-64 with a seed: filters with different seeds have false positives on different keys.
    [[nodiscard]] static constexpr native_hash seeded(std::uint64_t seed) noexcept {
        native_hash h;
        h.seed_ = seed;
        h.mixed_ = hash::mixed_seed(seed);
        return h;
    }

    /// SipHash-1-3 with a secret key, for keys that an adversary may choose.
    [[nodiscard]] static native_hash keyed(hash::sip_key secret) noexcept {
        native_hash h;
        h.secret_ = secret;
        h.id_ = hash::hash_id::siphash13_64;
        h.seed_ = hash::key_check(secret);
        return h;
    }

    /// The same hash with 128 independent bits, for more than a billion keys or rates under 1e-9.
    [[nodiscard]] constexpr native_hash widened() const noexcept {
        native_hash h = *this;
        h.id_ = is_keyed() ? hash::hash_id::siphash13_128 : hash::hash_id::xxh3_128;
        return h;
    }

    /// Calls `with` with the concrete hash type, so that bulk calls dispatch once per batch, not
    /// once per key.
    template <class With>
    BLOOMERY_INLINE decltype(auto) visit(With&& with) const {
        switch (id_) {
        case hash::hash_id::xxh3_128:
            return std::forward<With>(with)(hash::xxh3_128{seed_});
        case hash::hash_id::siphash13_64:
            return std::forward<With>(with)(hash::siphash13_64{secret_});
        case hash::hash_id::siphash13_128:
            return std::forward<With>(with)(hash::siphash13_128{secret_});
        default:
            return std::forward<With>(with)(hash::xxh3_64{seed_, mixed_});
        }
    }

    [[nodiscard]] digest128 operator()(byte_view bytes) const noexcept {
        return visit([&](const auto& chosen) { return widely(chosen(bytes)); });
    }

    [[nodiscard]] digest128 integer(std::uint64_t number) const noexcept {
        return visit([&](const auto& chosen) { return widely(chosen.integer(number)); });
    }

    [[nodiscard]] constexpr hash::hash_id id() const noexcept { return id_; }
    [[nodiscard]] constexpr bool is_keyed() const noexcept { return hash::is_keyed(id_); }

    /// The seed; for a keyed hash, a check value that distinguishes keys without revealing them.
    [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

    /// The secret of a keyed hash.
    [[nodiscard]] constexpr std::optional<hash::sip_key> secret() const noexcept {
        return is_keyed() ? std::optional(secret_) : std::nullopt;
    }

    /// The seed of mix64 if that hashes integer keys: bulk calls then hash them in vectors.
    [[nodiscard]] constexpr std::optional<std::uint64_t> integer_seed() const noexcept {
        if (id_ != hash::hash_id::xxh3_64) {
            return std::nullopt;
        }
        return mixed_;
    }

    friend bool operator==(const native_hash&, const native_hash&) = default;

private:
    hash::hash_id id_ = hash::hash_id::xxh3_64;
    std::uint64_t seed_ = 0;
    std::uint64_t mixed_ = hash::mixed_seed(0);
    hash::sip_key secret_{};
};

} // namespace bloomery::inline v0
