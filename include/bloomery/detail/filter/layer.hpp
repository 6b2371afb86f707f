// One layer of a filter that grows: its bits, and how many keys it took.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/layout/runs.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0::detail {

/// A layout and a storage of words or bytes: one key or a run of keys at a time.
template <class Layout, class Storage>
class BLOOMERY_OWN_COPY layer_bits {
public:
    layer_bits(const Layout& layout, Storage storage) noexcept
        : layout_(layout), storage_(std::move(storage)) {}

    [[nodiscard]] bool may_contain(digest128 key) const noexcept {
        if constexpr (requires { layout_.may_contain_mostly_classic(units(storage_), key); }) {
            return layout_.may_contain_mostly_classic(units(storage_), key);
        } else {
            return layout_.may_contain(units(storage_), key);
        }
    }
    /// Sets the bits of a key and returns whether any was clear.
    bool insert(digest128 key) noexcept {
        if constexpr (requires { layout_.insert_mostly_classic(units(storage_), key); }) {
            return layout_.insert_mostly_classic(units(storage_), key);
        } else {
            return layout_.insert(units(storage_), key);
        }
    }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        layout_.prefetch(units(storage_), key);
    }

    /// Bit i of `maybe` becomes whether all bits of key i are set.
    void ask(std::span<const digest128> keys, std::uint64_t* maybe) const noexcept {
        if constexpr (has_kernel<Layout>) {
            kernel::contains(layout_.target(units(storage_)), keys, maybe);
        } else {
            layout::ask_run(layout_, units(storage_), keys, maybe);
        }
    }
    /// Sets the bits of all keys, in order; bit i of `fresh` becomes whether key i changed any.
    void insert(std::span<const digest128> keys, std::uint64_t* fresh) noexcept {
        if constexpr (has_kernel<Layout>) {
            kernel::try_insert(layout_.target(units(storage_)), keys, fresh);
        } else {
            layout::insert_run(layout_, units(storage_), keys, fresh);
        }
    }

    [[nodiscard]] plan::shape shape() const noexcept { return layout_.shape(); }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept
        requires requires(const Storage& of) { of.word_count(); }
    {
        return {storage_.data(), storage_.word_count()};
    }
    [[nodiscard]] const Storage& storage() const noexcept { return storage_; }
    [[nodiscard]] Storage& storage() noexcept { return storage_; }

private:
    /// The units of the storage; words for kernels, which take nothing else.
    template <class Of>
    [[nodiscard]] static auto* units(Of& of) noexcept {
        using unit = std::remove_pointer_t<decltype(of.data())>;
        using word = std::conditional_t<std::is_const_v<unit>, const std::uint64_t, std::uint64_t>;
        return reinterpret_cast<std::conditional_t<has_kernel<Layout>, word, unit>*>(of.data());
    }

    Layout layout_;
    Storage storage_;
};

/// A layer that is full when it has taken its capacity. `Facts` has all but its bits: `size`, the
/// number of keys that it took, `capacity()` and `places()`, the shape of its bits.
template <class Facts, class Layout, class Storage>
class counted_layer : public layer_bits<Layout, Storage> {
public:
    /// Throws bad_argument for an impossible shape.
    BLOOMERY_OWN_COPY counted_layer(const Facts& facts, Storage bits)
        : layer_bits<Layout, Storage>(Layout(facts.places()), std::move(bits)), facts_(facts) {}

    [[nodiscard]] const Facts& facts() const noexcept { return facts_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return facts_.size; }
    [[nodiscard]] std::uint64_t capacity() const noexcept { return facts_.capacity(); }
    /// The number of keys that it still takes.
    [[nodiscard]] std::uint64_t room() const noexcept {
        return size() < capacity() ? capacity() - size() : 0;
    }
    /// Records that keys were added.
    void take(std::uint64_t keys) noexcept { facts_.size += keys; }
    /// Sets the number of keys, after the bits were changed in another way.
    void set_size(std::uint64_t keys) noexcept { facts_.size = keys; }

private:
    Facts facts_;
};

} // namespace bloomery::inline v0::detail
