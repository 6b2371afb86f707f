// Which bits of which shard a key has.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/digest_of.hpp>
#include <bloomery/hash/foreign.hpp>
#include <bloomery/hash/java_text.hpp>
#include <bloomery/layout/foreign_schemes.hpp>
#include <bloomery/layout/java_schemes.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/layout/shard.hpp>
#include <bloomery/plan/split.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery::redis {

/// Whether all bits of a key have a place: of some the original has none, and throws.
enum class placed { wholly, until_none };

/// How keys become bits: Redisson's way, or by Java's hash code under six masks. A small value.
class probing {
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

    /// Appends the bits of a key, within its shard; those before the first that has no place, if
    /// one has none. O(k); throws std::bad_alloc.
    placed append(const plan::split_shape& of, digest128 key,
                  std::vector<std::uint64_t>& places) const;
    /// Whether there are keys of which a bit has no place. O(1).
    [[nodiscard]] bool may_lack_places() const noexcept {
        return scheme_ == layout::scheme_id::hash_code_6;
    }
    /// Throws no_place for a key of which a bit has none, and does nothing for another. O(k).
    void require_places(const plan::split_shape& of, digest128 key) const;

private:
    [[nodiscard]] bool is_redisson() const noexcept {
        return scheme_ == layout::scheme_id::redisson ||
               scheme_ == layout::scheme_id::redisson_split;
    }

    layout::scheme_id scheme_;
};

} // namespace bloomery::redis
