#include <bloomery/error.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/plan/sizing.hpp>

#include "restoring.hpp"

#include <algorithm>
#include <numbers>
#include <string>

namespace bloomery {

namespace {

constexpr std::uint32_t most_levels_ever = 64;
constexpr std::size_t cascade_record_words = 3;

void require_cascade(bool good, const char* fault) { require_sound(good, "cascade", fault); }

} // namespace

std::uint64_t cascade::bit_count() const noexcept {
    std::uint64_t sum = 0;
    for (const level& one : levels_) {
        sum += one.bit_count();
    }
    return sum;
}

std::uint64_t cascade::byte_count() const noexcept {
    std::uint64_t sum = 0;
    for (const level& one : levels_) {
        sum += one.byte_count();
    }
    return sum;
}

std::vector<fact> cascade::facts() const {
    return {{"levels", std::to_string(level_count())}, {"bits", std::to_string(bit_count())}};
}

saved_words cascade::saved() const {
    saved_words all;
    all.record = {static_cast<std::uint64_t>(hash_.id()), hash_.seed(), levels_.size()};
    for (const level& one : levels_) {
        all.record.insert(all.record.end(), {one.bit_count(), one.hash_count()});
        all.arrays.push_back(one.words());
    }
    return all;
}

cascade cascade::restored(const native_hash& hash, std::span<const std::uint64_t> words) {
    require_cascade(words.size() >= cascade_record_words && words[2] <= most_levels_ever &&
                        (words.size() - cascade_record_words) / 2 >= words[2],
                    "its number of levels is wrong");
    cascade made(hash);
    if (words[0] != static_cast<std::uint64_t>(made.hash_.id()) || words[1] != made.hash_.seed()) {
        throw bad_argument("the cascade was built with another hash, seed or key; give that one");
    }
    const std::size_t count = words[2];
    std::span<const std::uint64_t> record = words.subspan(cascade_record_words, 2 * count);
    std::span<const std::uint64_t> left = words.subspan(cascade_record_words + 2 * count);
    for (; !record.empty(); record = record.subspan(2)) {
        require_cascade(record[0] != 0 && record[0] <= plan::max_bit_count && record[1] != 0 &&
                            record[1] <= plan::max_hash_count,
                        "the shape of a level is impossible");
        const layout::classic<> shape(bits{record[0]},
                                      hashes{static_cast<std::uint32_t>(record[1])});
        require_cascade(shape.word_count() <= left.size(), "it ends early");
        storage::heap_words<> copy(shape.word_count());
        std::ranges::copy(left.first(copy.word_count()), copy.data());
        left = left.subspan(copy.word_count());
        try {
            made.levels_.emplace_back(shape, std::move(copy), made.hash_);
        } catch (const bad_argument& fault) {
            require_cascade(false, fault.what());
        }
    }
    require_cascade(left.empty(), "more follows its last level");
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
        throw bad_argument("the keys cannot be told apart in " + std::to_string(most_levels_) +
                           " levels: is one of them both stored and not?");
    }
    cascade::level& made =
        made_.levels_.emplace_back(plan::for_rate(items{keys.size()}, p), made_.hash_, design{});
    for (const digest128 key : keys) {
        made.insert(hash::digest_for_part(key, at));
    }
}

void cascade_builder::begin_others(items count) {
    if (!made_.levels_.empty()) {
        throw bad_argument("the stored keys of a cascade have ended; begin the others once");
    }
    if (stored_.empty()) {
        return;
    }
    // With this rate level 2 has the size that makes the sum of all levels the least.
    const double ratio = static_cast<double>(stored_.size()) / static_cast<double>(count.value);
    add_level(stored_, rate{std::min(0.5, ratio / std::numbers::sqrt2)});
}

cascade cascade_builder::finish() {
    if (made_.levels_.empty()) {
        begin_others(items{0}); // there are none
    }
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

} // namespace bloomery
