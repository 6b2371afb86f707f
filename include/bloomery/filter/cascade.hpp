// Exact answers for a closed universe of keys, from Bloom filters that correct each other (Larisch
// et al. 2017).
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/derived_calls.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

/// Separates the stored keys of a universe from all its other keys without errors. Level 1 holds
/// the stored keys; level 2 the others that level 1 falsely claims; level 3 the stored ones that
/// level 2 falsely claims; and so on, until none is left. Its answers for keys outside the universe
/// mean nothing. It cannot be changed. Threads: any number at once.
class BLOOMERY_EXPORT cascade : public detail::derived_calls<cascade> {
public:
    using detail::derived_calls<cascade>::may_contain_many;
    using digest_type = digest128;

    /// Whether a key of the universe is stored. O(levels k), two levels for most keys.
    template <key Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool contains(const Key& key) const {
        return contains(digest(key));
    }
    [[nodiscard]] BLOOMERY_OWN_COPY bool contains(digest128 key) const noexcept {
        for (std::size_t at = 0; at < levels_.size(); ++at) {
            if (!levels_[at].may_contain(hash::digest_for_part(key, at))) {
                return at % 2 == 1;
            }
        }
        return levels_.size() % 2 == 1;
    }
    template <key_for<native_hash> Key>
    [[nodiscard]] BLOOMERY_OWN_COPY digest128 digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    /// The common names of these calls, which any_filter uses.
    template <class Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool may_contain(const Key& key) const {
        return contains(digest(key));
    }
    void may_contain_many(std::span<const digest128> keys, bitmap& maybe) const;
    template <keys_for<native_hash> Keys>
        requires(!std::convertible_to<Keys, std::span<const digest128>>)
    BLOOMERY_OWN_COPY void may_contain_many(Keys&& keys, bitmap& maybe) const {
        std::vector<digest128> hashed;
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            hashed.push_back(digest(key));
        }
        may_contain_many(std::span<const digest128>(hashed), maybe);
    }

    [[nodiscard]] std::size_t level_count() const noexcept { return levels_.size(); }
    /// The number of distinct stored keys, and the number of others that it was built with,
    /// counting repeated ones each time.
    [[nodiscard]] std::uint64_t stored_count() const noexcept { return stored_; }
    [[nodiscard]] std::uint64_t other_count() const noexcept { return others_; }
    /// The total number of bits of all levels. O(levels).
    [[nodiscard]] std::uint64_t bit_count() const noexcept;
    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] const native_hash& hash() const noexcept { return hash_; }
    [[nodiscard]] std::vector<fact> facts() const;

    /// Its shape has the bits of all levels and the probes of the first, or one of each if there
    /// are no levels; its parameters are the two numbers of keys.
    [[nodiscard]] bloomery::spec spec() const noexcept;
    [[nodiscard]] design made_for() const noexcept { return {stored_, 0}; }
    /// Its items are exact, and its rate, which is that within its universe, is 0. O(words).
    [[nodiscard]] statistics stats() const;
    [[nodiscard]] static double rate_at(items /*n*/) noexcept { return 0; }

    /// The number of levels and, for each, its bits and probes; then their words.
    [[nodiscard]] saved_words saved() const;
    /// Restores a cascade from saved words, with its spec and the hash that it was built with.
    /// O(words). Throws bad_data for words that no cascade saved, bad_argument for another hash or
    /// key, memory_refused.
    [[nodiscard]] static cascade restored(const bloomery::spec& what, const design& made_for,
                                          const native_hash& hash,
                                          std::span<const std::uint64_t> words);

    /// Equal specs, hashes and levels. O(words).
    friend bool operator==(const cascade& a, const cascade& b) {
        return a.hash_ == b.hash_ && a.spec() == b.spec() && a.levels_ == b.levels_;
    }

private:
    friend class cascade_builder;
    using level = basic_filter<layout::classic<>, native_hash>;

    explicit cascade(const native_hash& hash) noexcept : hash_(hash.widened()) {}

    native_hash hash_; ///< wide: two keys with equal digests could not be separated
    std::vector<level> levels_;
    std::uint64_t stored_ = 0;
    std::uint64_t others_ = 0;
};

/// Options for building a cascade.
struct cascade_options {
    native_hash hash{};
    std::uint32_t most_levels = 64; ///< 1..64; two for each halving of the stored keys
};

/// Builds a cascade from the stored keys, then from all others, one at a time. Holds the digests of
/// the stored keys and of the others that are false positives of level 1.
class BLOOMERY_EXPORT cascade_builder {
public:
    /// Throws bad_argument for options out of range.
    explicit cascade_builder(const cascade_options& options = {});

    /// Adds a stored key. Throws std::bad_alloc.
    template <key_for<native_hash> Key>
    BLOOMERY_OWN_COPY void store(const Key& key) {
        stored_.push_back(made_.digest(key));
    }
    /// Ends the stored keys and announces about how many others follow. Call it once, before the
    /// first of them. O(stored (k + log stored)). Throws bad_argument, memory_refused.
    void begin_others(items count);
    /// Adds one of the other keys. Returns false and changes nothing if the key is also stored.
    /// O(k), plus O(log stored) if it is a false positive of level 1. Throws bad_argument before
    /// the others were announced, and std::bad_alloc.
    template <key_for<native_hash> Key>
    [[nodiscard]] BLOOMERY_OWN_COPY bool exclude(const Key& key) {
        return exclude(made_.digest(key));
    }
    [[nodiscard]] bool exclude(digest128 key);
    /// Returns the cascade; the builder must not be used afterwards. Throws bad_argument if the
    /// keys cannot be separated within the allowed levels.
    [[nodiscard]] cascade finish();

private:
    void add_level(const std::vector<digest128>& keys, rate p);

    cascade made_;
    std::uint32_t most_levels_;
    bool others_began_ = false;
    std::vector<digest128> stored_; ///< sorted and unique once the others began
    std::vector<digest128> others_; ///< false positives of level 1
};

/// Builds a cascade from two ranges of keys. Takes 1.4427 |stored| (log2(|others| / |stored|) +
/// 2.91) bits if there are fewer stored keys than others. O(keys k). Throws as cascade_builder
/// does, and bad_argument for a key that is in both ranges.
template <std::ranges::input_range Stored, std::ranges::sized_range Others>
[[nodiscard]] cascade build_cascade(Stored&& stored, Others&& others,
                                    const cascade_options& options = {}) {
    cascade_builder builder(options);
    for (const std::ranges::range_value_t<Stored>& key : stored) {
        builder.store(key);
    }
    builder.begin_others(items{std::ranges::size(others)});
    for (const std::ranges::range_value_t<Others>& key : others) {
        if (!builder.exclude(key)) {
            throw bad_argument("a key is both stored and among the others; remove it from one of "
                               "them");
        }
    }
    return builder.finish();
}

template <>
inline constexpr bool detail::is_compiled<cascade> = true;

} // namespace bloomery::inline v0
