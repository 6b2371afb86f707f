// One handle for every kind of filter. Tools, formats and bindings speak to this and nothing else.
#pragma once

#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace bloomery {

/// A filter whose type is known at run time only. Its calls are bulk calls, so that the one virtual
/// call is paid for each batch, never for each key. Copies are deep; threads as for basic_filter. A
/// moved-from handle may only be assigned to or destroyed.
class any_filter {
public:
    /// Keys as bytes, and keys as integers: the two kinds that hash differently.
    using byte_keys = std::span<const std::string_view>;
    using integer_keys = std::span<const std::uint64_t>;

    /// Takes a filter in. O(1) for one that is moved.
    template <class Layout, class Hash, class Storage>
        requires byte_hash<Hash>
    any_filter(basic_filter<Layout, Hash, Storage> made) // NOLINT: every filter is one of these
        : self_(std::make_unique<model<basic_filter<Layout, Hash, Storage>>>(std::move(made))) {}

    any_filter(const any_filter& other) : self_(other.self_->clone()) {}
    any_filter(any_filter&&) noexcept = default;
    any_filter& operator=(const any_filter& other) {
        self_ = other.self_->clone();
        return *this;
    }
    any_filter& operator=(any_filter&&) noexcept = default;
    ~any_filter() = default;

    /// The filter inside if it is of exactly this type, nullptr otherwise. O(1).
    template <class Filter>
    [[nodiscard]] Filter* get_if() noexcept {
        auto* const found = dynamic_cast<model<Filter>*>(self_.get());
        return found == nullptr ? nullptr : &found->value;
    }

    /// Adds all keys; bit i of `fresh` is set if key i was surely new. O(n k).
    void try_insert_many(byte_keys keys, bitmap& fresh) { self_->try_insert_many(keys, fresh); }
    void try_insert_many(integer_keys keys, bitmap& fresh) { self_->try_insert_many(keys, fresh); }

    /// Adds all keys; returns how many were surely new. O(n k).
    std::uint64_t insert_many(byte_keys keys) { return self_->insert_many(keys); }
    std::uint64_t insert_many(integer_keys keys) { return self_->insert_many(keys); }

    /// Asks for all keys; bit i of `maybe` is the answer for key i. O(n k).
    void may_contain_many(byte_keys keys, bitmap& maybe) const {
        self_->may_contain_many(keys, maybe);
    }
    void may_contain_many(integer_keys keys, bitmap& maybe) const {
        self_->may_contain_many(keys, maybe);
    }

    /// As for basic_filter. O(w); `merge` and `intersect` throw incompatible and change nothing.
    [[nodiscard]] compatibility compatible_with(const any_filter& other) const {
        return self_->compatible_with(*other.self_);
    }
    void merge(const any_filter& other) { self_->merge(*other.self_); }
    void intersect(const any_filter& other) { self_->intersect(*other.self_); }
    void clear() noexcept { self_->clear(); }

    [[nodiscard]] bloomery::spec spec() const { return self_->spec(); }
    [[nodiscard]] design made_for() const { return self_->made_for(); }
    [[nodiscard]] statistics stats() const { return self_->stats(); }
    [[nodiscard]] double fpp_at(items n) const { return self_->fpp_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return self_->words(); }

private:
    struct interface {
        interface() = default;
        interface(const interface&) = delete;
        interface& operator=(const interface&) = delete;
        virtual ~interface() = default;
        [[nodiscard]] virtual std::unique_ptr<interface> clone() const = 0;
        virtual void try_insert_many(byte_keys keys, bitmap& fresh) = 0;
        virtual void try_insert_many(integer_keys keys, bitmap& fresh) = 0;
        virtual std::uint64_t insert_many(byte_keys keys) = 0;
        virtual std::uint64_t insert_many(integer_keys keys) = 0;
        virtual void may_contain_many(byte_keys keys, bitmap& maybe) const = 0;
        virtual void may_contain_many(integer_keys keys, bitmap& maybe) const = 0;
        [[nodiscard]] virtual compatibility compatible_with(const interface& other) const = 0;
        virtual void merge(const interface& other) = 0;
        virtual void intersect(const interface& other) = 0;
        virtual void clear() noexcept = 0;
        [[nodiscard]] virtual bloomery::spec spec() const = 0;
        [[nodiscard]] virtual design made_for() const = 0;
        [[nodiscard]] virtual statistics stats() const = 0;
        [[nodiscard]] virtual double fpp_at(items n) const = 0;
        [[nodiscard]] virtual std::span<const std::uint64_t> words() const noexcept = 0;
    };

    template <class Filter>
    struct model;

    std::unique_ptr<interface> self_;
};

template <class Filter>
struct any_filter::model final : interface {
    explicit model(Filter made) : value(std::move(made)) {}

    [[nodiscard]] std::unique_ptr<interface> clone() const override {
        return std::make_unique<model>(value);
    }
    void try_insert_many(byte_keys keys, bitmap& fresh) override {
        value.try_insert_many(keys, fresh);
    }
    void try_insert_many(integer_keys keys, bitmap& fresh) override {
        value.try_insert_many(keys, fresh);
    }
    std::uint64_t insert_many(byte_keys keys) override { return value.insert_many(keys); }
    std::uint64_t insert_many(integer_keys keys) override { return value.insert_many(keys); }
    void may_contain_many(byte_keys keys, bitmap& maybe) const override {
        value.may_contain_many(keys, maybe);
    }
    void may_contain_many(integer_keys keys, bitmap& maybe) const override {
        value.may_contain_many(keys, maybe);
    }
    [[nodiscard]] compatibility compatible_with(const interface& other) const override {
        if (const auto* const same = dynamic_cast<const model*>(&other)) {
            return value.compatible_with(same->value);
        }
        compatibility verdict = compare(spec(), other.spec());
        if (verdict) {
            verdict.reason = "they are of different types in this program";
        }
        return verdict;
    }
    void merge(const interface& other) override { value.merge(same_type(other)); }
    void intersect(const interface& other) override { value.intersect(same_type(other)); }
    void clear() noexcept override { value.clear(); }
    [[nodiscard]] bloomery::spec spec() const override { return value.spec(); }
    [[nodiscard]] design made_for() const override { return value.made_for(); }
    [[nodiscard]] statistics stats() const override { return value.stats(); }
    [[nodiscard]] double fpp_at(items n) const override { return value.fpp_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept override {
        return value.words();
    }

    const Filter& same_type(const interface& other) const {
        const auto* const same = dynamic_cast<const model*>(&other);
        if (same == nullptr) {
            throw incompatible("the filters cannot be combined: " + compatible_with(other).reason);
        }
        return same->value;
    }

    Filter value;
};

} // namespace bloomery
