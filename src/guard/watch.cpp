#include <bloomery/detail/plan/text.hpp>
#include <bloomery/plan/rates.hpp>

#include "impl.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::inline v0::detail {

namespace {

using plan::grouped;
using plan::percent;

// Checking more often than this costs more than it reveals.
std::uint64_t look_every(std::uint64_t capacity) {
    return std::max<std::uint64_t>(16, capacity / 64);
}

} // namespace

void guard_impl::raise(alarm_kind kind, std::string sentence) {
    alarms_[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
    if (how_.on_alarm) {
        how_.on_alarm({kind, std::move(sentence)});
    }
}

void guard_impl::watch_growth() {
    if (created_.fetch_add(1, std::memory_order_relaxed) + 1 >= look_at_) {
        look_at_growth();
    }
}

void guard_impl::look_at_growth() {
    const front::facts now = front_.look();
    look_at_ = created_ + look_every(now.newest_capacity);
    if (how_.policy == when_overfull::grow && now.newest_items >= now.newest_capacity) {
        try {
            grow();
            return;
        } catch (const std::exception&) { // the put itself succeeded; the rate will show it
            ++failed_rebuilds_;
        }
    }
    if (now.rate <= 2 * how_.planned.value) {
        return;
    }
    if (!is_overfull_.exchange(true)) {
        raise(alarm_kind::overfull,
              "the filter has about " + grouped(now.items) + " keys but was built for " +
                  grouped(now.item_capacity) + ": its false-positive rate is " + percent(now.rate) +
                  ", planned " + percent(how_.planned.value) + "; rebuild it");
    }
    if (how_.policy == when_overfull::rebuild) {
        request_rebuild();
    }
}

// Each layer is twice as large and has half the rate of the previous one, so that all together stay
// below twice the planned rate.
rate guard_impl::rate_of_layer(std::uint64_t layer) const {
    return {std::ldexp(how_.planned.value, -static_cast<int>(std::min<std::uint64_t>(layer, 40)))};
}

void guard_impl::grow() {
    const std::unique_lock alone(making_, std::try_to_lock);
    if (!alone.owns_lock()) {
        return; // a rebuild is in progress
    }
    // Held from the first check on, so that the filter is not discarded meanwhile, and the layer's
    // file is not mistaken for a leftover.
    const std::lock_guard lock(noting_);
    const front::facts now = front_.look();
    if (now.layers == 0 || now.newest_items < now.newest_capacity) {
        return;
    }
    any_filter layer =
        made(items{now.newest_capacity * 2}, rate_of_layer(now.layers), layer_file(now.layers));
    if (!how_.file.empty()) {
        // Before the layer has keys: a note that does not mention the layer would lose them.
        note_.layers = now.layers + 1;
        write_note(how_.file, note_);
    }
    front_.add_layer(std::move(layer));
}

void guard_impl::watch_rate() {
    const std::uint64_t refused = counts_[&counters::refused];
    const std::uint64_t errors = counts_[&counters::false_positives];
    if (!rate_watch_.is_due(errors)) {
        return;
    }
    const std::optional<double> computed = front_.rate_if_idle();
    if (!computed) {
        return; // the next put checks
    }
    const rate_watch::finding found =
        rate_watch_.look(refused, errors, *computed, how_.planned.value);
    if (found.beyond_chance) {
        raise(alarm_kind::crafted_keys,
              grouped(found.errors) + " of " + grouped(found.absences) +
                  " absent keys passed the filter, where " + percent(*computed) +
                  " would by chance: someone requests keys that are known to pass, or erased "
                  "ones; a rebuild uses a new secret");
    }
    if (found.beyond_plan && how_.policy != when_overfull::alarm) {
        request_rebuild();
    }
}

// Keys chosen to set as many new bits as possible fill a filter faster than other keys. The
// threshold is six standard deviations of an estimate with a known error.
void guard_impl::watch_fill() {
    const auto [bits, keys] = front_.count_bits();
    if (keys < 1000 || bits.bit_count == 0) {
        return;
    }
    const auto known = static_cast<double>(keys);
    const double surplus = bits.items.items - known;
    // Keys on which the filter erred when they came are not among those known.
    const double slack = (0.05 + bits.expected_rate) * known + 6 * bits.items.standard_error;
    if (bits.items.saturated || surplus > slack) {
        const std::string like = bits.items.saturated
                                     ? "any number of"
                                     : grouped(static_cast<std::uint64_t>(bits.items.items));
        raise(alarm_kind::crafted_fill,
              "the filter's bits look like those of " + like + " keys, but " + grouped(keys) +
                  " were added: someone chooses keys to fill it, or others added keys; a rebuild "
                  "uses a new secret");
    }
}

guard_numbers guard_impl::numbers() const {
    guard_numbers now;
    using n = guard_numbers;
    for (const auto one :
         {&n::refused, &n::excepted, &n::joined, &n::cache_hits, &n::cache_absences,
          &n::source_hits, &n::false_positives, &n::unfiltered_absences, &n::failed}) {
        now.*one = counts_[one];
        now.asked += now.*one;
    }
    for (const auto one : {&n::puts, &n::updates, &n::erases, &n::uncertain, &n::cache_failures,
                           &n::source_failures, &n::caught_up}) {
        now.*one = counts_[one];
    }

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
    now.filter_time = time(&counters::filter_calls, &counters::filter_ns);
    now.cache_time = time(&counters::cache_calls, &counters::cache_ns);
    now.source_time = time(&counters::source_calls, &counters::source_ns);
    return now;
}

} // namespace bloomery::inline v0::detail
