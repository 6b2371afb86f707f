// Which bits of which shard a key has.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/hash/foreign.hpp>
#include <bloomery/detail/hash/java_text.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/detail/layout/java_schemes.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/layout/shard.hpp>
#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/redis.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::inline v0::redis {

/// Whether all bits of a key have a position: for some keys, the original has none and throws.
enum class placed { wholly, until_none };

/// How keys map to bits: as in Redisson, or with Java's hash code under six masks. A small value.
class BLOOMERY_EXPORT probing {
public:
    /// Throws bad_argument for another scheme than redisson, redisson_split, hash_code_6 and
    /// hash_code_6_mended.
    explicit probing(layout::scheme_id scheme);

    [[nodiscard]] layout::scheme_id scheme() const noexcept { return scheme_; }

    /// What a key is hashed to. O(key).
    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        if (is_redisson()) {
            return widely(digest_of(hash::redisson_hash{}, key));
        }
        return widely(digest_of(hash::java_object_hash{}, key));
    }

    [[nodiscard]] std::uint64_t shard(const plan::split_shape& of, digest128 key) const noexcept {
        return of.shard_count == 1 ? 0 : layout::shard_of(key, of.shard_count);
    }

    /// Appends the bits of a key within its shard; if a bit has no position, only those before it.
    /// O(k); throws std::bad_alloc.
    placed append(const plan::split_shape& of, digest128 key,
                  std::vector<std::uint64_t>& places) const;
    /// Whether there are keys with a bit that has no position. O(1).
    [[nodiscard]] bool may_lack_places() const noexcept {
        return scheme_ == layout::scheme_id::hash_code_6;
    }
    /// Throws no_place for a key with such a bit; otherwise a no-op. O(k).
    void require_places(const plan::split_shape& of, digest128 key) const;

private:
    [[nodiscard]] bool is_redisson() const noexcept {
        return scheme_ == layout::scheme_id::redisson ||
               scheme_ == layout::scheme_id::redisson_split;
    }

    layout::scheme_id scheme_;
};

} // namespace bloomery::inline v0::redis
