#include <bloomery/error.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>

#include "joint.hpp"
#include "restoring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace bloomery::inline v0 {

namespace {

constexpr std::uint64_t refreshes = 1;
constexpr std::uint64_t overfills = 2;
constexpr std::size_t fixed_words = 7; ///< of the record

void require_window(bool good, const char* fault) { require_sound(good, "window filter", fault); }

void check_window(const window_options& options) {
    if (options.generations != 8 && options.generations != 16) {
        throw bad_argument("a window filter has 8 or 16 generations, not " +
                           std::to_string(options.generations));
    }
    if (options.span == 0 && options.policy == when_crowded::overfill) {
        throw bad_argument("the policy is only for a window of time: give a span of time, or "
                           "leave out the policy");
    }
}

std::uint64_t window_words(const plan::shape& cells, std::uint32_t generations) noexcept {
    const std::uint64_t a_word = 64 / generations;
    return cells.bit_count / a_word + (cells.bit_count % a_word != 0 ? 1 : 0);
}

/// The bit of one generation in every cell of a word.
std::uint64_t lane_bits(std::uint32_t lane, std::uint32_t generations) noexcept {
    std::uint64_t bits = 0;
    for (std::uint32_t at = lane; at < 64; at += generations) {
        bits |= std::uint64_t{1} << at;
    }
    return bits;
}

/// From the cells of each value to those that have at least its bits.
void count_supersets(std::vector<std::uint64_t>& cells) {
    for (std::size_t bit = 1; bit < cells.size(); bit *= 2) {
        for (std::size_t value = 0; value < cells.size(); ++value) {
            if ((value & bit) == 0) {
                cells[value] += cells[value | bit];
            }
        }
    }
}

} // namespace

window_filter::window_filter(items n, rate p, const window_options& options,
                             const native_hash& hash)
    : window_filter([&] {
          check_window(options);
          const design made_for{n.value, p.value};
          const plan::window_plan_t planned = plan::window_plan(n, p, options.generations);
          return window_filter(wide_enough(hash, made_for), made_for, options, planned.positions,
                               planned.items_per_generation);
      }()) {}

window_filter::window_filter(const native_hash& hash, const design& made_for,
                             const window_options& options, const plan::shape& cells,
                             std::uint64_t capacity)
    : key_calls(hash, made_for), options_(options), cell_count_(cells.bit_count),
      hash_count_(cells.hash_count), capacity_(capacity),
      word_shift_(static_cast<std::uint32_t>(std::countr_zero(64 / options.generations))),
      storage_(window_words(cells, options.generations)) {}

void window_filter::clear_lanes(std::uint64_t lanes) noexcept {
    std::uint64_t bits = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        bits |=
            lane_bits(static_cast<std::uint32_t>(std::countr_zero(lanes)), options_.generations);
    }
    for (std::size_t i = 0; i < storage_.word_count(); ++i) {
        storage_.data()[i] &= ~bits;
    }
}

void window_filter::rotate() noexcept {
    if (options_.span != 0) {
        ended_[current_] = now_;
        kept_ = std::min(kept_ + 1, options_.generations - 1);
    }
    current_ = (current_ + 1) % options_.generations;
    clear_lanes(std::uint64_t{1} << current_);
    taken_ = 0;
}

void window_filter::end_generation() noexcept {
    if (kept_ == options_.generations - 1) { // of a window of keys, none are kept
        if (options_.policy == when_crowded::overfill) {
            return;
        }
        ++early_;
    }
    rotate();
}

void window_filter::forget(std::uint64_t now) noexcept {
    std::uint64_t lanes = 0;
    for (; kept_ != 0 && now - ended_[oldest()] > options_.span; --kept_) {
        lanes |= std::uint64_t{1} << oldest();
    }
    if (lanes != 0) {
        clear_lanes(lanes);
    }
}

std::uint64_t window_filter::step() const noexcept {
    const std::uint64_t steps = options_.generations - 1;
    return options_.span / steps + (options_.span % steps != 0 ? 1 : 0);
}

