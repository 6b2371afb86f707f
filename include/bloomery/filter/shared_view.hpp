// A filter that many threads use at once.
#pragma once

#include <bloomery/filter/bulk.hpp>
#include <bloomery/kernel/shared_words.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstdint>
#include <ranges>

namespace bloomery {

/// The bits of a filter, set and read by relaxed atomic operations: any number of threads may
/// insert and ask at once, through copies of the view or through one, and no insert is lost.
///
/// What is promised: a thread that knows that an insert has returned (because it made it, or
/// learned of it through a mutex, a join, or any other synchronisation) is answered "maybe" for
/// that key. A key whose insert is under way may be seen or not. The filter itself, which pays
/// nothing for all this, may be used again when the threads are joined.
///
/// A view is small and is passed by value. Nothing is allocated but bitmaps; nothing throws but
/// what the keys' own functions throw. O(k) for one key, O(n k) for many.
template <class Layout, class Hash>
class shared_view {
public:
    shared_view(const Layout& layout, const Hash& hash, std::uint64_t* words) noexcept
        : layout_(layout), hash_(hash), words_(words) {}

    /// Adds a key; true if this call changed a bit, which means that the key surely was not in. Of
    /// threads that insert one new key at once, one or several are told so.
    template <key_for<Hash> Key>
    bool insert(const Key& key) const {
        return layout_.template insert<kernel::access::shared>(words_, probe(key));
    }
    /// The same, for callers who act on the answer.
    template <key_for<Hash> Key>
    [[nodiscard]] bool try_insert(const Key& key) const {
        return insert(key);
    }
    /// False: no insert of the key had returned before.
    template <key_for<Hash> Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return layout_.template may_contain<kernel::access::shared>(words_, probe(key));
    }

    /// Many keys, as for the filter itself; the bitmaps throw std::bad_alloc when they must grow.
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

} // namespace bloomery
