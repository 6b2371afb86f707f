// Exact answers for a closed universe of keys, from Bloom filters that mend each other (Larisch et
// al. 2017).
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/basic_filter.hpp>
#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest_of.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/hash/part.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/storage/bitmap.hpp>

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
    using digest_type = digest128;

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
    template <key_for<native_hash> Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    /// The same, by the names that all kinds have: what any_filter calls.
    template <class Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return contains(digest(key));
    }
    void may_contain_many(std::span<const digest128> keys, bitmap& maybe) const;

    [[nodiscard]] std::size_t level_count() const noexcept { return levels_.size(); }
    /// How many different keys it stores, and how many others it was told of, repeated ones as
    /// often as they came.
    [[nodiscard]] std::uint64_t stored_count() const noexcept { return stored_; }
    [[nodiscard]] std::uint64_t other_count() const noexcept { return others_; }
    /// The bits of all levels. O(levels).
    [[nodiscard]] std::uint64_t bit_count() const noexcept;
    [[nodiscard]] std::uint64_t byte_count() const noexcept;
    [[nodiscard]] const native_hash& hash() const noexcept { return hash_; }
    [[nodiscard]] std::vector<fact> facts() const;

    /// Its shape has the bits of all levels and the probes of the first, or one of each if there is
    /// no level; its parameters are the two numbers of keys.
    [[nodiscard]] bloomery::spec spec() const noexcept;
    [[nodiscard]] design made_for() const noexcept { return {stored_, 0}; }
    /// Its items are counted, and its rate, which is that of its universe, is 0. O(words).
    [[nodiscard]] statistics stats() const;
    [[nodiscard]] static double fpp_at(items /*n*/) noexcept { return 0; }

    /// Number of levels and, of each, bits and probes; then their words.
    [[nodiscard]] saved_words saved() const;
    /// The cascade of saved words, with its spec and the hash that it was built with. O(words).
    /// Throws bad_data for what no cascade saved, bad_argument for another hash or key,
    /// memory_refused.
    [[nodiscard]] static cascade restored(const bloomery::spec& what, const design& made_for,
                                          const native_hash& hash,
                                          std::span<const std::uint64_t> words);

private:
    friend class cascade_builder;
    using level = basic_filter<layout::classic<>, native_hash>;

    explicit cascade(const native_hash& hash) noexcept : hash_(hash.widened()) {}

    native_hash hash_; ///< wide: two keys of equal digests could never be told apart
    std::vector<level> levels_;
    std::uint64_t stored_ = 0;
    std::uint64_t others_ = 0;
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
    template <key_for<native_hash> Key>
    void store(const Key& key) {
        stored_.push_back(made_.digest(key));
    }
    /// Ends the stored keys; so many others will come, about. Once, before the first of them.
    /// O(stored (k + log stored)). Throws bad_argument, memory_refused.
    void begin_others(items count);
    /// Adds one of the others; false, and nothing changes, for a key that is stored too. O(k), and
    /// O(log stored) where level 1 claims it. Throws bad_argument if the others have not begun,
    /// std::bad_alloc.
    template <key_for<native_hash> Key>
    [[nodiscard]] bool exclude(const Key& key) {
        return exclude(made_.digest(key));
    }
    [[nodiscard]] bool exclude(digest128 key);
    /// The cascade. The builder is spent. Throws bad_argument if the keys cannot be told apart
    /// within the levels allowed.
    [[nodiscard]] cascade finish();

private:
    void add_level(const std::vector<digest128>& keys, rate p);

    cascade made_;
    std::uint32_t most_levels_;
    bool others_began_ = false;
    std::vector<digest128> stored_; ///< in order once the others began, each once
    std::vector<digest128> others_; ///< those that level 1 claims
};

/// The cascade of two ranges of keys. 1.4427 |stored| (log2(|others| / |stored|) + 2.91) bits for
/// fewer stored keys than others. O(keys k). Throws as cascade_builder does, and bad_argument for
/// a key that is in both ranges.
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
            throw bad_argument("a key is among the stored ones and among the others; take it out "
                               "of one of them");
        }
    }
    return builder.finish();
}

} // namespace bloomery
