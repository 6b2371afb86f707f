#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/plan/sizing.hpp>

#include "restoring.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>

namespace bloomery::inline v0 {

namespace {

constexpr std::uint32_t most_levels_ever = 64;
constexpr std::size_t cascade_record_words = 1;

void require_cascade(bool good, const char* fault) { require_sound(good, "cascade", fault); }

void sort_and_drop_repeats(std::vector<digest128>& keys) {
    std::ranges::sort(keys);
    const auto repeats = std::ranges::unique(keys);
    keys.erase(repeats.begin(), repeats.end());
}

} // namespace

std::uint64_t cascade::bit_count() const noexcept {
    return std::transform_reduce(levels_.begin(), levels_.end(), std::uint64_t{0}, std::plus{},
                                 [](const level& one) { return one.bit_count(); });
}

std::uint64_t cascade::byte_count() const noexcept {
    return std::transform_reduce(levels_.begin(), levels_.end(), std::uint64_t{0}, std::plus{},
                                 [](const level& one) { return one.byte_count(); });
}

std::vector<fact> cascade::facts() const {
    return {{"levels", std::to_string(level_count())},
            {"bits", std::to_string(bit_count())},
            {"stored keys", std::to_string(stored_count())},
            {"other keys", std::to_string(other_count())}};
}

void cascade::may_contain_many(std::span<const digest128> keys, bitmap& maybe) const {
    maybe.reset(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        maybe.set(i, contains(keys[i]));
    }
}

spec cascade::spec() const noexcept {
    const std::uint32_t probes = levels_.empty() ? 1 : levels_.front().hash_count();
    return {filter_kind::cascade,
            layout::scheme_id::native,
            hash_.id(),
            hash_.seed(),
            plan::shape{layout_kind::classic, std::max<std::uint64_t>(1, bit_count()), probes},
            {stored_, others_}};
}

statistics cascade::stats() const {
    statistics now;
    now.bit_count = bit_count();
    for (const level& one : levels_) {
        now.bits_set += count_ones(one.words());
    }
    if (now.bit_count != 0) {
        now.fill_ratio = static_cast<double>(now.bits_set) / static_cast<double>(now.bit_count);
    }
    now.items = {static_cast<double>(stored_), 0, false};
    return now;
}

saved_words cascade::saved() const {
    saved_words all;
    all.record = {levels_.size()};
    for (const level& one : levels_) {
        all.record.insert(all.record.end(), {one.bit_count(), one.hash_count()});
        all.arrays.push_back(one.words());
    }
    return all;
}

cascade cascade::restored(const bloomery::spec& what, const design& /*made_for*/,
                          const native_hash& hash, std::span<const std::uint64_t> words) {
    require_cascade(words.size() >= cascade_record_words && words[0] <= most_levels_ever &&
                        (words.size() - cascade_record_words) / 2 >= words[0],
                    "its number of levels is wrong");
    if (what.seed != hash.seed() || hash::is_keyed(what.hash) != hash::is_keyed(hash.id())) {
        throw bad_argument("the cascade was built with a different hash, seed or key; use that "
                           "one");
    }
    cascade made(hash);
    made.stored_ = what.parameters[0];
    made.others_ = what.parameters[1];
    const std::size_t count = words[0];
    std::span<const std::uint64_t> record = words.subspan(cascade_record_words, 2 * count);
    std::span<const std::uint64_t> left = words.subspan(cascade_record_words + 2 * count);
    for (; !record.empty(); record = record.subspan(2)) {
        require_cascade(record[0] != 0 && record[0] <= plan::max_bit_count && record[1] != 0 &&
                            record[1] <= plan::max_hash_count,
                        "the shape of a level is impossible");
        const layout::classic<> shape(bits{record[0]},
                                      hashes{static_cast<std::uint32_t>(record[1])});
        require_cascade(shape.word_count() <= left.size(), "it is truncated");
        storage::heap_words<> copy(shape.word_count());
        std::ranges::copy(left.first(copy.word_count()), copy.data());
        left = left.subspan(copy.word_count());
        try {
            made.levels_.emplace_back(shape, std::move(copy), made.hash_);
        } catch (const bad_argument& fault) {
            require_cascade(false, fault.what());
        }
    }
    require_cascade(left.empty(), "there is data after its last level");
    require_cascade(made.spec() == what, "its header describes a different one");
    require_cascade((count == 0) == (made.stored_ == 0), "its number of keys is wrong");
    return made;
}

cascade_builder::cascade_builder(const cascade_options& options)
    : made_(options.hash), most_levels_(options.most_levels) {
    if (most_levels_ == 0 || most_levels_ > most_levels_ever) {
        throw bad_argument("a cascade has between 1 and 64 levels");
    }
}

void cascade_builder::add_level(const std::vector<digest128>& keys, rate p) {
    const std::size_t at = made_.levels_.size();
    if (at == most_levels_) {
        throw bad_argument("the keys cannot be separated in " + std::to_string(most_levels_) +
                           " levels; allow more");
    }
    cascade::level& made =
        made_.levels_.emplace_back(plan::for_rate(items{keys.size()}, p), made_.hash_, design{});
    for (const digest128 key : keys) {
        made.insert(hash::digest_for_part(key, at));
    }
}

void cascade_builder::begin_others(items count) {
    if (others_began_) {
        throw bad_argument("begin_others was already called; call it once");
    }
    others_began_ = true;
    sort_and_drop_repeats(stored_);
    made_.stored_ = stored_.size();
    if (stored_.empty()) {
        return;
    }
    // With this rate, level 2 has the size that minimises the sum of all levels.
    const double ratio = static_cast<double>(stored_.size()) / static_cast<double>(count.value);
    add_level(stored_, rate{std::min(0.5, ratio / std::numbers::sqrt2)});
}

bool cascade_builder::exclude(digest128 key) {
    if (!others_began_) {
        throw bad_argument("call begin_others before the first key that is not stored");
    }
    if (!made_.levels_.empty() && made_.levels_.front().may_contain(key)) {
        if (std::ranges::binary_search(stored_, key)) {
            return false;
        }
        others_.push_back(key);
    }
    ++made_.others_;
    return true;
}

cascade cascade_builder::finish() {
    if (!others_began_) {
        begin_others(items{0}); // there are none
    }
    sort_and_drop_repeats(others_);
    // `included` are those that the next level must claim, `excluded` those of the level before.
    std::vector<digest128> included = std::move(others_);
    std::vector<digest128> excluded = std::move(stored_);
    while (!included.empty()) {
        add_level(included, rate{0.5});
        const std::size_t at = made_.levels_.size() - 1;
        std::erase_if(excluded, [&](digest128 key) {
            return !made_.levels_[at].may_contain(hash::digest_for_part(key, at));
        });
        std::swap(included, excluded);
    }
    return std::move(made_);
}

} // namespace bloomery::inline v0
