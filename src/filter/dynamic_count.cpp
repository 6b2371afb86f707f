#include <bloomery/error.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "restoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace bloomery::inline v0 {

namespace {

using dynamic_counters = storage::dynamic_counters<>;

storage::dynamic_width width_of(items n, rate p, const dynamic_count_options& options) {
    if (!(options.mean_count >= 1 && options.mean_count <= 0x1p64)) {
        throw bad_argument("the mean count must be between 1 and 2^64, because every key is "
                           "added at least once; give one such as 10");
    }
    if (options.fixed_bits != 0) {
        return {options.fixed_bits, options.shrink_percent};
    }
    // Beyond 64 the plan has no more to add. The product may not round to below n.
    const double all = std::ceil(static_cast<double>(n.value) * std::min(options.mean_count, 64.0));
    const std::uint64_t occurrences = all < 0x1p64
                                          ? std::max(static_cast<std::uint64_t>(all), n.value)
                                          : std::numeric_limits<std::uint64_t>::max();
    return {plan::dynamic_count_plan(n, p, occurrences, 1).fixed_bits, options.shrink_percent};
}

/// Checks a spec before a filter is made from it.
void check_saved_dynamic(const spec& what) {
    const auto& [fixed, percent, a, b, c, d, e, f] = what.parameters;
    if ((a | b | c | d | e | f) != 0) {
        throw unsupported("this dynamic count filter was made by a newer version; update bloomery");
    }
    constexpr std::uint64_t sane = 1000; // before it is cut to 32 bits
    if (fixed > sane || percent > sane ||
        !dynamic_counters::in_range(
            {static_cast<std::uint32_t>(fixed), static_cast<std::uint32_t>(percent)})) {
        throw bad_data("counters have 1 to 16 fixed bits and shrink at 1 to 100 percent");
    }
    if (what.shape.hash_count == 0 || what.shape.hash_count > plan::max_hash_count ||
        what.shape.bit_count == 0 || what.shape.bit_count > plan::max_bit_count) {
        throw bad_data("a dynamic count filter has between 1 and 2^63 counters, and between 1 "
                       "and 64 of them per key");
    }
}

} // namespace

dynamic_count_filter::dynamic_count_filter(items n, rate p, const dynamic_count_options& options,
                                           const native_hash& hash)
    : calls(wide_enough(hash, {n.value, p.value}), {n.value, p.value}), counters_([&] {
          const plan::shape shape = plan::for_rate(n, p);
          return key_counters<counters_type>({shape.bit_count, width_of(n, p, options)},
                                             {shape.bit_count, {shape.hash_count}});
      }()) {}

dynamic_count_filter::dynamic_count_filter(bits m, hashes k, const dynamic_count_options& options,
                                           const native_hash& hash, const design& made_for)
    : calls(hash, made_for), counters_({m.value, width_of({1}, {0.5}, options)}, {m.value, k}) {}

void dynamic_count_filter::merge(const dynamic_count_filter& other) {
    detail::require_compatible(compatible_with(other), "merged");
    counters_.counters().add(other.counters_.counters());
}

spec dynamic_count_filter::spec() const noexcept {
    const storage::dynamic_width& width = counters_.counters().width();
    return spec_of(filter_kind::dynamic_count, counters_.rule().shape(),
                   {width.fixed_bits, width.shrink_percent});
}

statistics dynamic_count_filter::stats() const {
    std::uint64_t used = 0;
    for (std::uint64_t at = 0; at < counter_count(); ++at) {
        used += counters_.counters()[at] != 0 ? 1U : 0U;
    }
    statistics now = statistics_of(counters_.rule().shape(), used);
    now.unit = place_unit::counter;
    now.unit_bits = fixed_bits() + overflow_bits();
    return now;
}

double dynamic_count_filter::rate_at(items n) const {
    return counter_count() == 0 ? 0 : plan::expected_rate(counters_.rule().shape(), n);
}

std::vector<fact> dynamic_count_filter::facts() const {
    const counters_type& all = counters_.counters();
    std::uint64_t largest = 0;
    std::uint64_t stuck = 0;
    for (std::uint64_t at = 0; at < all.count(); ++at) {
        largest = std::max(largest, all[at]);
        stuck += all[at] == all.limit() ? 1U : 0U;
    }
    return {{"fixed bits", std::to_string(fixed_bits())},
            {"overflow bits", std::to_string(overflow_bits())},
            {"rebuilds", std::to_string(rebuild_count())},
            {"largest counter", std::to_string(largest)},
            {"stuck counters", std::to_string(stuck)}};
}

saved_words dynamic_count_filter::saved() const {
    const counters_type& all = counters_.counters();
    return {{all.overflow_bits(), all.rebuild_count()},
            {all.fixed().words(), all.overflow().words()}};
}

dynamic_count_filter dynamic_count_filter::restored(const bloomery::spec& what,
                                                    const design& made_for, const native_hash& hash,
                                                    std::span<const std::uint64_t> words) {
    check_saved_dynamic(what);
    using fields = counters_type::fields;
    const std::uint64_t m = what.shape.bit_count;
    const auto fixed_bits = static_cast<std::uint32_t>(what.parameters[0]);
    const auto percent = static_cast<std::uint32_t>(what.parameters[1]);
    word_reader reader(words);
    const std::uint64_t overflow_bits = reader.take_one();
    const std::uint64_t rebuilds = reader.take_one();
    if (overflow_bits > counters_type::most_overflow_bits) {
        throw bad_data("a counter has at most 32 bits of overflow, not " +
                       std::to_string(overflow_bits));
    }
    const auto width = static_cast<std::uint32_t>(overflow_bits);
    const auto fixed = reader.take(fields::words_for(m, fixed_bits));
    const auto overflow = reader.take(fields::words_for(m, width));
    reader.finish();

    dynamic_count_filter made(bits{m}, hashes{what.shape.hash_count}, {1, fixed_bits, percent},
                              hash, made_for);
    if (made.spec() != what) {
        throw bad_data("this is not the spec of a dynamic count filter");
    }
    made.counters_.counters().restore(width, rebuilds, fixed, overflow);
    return made;
}

bool operator==(const dynamic_count_filter& a, const dynamic_count_filter& b) {
    if (a.spec() != b.spec()) {
        return false;
    }
    for (std::uint64_t at = 0; at < a.counter_count(); ++at) {
        if (a.counters_.counters()[at] != b.counters_.counters()[at]) {
            return false;
        }
    }
    return true;
}

template class key_counters<storage::dynamic_counters<>>;

} // namespace bloomery::inline v0
