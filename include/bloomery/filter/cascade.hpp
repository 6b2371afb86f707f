// Exact answers for a closed universe of keys, from Bloom filters that mend each other (Larisch et
// al. 2017).
#pragma once

#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/hash/digest_of.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/hash/part.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/plan/quantity.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace bloomery {

/// Tells the stored keys of a universe from all its other keys without an error. Level 1 holds the
/// stored keys; level 2 the others that level 1 falsely claims; level 3 the stored ones that level
/// 2 falsely claims; and so on, until none is left. Of a key outside of the universe it says
/// anything. Cannot be changed. Threads: any number at once.
class cascade {
public:
    /// Whether a key of the universe is stored. O(levels k), two levels for most keys.
    template <key Key>
    [[nodiscard]] bool contains(const Key& key) const {
        return contains(digest(key));
    }
    [[nodiscard]] bool contains(digest128 key) const noexcept {
        for (std::size_t at = 0; at < levels_.size(); ++at) {
            if (!levels_[at].may_contain(hash::digest_for_part(key, at))) {
                return at % 2 == 1;
            }
        }
        return levels_.size() % 2 == 1;
    }
    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    [[nodiscard]] std::size_t level_count() const noexcept { return levels_.size(); }
    /// The bits of all levels. O(levels).
    [[nodiscard]] std::uint64_t bit_count() const noexcept;
    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] const native_hash& hash() const noexcept { return hash_; }
    [[nodiscard]] std::vector<fact> facts() const;

    /// Hash, seed, number of levels and, of each, bits and probes; then their words.
    [[nodiscard]] saved_words saved() const;
    /// The cascade of saved words, with the hash that it was built with. O(words). Throws bad_data
    /// for what no cascade saved, bad_argument for another hash or key, memory_refused.
    [[nodiscard]] static cascade restored(const native_hash& hash,
                                          std::span<const std::uint64_t> words);

private:
    friend class cascade_builder;
    using level = basic_filter<layout::classic<>, native_hash>;

    explicit cascade(const native_hash& hash) noexcept : hash_(hash.widened()) {}

    native_hash hash_; ///< wide: two keys of equal digests could never be told apart
    std::vector<level> levels_;
};

/// How a cascade is built.
struct cascade_options {
    native_hash hash{};
    std::uint32_t most_levels = 64; ///< 1..64; two for each halving of the stored keys
};

/// Builds a cascade from the stored keys, then all others, one after another. Holds the digests of
/// the stored keys and of those others that level 1 claims.
class cascade_builder {
public:
    /// Throws bad_argument for options out of range.
    explicit cascade_builder(const cascade_options& options = {});

    /// Adds a stored key. Throws std::bad_alloc.
    template <class Key>
    void store(const Key& key) {
        stored_.push_back(made_.digest(key));
    }
    /// Ends the stored keys; so many others will come, about. Once, before the first of them.
    /// O(stored k). Throws bad_argument, memory_refused.
    void begin_others(items count);
    /// Adds one of the others. O(k). Throws std::bad_alloc.
    template <class Key>
    void exclude(const Key& key) {
        const digest128 hashed = made_.digest(key);
        if (!made_.levels_.empty() && made_.levels_.front().may_contain(hashed)) {
            others_.push_back(hashed);
        }
    }
    /// The cascade. The builder is spent. Throws bad_argument if the keys cannot be told apart
    /// within the levels allowed, because one of them is among both.
    [[nodiscard]] cascade finish();

private:
    void add_level(const std::vector<digest128>& keys, rate p);

    cascade made_;
    std::uint32_t most_levels_;
    std::vector<digest128> stored_;
    std::vector<digest128> others_;
};

/// The cascade of two ranges of keys. 1.4427 |stored| (log2(|others| / |stored|) + 2.91) bits for
/// fewer stored keys than others. O(keys k). Throws as cascade_builder does.
template <std::ranges::input_range Stored, std::ranges::sized_range Others>
[[nodiscard]] cascade build_cascade(Stored&& stored, Others&& others,
                                    const cascade_options& options = {}) {
    cascade_builder builder(options);
    for (const std::ranges::range_value_t<Stored>& key : stored) {
        builder.store(key);
    }
    builder.begin_others(items{std::ranges::size(others)});
    for (const std::ranges::range_value_t<Others>& key : others) {
        builder.exclude(key);
    }
    return builder.finish();
}

} // namespace bloomery
