#include <bloomery/detail/filter/fold.hpp>
#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/sizing.hpp>
#include <bloomery/storage/words.hpp>

#include <algorithm>
#include <vector>

namespace bloomery::inline v0::detail {

namespace {

double rate_of(const plan::shape& of, std::span<const std::uint64_t> words,
               std::uint32_t digest_bits) {
    const double items = statistics_of(of, count_ones(words)).items.items;
    return plan::with_collisions(layout::expected_rate(of, words), items, digest_bits);
}

} // namespace

void fold_words(const plan::shape& of, std::span<const std::uint64_t> words, std::uint64_t factor,
                std::uint64_t* into) {
    if (of.layout == layout_kind::classic) {
        storage::fold_bits(words, factor, into);
    } else {
        storage::fold_blocks(words, words.size() / of.block_count(), factor, into);
    }
}

std::uint64_t largest_fold(const plan::shape& of, std::span<const std::uint64_t> words, rate p,
                           std::uint32_t digest_bits) {
    if (!(p.value > 0 && p.value < 1)) {
        throw bad_argument("a rate is above 0 and below 1; " + plan::percent(p.value) + " is not");
    }
    if (const double now = rate_of(of, words, digest_bits); now > p.value) {
        throw bad_argument("the false-positive rate is " + plan::percent(now) + " already, above " +
                           plan::percent(p.value) +
                           ": the filter cannot be made smaller at that rate");
    }
    const std::vector<std::uint64_t> factors = plan::fold_factors(of);
    // The more blocks become one, the higher is the rate.
    const auto first_above = std::ranges::partition_point(factors, [&](std::uint64_t factor) {
        if (factor == 1) {
            return true;
        }
        const plan::shape small = plan::folded(of, factor);
        if (plan::item_capacity(small, p) == 0) {
            return false; // too small for even one key
        }
        storage::heap_words<> folded(small.byte_count() / 8);
        fold_words(of, words, factor, folded.data());
        return rate_of(small, {folded.data(), folded.word_count()}, digest_bits) <= p.value;
    });
    return *(first_above - 1);
}

} // namespace bloomery::inline v0::detail
