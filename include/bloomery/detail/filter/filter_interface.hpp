// The virtual calls by which any_filter uses the filter inside.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/any_shared_view.hpp>
#include <bloomery/detail/filter/raw_keys.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace bloomery::inline v0::detail {

/// The verbs of any_filter for keys as bytes, as integers and as digests.
struct BLOOMERY_EXPORT filter_interface {
    using byte_keys = detail::byte_keys;
    using integer_keys = detail::integer_keys;
    using digests = std::span<const digest128>;

    filter_interface() = default;
    filter_interface(const filter_interface&) = delete;
    filter_interface& operator=(const filter_interface&) = delete;
    virtual ~filter_interface() = default;
    [[nodiscard]] virtual std::unique_ptr<filter_interface> clone() const = 0;
    /// The filter inside if it has that type, else null. One type of filter may have several types
    /// of model: one for each kind of processor that a file of the program is compiled for.
    [[nodiscard]] virtual const void* held(const std::type_info& type) const noexcept = 0;
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
    [[nodiscard]] virtual bool may_contain(digest128 hashed) const = 0;
    virtual void insert(byte_view bytes) = 0;
    virtual void insert(std::uint64_t number) = 0;
    virtual void insert(digest128 hashed) = 0;
    [[nodiscard]] virtual insertion try_insert(byte_view bytes) = 0;
    [[nodiscard]] virtual insertion try_insert(std::uint64_t number) = 0;
    [[nodiscard]] virtual insertion try_insert(digest128 hashed) = 0;
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
    virtual void erase_many(byte_keys keys, bitmap& erased) = 0;
    virtual void erase_many(integer_keys keys, bitmap& erased) = 0;
    virtual void erase_many(digests keys, bitmap& erased) = 0;

    // Many keys, one after the other, for models that have nothing faster. One function each,
    // however many models there are.
    template <class Keys>
    void insert_each(Keys keys) {
        for (const auto& key : keys) {
            insert(as_taken(key));
        }
    }
    template <class Keys>
    void try_insert_each(Keys keys, bitmap& fresh) {
        fresh.reset(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            fresh.set(i, bool{try_insert(as_taken(keys[i]))});
        }
    }
    template <class Keys>
    void ask_each(Keys keys, bitmap& maybe) const {
        maybe.reset(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            maybe.set(i, may_contain(as_taken(keys[i])));
        }
    }
    template <class Keys>
    void digest_each(Keys keys, std::vector<digest128>& into) const {
        into.clear();
        for (const auto& key : keys) {
            into.push_back(digest(as_taken(key)));
        }
    }

    /// A key of a span as the calls for one key take it.
    static byte_view as_taken(std::string_view key) noexcept { return bytes_of(key); }
    static std::uint64_t as_taken(std::uint64_t key) noexcept { return key; }
    static digest128 as_taken(digest128 key) noexcept { return key; }

    [[nodiscard]] virtual compatibility compatible_with(const filter_interface& other) const = 0;
    virtual void merge(const filter_interface& other) = 0;
    virtual void intersect(const filter_interface& other) = 0;
    virtual void fold(rate p) = 0;
    virtual void clear() = 0;
    [[nodiscard]] virtual bool equals(const filter_interface& other) const = 0;
    [[nodiscard]] virtual bool can_share() const noexcept = 0;
    [[nodiscard]] virtual std::shared_ptr<const shared_interface> shared() = 0;
    virtual void sync() = 0;
    [[nodiscard]] virtual bloomery::spec spec() const = 0;
    [[nodiscard]] virtual design made_for() const = 0;
    [[nodiscard]] virtual statistics stats() const = 0;
    [[nodiscard]] virtual double rate_at(items n) const = 0;
    [[nodiscard]] virtual bool has_words() const noexcept = 0;
    [[nodiscard]] virtual std::span<const std::uint64_t> words() const = 0;
    [[nodiscard]] virtual saved_words saved() const = 0;
    [[nodiscard]] virtual std::uint64_t byte_count() const = 0;
    [[nodiscard]] virtual std::vector<fact> facts() const = 0;
    [[nodiscard]] virtual std::optional<hash::sip_key> secret() const = 0;
};

} // namespace bloomery::inline v0::detail
