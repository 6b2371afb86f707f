// What any_filter asks of the filter inside, through virtual calls. Nobody else uses it.
#pragma once

#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/hash/siphash.hpp>
#include <bloomery/key/bytes.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bloomery::detail {

/// The verbs of any_filter for keys as bytes, as integers and hashed. See there for what each does.
struct filter_interface {
    using byte_keys = std::span<const std::string_view>;
    using integer_keys = std::span<const std::uint64_t>;
    using digests = std::span<const digest128>;

    filter_interface() = default;
    filter_interface(const filter_interface&) = delete;
    filter_interface& operator=(const filter_interface&) = delete;
    virtual ~filter_interface() = default;
    [[nodiscard]] virtual std::unique_ptr<filter_interface> clone() const = 0;
    [[nodiscard]] virtual digest128 digest(byte_view bytes) const = 0;
    [[nodiscard]] virtual digest128 digest(std::uint64_t number) const = 0;
    virtual void digest_many(byte_keys keys, std::vector<digest128>& into) const = 0;
    virtual void digest_many(integer_keys keys, std::vector<digest128>& into) const = 0;
    [[nodiscard]] virtual bool hashes_ahead() const noexcept = 0;
    [[nodiscard]] virtual bool may_lack_places() const noexcept = 0;
    virtual void require_place(byte_view bytes) const = 0;
    virtual void require_place(std::uint64_t number) const = 0;
    virtual void require_place(digest128 hashed) const = 0;
    [[nodiscard]] virtual bool may_contain(byte_view bytes) const = 0;
    [[nodiscard]] virtual bool may_contain(std::uint64_t number) const = 0;
    virtual bool insert(byte_view bytes) = 0;
    virtual bool insert(std::uint64_t number) = 0;
    virtual void insert_many(byte_keys keys) = 0;
    virtual void insert_many(integer_keys keys) = 0;
    virtual void insert_many(digests keys) = 0;
    [[nodiscard]] virtual bool can_erase() const noexcept = 0;
    [[nodiscard]] virtual bool can_count() const noexcept = 0;
    virtual status erase(byte_view bytes) = 0;
    virtual status erase(std::uint64_t number) = 0;
    virtual status erase(digest128 hashed) = 0;
    [[nodiscard]] virtual std::uint64_t count(byte_view bytes) const = 0;
    [[nodiscard]] virtual std::uint64_t count(std::uint64_t number) const = 0;
    [[nodiscard]] virtual std::uint64_t count(digest128 hashed) const = 0;
    virtual void try_insert_many(byte_keys keys, bitmap& fresh) = 0;
    virtual void try_insert_many(integer_keys keys, bitmap& fresh) = 0;
    virtual void try_insert_many(digests keys, bitmap& fresh) = 0;
    virtual void may_contain_many(byte_keys keys, bitmap& maybe) const = 0;
    virtual void may_contain_many(integer_keys keys, bitmap& maybe) const = 0;
    virtual void may_contain_many(digests keys, bitmap& maybe) const = 0;
    [[nodiscard]] virtual compatibility compatible_with(const filter_interface& other) const = 0;
    virtual void merge(const filter_interface& other) = 0;
    virtual void intersect(const filter_interface& other) = 0;
    virtual void clear() = 0;
    virtual void sync() = 0;
    [[nodiscard]] virtual bloomery::spec spec() const = 0;
    [[nodiscard]] virtual design made_for() const = 0;
    [[nodiscard]] virtual statistics stats() const = 0;
    [[nodiscard]] virtual double fpp_at(items n) const = 0;
    [[nodiscard]] virtual std::span<const std::uint64_t> words() const = 0;
    [[nodiscard]] virtual saved_words saved() const = 0;
    [[nodiscard]] virtual std::uint64_t byte_count() const = 0;
    [[nodiscard]] virtual std::vector<fact> facts() const = 0;
    [[nodiscard]] virtual std::optional<hash::sip_key> secret() const = 0;
};

} // namespace bloomery::detail
