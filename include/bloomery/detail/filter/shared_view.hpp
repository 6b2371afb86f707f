// A filter that several threads use at once.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstdint>
#include <ranges>

namespace bloomery::inline v0 {

/// The bits of a filter, set and read by relaxed atomic operations: any number of threads may
/// insert and query at once, through one view or through copies, and no insert is lost.
///
/// A thread that knows that an insert has returned (its own, or one it learned of through a mutex,
/// a join or any other synchronisation) gets "maybe" for that key. A key whose insert is under way
/// may be seen or not. The filter itself, which pays nothing for this, may be used again when the
/// threads are joined.
///
/// A view is small and is passed by value. O(k) for one key, O(n k) for many; only bitmaps and the
/// keys' own functions throw. Nothing is locked, so a thread that is stopped stops no other.
///
/// `insert_many` of more integers or digests than the filter has words, most of them new, sets them
/// in memory of its own and adds that to the filter, a range at a time: one atomic operation per
/// word, not one per word and key. Then other threads see the keys later, though still before the
/// call returns. That memory, at most half of the second-level cache, is freed before it returns;
/// if the system refuses it, the call works without.
template <class Layout, class Hash>
class BLOOMERY_OWN_COPY shared_view {
public:
    using digest_type = digest_type_of<Hash>;

    shared_view(const Layout& layout, const Hash& hash, std::uint64_t* words) noexcept
        : layout_(layout), hash_(hash), words_(words) {}

    [[nodiscard]] const Hash& hash() const noexcept { return hash_; }
    template <key_for<Hash> Key>
    [[nodiscard]] digest_type digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    /// Adds a key.
    template <key_for<Hash> Key>
    void insert(const Key& key) const {
        (void)try_insert(key);
    }
    /// Adds a key and returns whether it was definitely new: whether this call changed a bit. If
    /// several threads insert the same new key at once, one or several get true.
    template <key_for<Hash> Key>
    [[nodiscard]] bool try_insert(const Key& key) const {
        return layout_.template insert<kernel::access::shared>(words_, probe(key));
    }
    /// False: no insert of the key had returned before.
    template <key_for<Hash> Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return layout_.template may_contain<kernel::access::shared>(words_, probe(key));
    }

    /// Many keys, as for the filter; the bitmaps throw std::bad_alloc if they must grow.
    template <keys_for<Hash> Keys>
    void insert_many(Keys&& keys) const {
        bulk().insert(keys);
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void try_insert_many(Keys&& keys, bitmap& fresh) const {
        bulk().try_insert(keys, fresh);
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
        bulk().contains(keys, maybe);
    }

    /// The previous two calls, returning a new bitmap.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    [[nodiscard]] bitmap try_insert_many(Keys&& keys) const {
        bitmap fresh;
        try_insert_many(keys, fresh);
        return fresh;
    }
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    [[nodiscard]] bitmap may_contain_many(Keys&& keys) const {
        bitmap maybe;
        may_contain_many(keys, maybe);
        return maybe;
    }

private:
    [[nodiscard]] bulk_calls<Layout, Hash> bulk() const noexcept {
        return {layout_, hash_, words_, kernel::access::shared};
    }
    template <class Key>
    [[nodiscard]] auto probe(const Key& key) const {
        return detail::probe_of<Layout>(hash_, key);
    }

    Layout layout_;
    Hash hash_;
    std::uint64_t* words_;
};

} // namespace bloomery::inline v0
