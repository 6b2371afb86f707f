// A filter of any type that several threads use at once.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/raw_keys.hpp>
#include <bloomery/detail/filter/taken_keys.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

namespace bloomery::inline v0 {

namespace detail {

/// The virtual calls by which any_shared_view uses the view inside.
struct BLOOMERY_EXPORT shared_interface {
    using digests = std::span<const digest128>;

    shared_interface() = default;
    shared_interface(const shared_interface&) = delete;
    shared_interface& operator=(const shared_interface&) = delete;
    virtual ~shared_interface() = default;
    [[nodiscard]] virtual bool try_insert(byte_view bytes) const = 0;
    [[nodiscard]] virtual bool try_insert(std::uint64_t number) const = 0;
    [[nodiscard]] virtual bool try_insert(digest128 hashed) const = 0;
    [[nodiscard]] virtual bool may_contain(byte_view bytes) const = 0;
    [[nodiscard]] virtual bool may_contain(std::uint64_t number) const = 0;
    [[nodiscard]] virtual bool may_contain(digest128 hashed) const = 0;
    virtual void insert_many(byte_keys keys) const = 0;
    virtual void insert_many(integer_keys keys) const = 0;
    virtual void insert_many(digests keys) const = 0;
    virtual void try_insert_many(byte_keys keys, bitmap& fresh) const = 0;
    virtual void try_insert_many(integer_keys keys, bitmap& fresh) const = 0;
    virtual void try_insert_many(digests keys, bitmap& fresh) const = 0;
    virtual void may_contain_many(byte_keys keys, bitmap& maybe) const = 0;
    virtual void may_contain_many(integer_keys keys, bitmap& maybe) const = 0;
    virtual void may_contain_many(digests keys, bitmap& maybe) const = 0;
};

/// A view of a known type behind that interface.
template <class View>
struct BLOOMERY_OWN_COPY shared_model final : shared_interface {
    using forms = taken_keys<View>;

    explicit shared_model(View made) : view(std::move(made)) {}

    [[nodiscard]] bool try_insert(byte_view bytes) const override { return try_one(bytes); }
    [[nodiscard]] bool try_insert(std::uint64_t number) const override { return try_one(number); }
    [[nodiscard]] bool try_insert(digest128 hashed) const override { return try_one(hashed); }
    [[nodiscard]] bool may_contain(byte_view bytes) const override { return ask_one(bytes); }
    [[nodiscard]] bool may_contain(std::uint64_t number) const override { return ask_one(number); }
    [[nodiscard]] bool may_contain(digest128 hashed) const override { return ask_one(hashed); }
    void insert_many(byte_keys keys) const override { add_all(keys); }
    void insert_many(integer_keys keys) const override { add_all(keys); }
    void insert_many(digests keys) const override { add_all(keys); }
    void try_insert_many(byte_keys keys, bitmap& fresh) const override { try_all(keys, fresh); }
    void try_insert_many(integer_keys keys, bitmap& fresh) const override { try_all(keys, fresh); }
    void try_insert_many(digests keys, bitmap& fresh) const override { try_all(keys, fresh); }
    void may_contain_many(byte_keys keys, bitmap& maybe) const override { ask_all(keys, maybe); }
    void may_contain_many(integer_keys keys, bitmap& maybe) const override { ask_all(keys, maybe); }
    void may_contain_many(digests keys, bitmap& maybe) const override { ask_all(keys, maybe); }

    template <class Key>
    [[nodiscard]] bool try_one(const Key& key) const {
        return view.try_insert(forms::of(view, key));
    }
    template <class Key>
    [[nodiscard]] bool ask_one(const Key& key) const {
        return view.may_contain(forms::of(view, key));
    }
    template <class Keys>
    void add_all(Keys keys) const {
        taken(keys, [&](const auto& all) { view.insert_many(all); });
    }
    template <class Keys>
    void try_all(Keys keys, bitmap& fresh) const {
        taken(keys, [&](const auto& all) { view.try_insert_many(all, fresh); });
    }
    template <class Keys>
    void ask_all(Keys keys, bitmap& maybe) const {
        taken(keys, [&](const auto& all) { view.may_contain_many(all, maybe); });
    }
    /// Hashes keys for a view that only takes digests.
    template <class Keys, class With>
    void taken(Keys keys, With with) const {
        forms::all(keys, [&](const auto& all) {
            if constexpr (requires { view.insert_many(all); }) {
                with(all);
            } else {
                with(forms::digest_many(view, all));
            }
        });
    }

    View view;
};

} // namespace detail

/// Returned by any_filter::shared(): any number of threads may insert and query at once, through
/// one view or through copies, and no insert is lost. Everything that shared_view promises holds,
/// at the price of a virtual call per key or batch.
///
/// A view is small; copies share the filter. Meanwhile the filter must not be used in another way,
/// except for const members that neither query nor count bits; it must outlive the view. Digests
/// are those of any_filter::digest.
class any_shared_view {
public:
    explicit any_shared_view(std::shared_ptr<const detail::shared_interface> of) noexcept
        : self_(std::move(of)) {}

    /// Single keys, as for the filter. O(k).
    template <key Key>
    BLOOMERY_OWN_COPY void insert(const Key& key) const {
        (void)try_insert(key);
    }
    void insert(digest128 hashed) const { (void)self_->try_insert(hashed); }
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool try_insert(const Key& key) const {
        return detail::with_raw(key, [this](auto raw) { return self_->try_insert(raw); });
    }
    [[nodiscard]] bool try_insert(digest128 hashed) const { return self_->try_insert(hashed); }
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const Key& key) const {
        return detail::with_raw(key, [this](auto raw) { return self_->may_contain(raw); });
    }
    [[nodiscard]] bool may_contain(digest128 hashed) const { return self_->may_contain(hashed); }

    /// Bulk calls. O(n k).
    void insert_many(std::span<const digest128> keys) const { self_->insert_many(keys); }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void insert_many(Keys&& keys) const {
        detail::with_raw_keys(keys, [this](auto all) { self_->insert_many(all); });
    }
    void try_insert_many(std::span<const digest128> keys, bitmap& fresh) const {
        self_->try_insert_many(keys, fresh);
    }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void try_insert_many(Keys&& keys, bitmap& fresh) const {
        detail::with_raw_keys(keys, [&](auto all) { self_->try_insert_many(all, fresh); });
    }
    void may_contain_many(std::span<const digest128> keys, bitmap& maybe) const {
        self_->may_contain_many(keys, maybe);
    }
    template <std::ranges::input_range Keys>
        requires key<std::ranges::range_value_t<Keys>>
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        detail::with_raw_keys(keys, [&](auto all) { self_->may_contain_many(all, maybe); });
    }

    /// The previous two calls, returning a new bitmap.
    template <class Keys>
    [[nodiscard]] BLOOMERY_OWN_COPY bitmap try_insert_many(Keys&& keys) const {
        bitmap fresh;
        try_insert_many(keys, fresh);
        return fresh;
    }
    template <class Keys>
    [[nodiscard]] BLOOMERY_OWN_COPY bitmap may_contain_many(Keys&& keys) const {
        bitmap maybe;
        may_contain_many(keys, maybe);
        return maybe;
    }

private:
    std::shared_ptr<const detail::shared_interface> self_;
};

} // namespace bloomery::inline v0