void window_filter::advance(std::uint64_t now) noexcept {
    if (options_.span == 0) {
        return;
    }
    if (!started_) {
        started_ = true;
        now_ = began_ = now;
        ended_.fill(now); // what came before has no other time
        return;
    }
    if (now <= now_) {
        return;
    }
    forget(now);
    if (taken_ != 0 && now - began_ >= step()) {
        end_generation(); // at the time before, which is when its last key came
    }
    now_ = now;
    forget(now);
}

void window_filter::clear() noexcept {
    std::fill_n(storage_.data(), storage_.word_count(), std::uint64_t{0});
    taken_ = 0;
    early_ = 0;
    kept_ = 0;
}

spec window_filter::spec() const noexcept {
    const std::uint64_t flags = (options_.refresh ? refreshes : 0) |
                                (options_.policy == when_crowded::overfill ? overfills : 0);
    return spec_of(filter_kind::window, cells(),
                   {options_.generations, capacity_, options_.span, flags});
}

std::vector<std::uint64_t> window_filter::histogram() const {
    std::vector<std::uint64_t> cells(std::size_t{1} << options_.generations);
    for (std::uint64_t at = 0; at < cell_count_; ++at) {
        ++cells[storage_.data()[at >> word_shift_] >> start_of(at) & (cells.size() - 1)];
    }
    return cells;
}

statistics window_filter::stats() const {
    std::vector<std::uint64_t> cells = histogram();
    statistics now = statistics_of(this->cells(), cell_count_ - cells[0]);
    // An absent key errs if its cells share a generation: inclusion and exclusion over the sets of
    // generations, of which k cells have all with the chance that one has, to the power of k.
    count_supersets(cells);
    double any = 0;
    for (std::size_t set = 1; set < cells.size(); ++set) {
        if (cells[set] != 0) {
            const double all = std::pow(
                static_cast<double>(cells[set]) / static_cast<double>(cell_count_), hash_count_);
            any += std::popcount(set) % 2 != 0 ? all : -all;
        }
    }
    now.expected_rate = std::clamp(any, 0.0, 1.0);
    now.unit = place_unit::cell;
    now.unit_bits = options_.generations;
    return now;
}

double window_filter::rate_at(items n) const {
    if (cell_count_ == 0) {
        return 0;
    }
    const std::uint64_t lanes = options_.generations;
    joint_rate all;
    const auto add = [&](std::uint64_t keys, std::uint64_t times) {
        const double one = plan::expected_rate(cells(), items{keys});
        for (std::uint64_t i = 0; i < times; ++i) {
            all.add(one);
        }
    };
    if (options_.policy == when_crowded::overfill) {
        add(n.value / lanes, lanes - n.value % lanes);
        add(n.value / lanes + 1, n.value % lanes);
    } else if (n.value >= capacity_ && n.value / capacity_ >= lanes) {
        add(capacity_, lanes);
    } else {
        add(capacity_, n.value / capacity_);
        add(n.value % capacity_, 1);
    }
    return all.value();
}

std::vector<fact> window_filter::facts() const {
    std::vector<fact> known{{"generations", std::to_string(options_.generations)},
                            {"keys per generation", std::to_string(capacity_)},
                            {"keys in the newest", std::to_string(taken_)},
                            {"refresh", options_.refresh ? "yes" : "no"}};
    if (options_.span != 0) {
        known.push_back({"span", std::to_string(options_.span)});
        known.push_back({"generations forgotten early", std::to_string(early_)});
    }
    return known;
}

saved_words window_filter::saved() const {
    saved_words all{{current_, taken_, began_, now_, started_ ? 1U : 0U, early_, kept_},
                    {{storage_.data(), storage_.word_count()}}};
    for (std::uint32_t i = 0; i < kept_; ++i) {
        all.record.push_back(ended_[(oldest() + i) % options_.generations]);
    }
    return all;
}

