#include <bloomery/plan/estimate.hpp>

#include "../plan/text.hpp"
#include "body.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::detail {

namespace {

using plan::grouped;
using plan::percent;

// To be looked at more often than this takes longer than it tells.
std::uint64_t look_every(std::uint64_t capacity) {
    return std::max<std::uint64_t>(16, capacity / 64);
}

} // namespace

void guard_core::body::raise(alarm_kind kind, std::string sentence) {
    alarms_[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
    if (how_.on_alarm) {
        how_.on_alarm({kind, std::move(sentence)});
    }
}

void guard_core::body::watch_growth() {
    if (created_.fetch_add(1, std::memory_order_relaxed) + 1 >= look_at_) {
        look_at_growth();
    }
}

void guard_core::body::look_at_growth() {
    const front::facts now = front_.look();
    look_at_ = created_ + look_every(now.newest_capacity);
    if (how_.policy == when_overfull::grow && now.newest_items >= now.newest_capacity) {
        try {
            grow();
            return;
        } catch (const std::exception&) { // the put that led here was done; the rate tells
            ++failed_rebuilds_;
        }
    }
    if (now.rate <= 2 * how_.planned.value) {
        return;
    }
    if (!is_overfull_.exchange(true)) {
        raise(alarm_kind::overfull, std::string("the filter has about ")
                                        .append(grouped(now.items))
                                        .append(" keys and is for ")
                                        .append(grouped(now.item_capacity))
                                        .append(": it errs on ")
                                        .append(percent(now.rate))
                                        .append(" of absent keys, planned were ")
                                        .append(percent(how_.planned.value))
                                        .append("; rebuild it"));
    }
    if (how_.policy == when_overfull::rebuild) {
        request_rebuild();
    }
}

// Each layer is twice as large and errs half as often as the one before, so that all together stay
// below twice the planned rate.
rate guard_core::body::rate_of_layer(std::uint64_t layer) const {
    return {std::ldexp(how_.planned.value, -static_cast<int>(std::min<std::uint64_t>(layer, 40)))};
}

void guard_core::body::grow() {
    const std::unique_lock alone(making_, std::try_to_lock);
    if (!alone.owns_lock()) {
        return; // a whole filter is under way
    }
    // From the first look on, so that the filter is not let go meanwhile, nor the layer's file
    // taken for one that is left over.
    const std::lock_guard lock(noting_);
    const front::facts now = front_.look();
    if (now.layers == 0 || now.newest_items < now.newest_capacity) {
        return;
    }
    any_filter layer =
        made(items{now.newest_capacity * 2}, rate_of_layer(now.layers), layer_file(now.layers));
    if (!how_.file.empty()) {
        // Before anything is in it: a note that did not know the layer would lose its keys.
        note_.layers = now.layers + 1;
        write_note(how_.file, note_);
    }
    front_.add_layer(std::move(layer));
}

void guard_core::body::watch_rate() {
    const std::uint64_t refused = counts_[tally::refused];
    const std::uint64_t errors = counts_[tally::false_positives];
    if (!rate_watch_.is_due(errors)) {
        return;
    }
    const std::optional<double> computed = front_.rate_if_idle();
    if (!computed) {
        return; // the next one looks
    }
    const rate_watch::finding found =
        rate_watch_.look(refused, errors, *computed, how_.planned.value);
    if (found.beyond_chance) {
        raise(alarm_kind::crafted_keys,
              grouped(found.errors)
                  .append(" of ")
                  .append(grouped(found.absences))
                  .append(" absent keys passed the filter, where ")
                  .append(percent(*computed))
                  .append(" would by chance: somebody asks for keys that are known to pass, or for "
                          "erased ones; a rebuild takes a new secret"));
    }
    if (found.beyond_plan && how_.policy != when_overfull::alarm) {
        request_rebuild();
    }
}

// Keys that are chosen so that each sets as many new bits as it can fill a filter sooner than as
// many others do. Six standard deviations, of an estimate that has a known error.
void guard_core::body::watch_fill() {
    const auto [bits, keys] = front_.count_bits();
    if (keys < 1000 || bits.bit_count == 0) {
        return;
    }
    const auto known = static_cast<double>(keys);
    const double surplus = bits.items.items - known;
    // Keys on which the filter erred when they came are not among those known.
    const double slack = (0.05 + bits.expected_fpp) * known + 6 * bits.items.standard_error;
    if (bits.items.saturated || surplus > slack) {
        raise(
            alarm_kind::crafted_fill,
            std::string("the filter's bits look like those of ")
                .append(bits.items.saturated
                            ? "any number of keys"
                            : grouped(static_cast<std::uint64_t>(bits.items.items)).append(" keys"))
                .append(", and ")
                .append(grouped(keys))
                .append(" were put in: keys are chosen to fill it, or were put in by others; a "
                        "rebuild takes a new secret"));
    }
}

guard_numbers guard_core::body::numbers() const {
    guard_numbers now;
    now.refused = counts_[tally::refused];
    now.excepted = counts_[tally::excepted];
    now.joined = counts_[tally::joined];
    now.cache_hits = counts_[tally::cache_hits];
    now.cache_absences = counts_[tally::cache_absences];
    now.source_hits = counts_[tally::source_hits];
    now.false_positives = counts_[tally::false_positives];
    now.unfiltered_absences = counts_[tally::unfiltered_absences];
    now.failed = counts_[tally::failed];
    now.asked = now.refused + now.excepted + now.joined + now.cache_hits + now.cache_absences +
                now.source_hits + now.false_positives + now.unfiltered_absences + now.failed;
    now.puts = counts_[tally::puts];
    now.updates = counts_[tally::updates];
    now.erases = counts_[tally::erases];
    now.uncertain = counts_[tally::uncertain];
    now.cache_failures = counts_[tally::cache_failures];
    now.source_failures = counts_[tally::source_failures];
    now.caught_up = counts_[tally::caught_up];

    const front::facts filter = front_.look();
    now.ready = filter.layers != 0;
    now.layers = filter.layers;
    now.leftovers = filter.leftovers;
    now.item_capacity = filter.item_capacity;
    now.estimated_items = filter.items;
    now.filter_bytes = filter.byte_count;
    now.present_rate = filter.rate;
    now.planned_rate = how_.planned.value;
    const std::uint64_t absences = now.false_positives + now.refused;
    now.measured_rate =
        absences == 0 ? 0
                      : static_cast<double>(now.false_positives) / static_cast<double>(absences);
    now.exceptions = flights_.exception_count();

    {
        const std::lock_guard lock(worker_mutex_);
        now.rebuilding = rebuilding_ || wanted_;
    }
    now.rebuilds = rebuilds_;
    now.failed_rebuilds = failed_rebuilds_;
    now.scanned = scanned_;
    for (std::size_t i = 0; i < alarm_kinds; ++i) {
        now.alarms[i] = alarms_[i].load(std::memory_order_relaxed);
    }
    const auto time = [&](tally calls, tally ns) {
        return guard_time{counts_[calls], std::chrono::nanoseconds(counts_[ns])};
    };
    now.filter_time = time(tally::filter_calls, tally::filter_ns);
    now.cache_time = time(tally::cache_calls, tally::cache_ns);
    now.source_time = time(tally::source_calls, tally::source_ns);
    return now;
}

} // namespace bloomery::detail
