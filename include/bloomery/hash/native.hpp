// The hash of native filters, chosen at run time: fast and seeded, or keyed against adversaries.
#pragma once

#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/hash_id.hpp>
#include <bloomery/hash/siphash.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/key/bytes.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace bloomery {

/// XXH3 with a seed, 64 or 128 bits wide, or SipHash-1-3 with a secret key. The id, the seed and a
/// check of the key are part of a filter's spec; the secret itself never is.
///
/// Returns 128 bits always, so that one code path serves both widths; a 64-bit hash is widened, and
/// a widened digest is probed exactly as the narrow one: a filter made with `hash::xxh3_64` at
/// compile time and one made with `native_hash` hold the same bits.
class native_hash {
public:
    static constexpr bool is_avalanching = true;

    /// XXH3-64 with seed 0.
    constexpr native_hash() noexcept = default;

    /// XXH3-64 with a seed: two filters with different seeds err on different keys.
    [[nodiscard]] static constexpr native_hash seeded(std::uint64_t seed) noexcept {
        native_hash h;
        h.seed_ = seed;
        h.mixed_ = hash::mixed_seed(seed);
        return h;
    }

    /// SipHash-1-3 under a secret key, for keys that an adversary may choose.
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

    /// Calls `with` with the hash that this one is, as a type of its own: bulk calls choose once
    /// for a batch, not once for each key.
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

    /// The seed; for a keyed hash, a check value that tells two keys apart and reveals neither.
    [[nodiscard]] constexpr std::uint64_t seed() const noexcept { return seed_; }

    /// The secret of a keyed hash.
    [[nodiscard]] constexpr std::optional<hash::sip_key> secret() const noexcept {
        return is_keyed() ? std::optional(secret_) : std::nullopt;
    }

    /// The seed of mix64 if that is what integer keys go through: bulk calls then hash them in
    /// vectors.
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

} // namespace bloomery