void window_filter::restore_record(std::span<const std::uint64_t> record) {
    const bool timed = options_.span != 0;
    require_window(record[0] < options_.generations, "its newest generation does not exist");
    require_window(record[1] < capacity_ || (timed && record[1] == capacity_) ||
                       options_.policy == when_crowded::overfill,
                   "a generation has more keys than fit into it");
    require_window(record[4] <= (timed ? 1 : 0) &&
                       (record[4] != 0 || (record[2] | record[3]) == 0) && record[2] <= record[3],
                   "its clock is wrong");
    require_window(record[5] == 0 || (timed && options_.policy == when_crowded::shorten),
                   "it cannot have lost generations early");
    current_ = static_cast<std::uint32_t>(record[0]);
    taken_ = record[1];
    began_ = record[2];
    now_ = record[3];
    started_ = record[4] != 0;
    early_ = record[5];
    kept_ = static_cast<std::uint32_t>(record[6]);
    for (std::uint32_t i = 0; i < kept_; ++i) {
        const std::uint64_t ended = record[fixed_words + i];
        require_window(ended <= now_ && (i == 0 || ended >= record[fixed_words + i - 1]),
                       "its generations are out of order");
        ended_[(oldest() + i) % options_.generations] = ended;
    }
}

window_filter window_filter::restored(const bloomery::spec& what, const design& made_for,
                                      const native_hash& hash,
                                      std::span<const std::uint64_t> words) {
    const kind_parameters& given = what.parameters;
    if (given[0] == 32 || given[0] == 64 || given[3] > (refreshes | overfills) ||
        std::ranges::any_of(std::span(given).subspan(4), [](auto one) { return one != 0; })) {
        throw unsupported("this window filter was made by a newer version; update bloomery");
    }
    const bool overfilled = (given[3] & overfills) != 0;
    require_window(what.shape.layout == layout_kind::classic && what.shape.bit_count != 0 &&
                       what.shape.bit_count <= plan::max_bit_count && what.shape.hash_count != 0 &&
                       what.shape.hash_count <= plan::max_hash_count,
                   "its shape is impossible");
    require_window((given[0] == 8 || given[0] == 16) && given[1] != 0 &&
                       (given[2] != 0 || !overfilled),
                   "its parameters are out of range");
    const window_options options{static_cast<std::uint32_t>(given[0]), given[2],
                                 (given[3] & refreshes) != 0,
                                 overfilled ? when_crowded::overfill : when_crowded::shorten};
    require_window(words.size() >= fixed_words &&
                       words[6] < (options.span != 0 ? options.generations : 1U) &&
                       words.size() - fixed_words >= words[6],
                   "its length is wrong");
    const std::span record = words.first(fixed_words + static_cast<std::size_t>(words[6]));
    const std::span cells = words.subspan(record.size());
    require_window(cells.size() == window_words(what.shape, options.generations),
                   "its length is wrong");

    window_filter made(hash, made_for, options, what.shape, given[1]);
    made.restore_record(record);
    std::ranges::copy(cells, made.storage_.data());
    const std::uint32_t used = made.start_of(what.shape.bit_count);
    require_window(used == 0 || cells.back() >> used == 0, "a cell past the end is in use");
    std::vector<std::uint64_t> ones(options.generations);
    for (const std::uint64_t word : cells) {
        for (std::uint32_t lane = 0; lane < options.generations; ++lane) {
            ones[lane] += static_cast<std::uint64_t>(
                std::popcount(word & lane_bits(lane, options.generations)));
        }
    }
    const std::uint64_t newest = ones[made.current_];
    require_window(made.taken_ <= newest && newest <= made.taken_ * what.shape.hash_count &&
                       made.spec() == what,
                   "its cells do not match its number of keys");
    for (std::uint32_t i = 1; options.span != 0 && i < options.generations - made.kept_; ++i) {
        require_window(ones[(made.current_ + i) % options.generations] == 0,
                       "a generation that was forgotten has keys");
    }
    return made;
}

bool operator==(const window_filter& a, const window_filter& b) {
    return a.spec() == b.spec() && same_words(a.saved(), b.saved());
}

} // namespace bloomery::inline v0
