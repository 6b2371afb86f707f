#include <bloomery/error.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/plan/family.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace bloomery::inline v0 {
namespace {

constexpr std::uint32_t line_bits = 512;
constexpr std::uint32_t dense_bits = 2048;

plan::accurate_plan_t planned_accurate(rate p, const accurate_options& options) {
    if (options.block_bits != line_bits && options.block_bits != dense_bits) {
        throw bad_argument("the blocks of an accurate filter have 512 or 2048 bits, not " +
                           std::to_string(options.block_bits));
    }
    return plan::accurate_plan(p, options.block_bits, options.chosen_freeze());
}

} // namespace

accurate_filter::accurate_filter(std::uint64_t blocks, const detail::accurate_cut& cut,
                                 const native_hash& hash, const design& made_for)
    : key_calls(hash, made_for), blocks_(blocks), cut_(cut), verbs_(&detail::verbs_for(cut)),
      storage_(blocks * cut.block_words) {}

accurate_filter::accurate_filter(items n, rate p, const accurate_options& options,
                                 const native_hash& hash)
    : accurate_filter([&] {
          const design made_for{n.value, p.value};
          const plan::accurate_plan_t made = planned_accurate(p, options);
          return accurate_filter(plan::accurate_blocks(n, made),
                                 {made.block_bits / 64, made.first_level_bits, made.hash_count},
                                 wide_enough(hash, made_for), made_for);
      }()) {}

std::uint64_t accurate_filter::count(digest128 key) const noexcept {
    const std::uint64_t* const block = block_of(key);
    std::uint64_t least = cut_.most() + 1;
    each_place(key, [&](std::uint32_t /*i*/, std::uint64_t at) {
        least = std::min<std::uint64_t>(
            least, detail::counter_at(block, cut_, static_cast<std::uint32_t>(at)));
    });
    return least;
}

void accurate_filter::merge(const accurate_filter& other) {
    detail::require_compatible(compatible_with(other), "merged");
    std::vector<std::uint32_t> mine(cut_.places);
    std::vector<std::uint32_t> theirs(cut_.places);
    for (std::uint64_t i = 0; i < blocks_; ++i) {
        std::uint64_t* const into = storage_.data() + i * cut_.block_words;
        const std::uint64_t* const from = other.storage_.data() + i * cut_.block_words;
        const bool frozen = detail::is_frozen(into, cut_) || detail::is_frozen(from, cut_);
        detail::read_counters(into, cut_, mine);
        detail::read_counters(from, cut_, theirs);
        std::ranges::transform(mine, theirs, mine.begin(), std::plus{});
        detail::write_counters(into, cut_, mine);
        if (frozen) {
            detail::freeze(into, cut_);
        }
    }
}

void accurate_filter::clear() noexcept {
    std::fill_n(storage_.data(), storage_.word_count(), std::uint64_t{0});
}

std::uint64_t accurate_filter::frozen_blocks() const noexcept {
    std::uint64_t found = 0;
    each_block(
        [&](const std::uint64_t* block) { found += detail::is_frozen(block, cut_) ? 1U : 0U; });
    return found;
}

bloomery::spec accurate_filter::spec() const noexcept {
    return spec_of(filter_kind::accurate,
                   {layout_kind::classic, blocks_ * cut_.places, cut_.hash_count},
                   {block_bits(), cut_.places});
}

statistics accurate_filter::stats() const {
    if (blocks_ == 0) {
        return {};
    }
    statistics now;
    now.unit = place_unit::first_level_bit;
    now.bit_count = blocks_ * cut_.places;
    double rates = 0;
    each_block([&](const std::uint64_t* block) {
        const std::uint32_t ones = detail::first_level_ones(block, cut_);
        now.bits_set += ones;
        rates += std::pow(static_cast<double>(ones) / cut_.places, cut_.hash_count);
    });
    now.fill_ratio = static_cast<double>(now.bits_set) / static_cast<double>(now.bit_count);
    now.expected_rate = rates / static_cast<double>(blocks_);
    now.items = plan::accurate_items(blocks_, cut_.places, {cut_.hash_count}, now.bits_set);
    return now;
}

double accurate_filter::rate_at(items n) const {
    return blocks_ == 0 ? 0 : plan::accurate_rate(n, blocks_, cut_.places, {cut_.hash_count});
}

std::vector<fact> accurate_filter::facts() const {
    std::uint64_t sum = 0;
    each_block([&](const std::uint64_t* block) { sum += detail::counter_sum(block, cut_); });
    return {{"block bits", std::to_string(block_bits())},
            {"first-level bits", std::to_string(cut_.places)},
            {"blocks", std::to_string(blocks_)},
            {"frozen blocks", std::to_string(frozen_blocks())},
            {"sum of counters", std::to_string(sum)}};
}

saved_words accurate_filter::saved() const {
    saved_words state;
    state.arrays.emplace_back(storage_.data(), storage_.word_count());
    return state;
}

accurate_filter accurate_filter::restored(const bloomery::spec& what, const design& made_for,
                                          const native_hash& hash,
                                          std::span<const std::uint64_t> words) {
    const auto& [block_bits, places, rest0, rest1, rest2, rest3, rest4, rest5] = what.parameters;
    const std::uint32_t k = what.shape.hash_count;
    if (what.kind != filter_kind::accurate || what.shape.layout != layout_kind::classic ||
        what.scheme != layout::scheme_id::native) {
        throw bad_data("this is not an accurate filter");
    }
    if ((block_bits != line_bits && block_bits != dense_bits) ||
        (rest0 | rest1 | rest2 | rest3 | rest4 | rest5) != 0) {
        throw unsupported("this accurate filter has an unknown block size or unknown parameters; "
                          "a newer version of bloomery may read it");
    }
    if (k == 0 || k > detail::most_accurate_hashes || places == 0 ||
        places > block_bits - detail::accurate_cut::header_bits - k ||
        what.shape.bit_count % places != 0) {
        throw bad_data("the blocks are too small for their parameters: the data is damaged");
    }
    const detail::accurate_cut cut{static_cast<std::uint32_t>(block_bits / 64),
                                   static_cast<std::uint32_t>(places), k};
    const std::uint64_t blocks = what.shape.bit_count / places;
    if (blocks == 0 || words.size() % cut.block_words != 0 ||
        words.size() / cut.block_words != blocks) {
        throw bad_data("the number of words does not match the blocks: the data is damaged");
    }
    accurate_filter made(blocks, cut, hash, made_for);
    std::ranges::copy(words, made.storage_.data());
    made.each_block([&](const std::uint64_t* block) {
        if (!detail::is_sound(block, cut)) {
            throw bad_data("the counters of a block are inconsistent: the data is damaged");
        }
    });
    return made;
}

bool operator==(const accurate_filter& a, const accurate_filter& b) {
    return a.spec() == b.spec() &&
           std::equal(a.storage_.data(), a.storage_.data() + a.storage_.word_count(),
                      b.storage_.data());
}

} // namespace bloomery::inline v0
