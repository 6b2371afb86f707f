#include <bloomery/error.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/plan/family.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace bloomery::inline v0 {
namespace {

std::uint64_t dleft_words(std::uint64_t buckets, const detail::dleft_bucket& bucket) {
    return (dleft_filter::tables * buckets * bucket.width() + 7) / 8;
}

plan::dleft_plan_t planned_dleft(items n, rate p, const dleft_options& options) {
    if (options.counter_bits < 2 || options.counter_bits > 8) {
        throw bad_argument("a d-left filter has counters of 2 to 8 bits, not " +
                           std::to_string(options.counter_bits));
    }
    if (options.stash_entries > dleft_filter::most_stash_entries) {
        throw bad_argument("a stash has room for at most 1024 keys, not " +
                           std::to_string(options.stash_entries));
    }
    return plan::dleft_plan(n, p);
}

} // namespace

const detail::dleft_stash::entry*
detail::dleft_stash::find(const dleft_fingerprint& of) const noexcept {
    const auto found = std::ranges::lower_bound(entries_, of, {}, &entry::of);
    return found != entries_.end() && found->of == of ? &*found : nullptr;
}

void detail::dleft_stash::add(const dleft_fingerprint& of, std::uint64_t count) {
    entries_.insert(std::ranges::lower_bound(entries_, of, {}, &entry::of), {of, count});
}

void detail::dleft_stash::remove(const entry* which) noexcept {
    entries_.erase(entries_.begin() + (which - entries_.data()));
}

dleft_filter::dleft_filter(std::uint64_t buckets, detail::dleft_bucket bucket,
                           std::uint32_t stash_entries, const native_hash& hash,
                           const design& made_for)
    : key_calls(hash, made_for), buckets_(buckets), bucket_(bucket), stash_entries_(stash_entries),
      storage_(dleft_words(buckets, bucket)) {}

dleft_filter::dleft_filter(items n, rate p, const dleft_options& options, const native_hash& hash)
    : dleft_filter([&] {
          const design made_for{n.value, p.value};
          const plan::dleft_plan_t made = planned_dleft(n, p, options);
          return dleft_filter(made.buckets, {made.remainder_bits, options.counter_bits},
                              options.stash_entries, wide_enough(hash, made_for), made_for);
      }()) {}

// One key.

dleft_filter::found_cell dleft_filter::find(const places& at,
                                            std::uint64_t remainder) const noexcept {
    for (const std::uint64_t each : at) {
        if (const detail::cell_mask found = bucket_.matches(words(), each, remainder); found != 0) {
            return {each, static_cast<std::uint32_t>(std::countr_zero(found)), true};
        }
    }
    return {};
}

status dleft_filter::add_count(std::uint64_t& now, std::uint64_t more) const noexcept {
    now = std::min(now + more, most());
    return now == most() ? status::saturated : status::ok;
}

insertion dleft_filter::add(const fingerprint& of, std::uint64_t count) {
    const places at = places_of(of);
    std::uint64_t* const array = storage_.data();
    if (const found_cell cell = find(at, of.remainder); cell.found) {
        std::uint64_t now = bucket_.count_of(bucket_.read(array, cell.at, cell.which));
        const status done = add_count(now, count);
        bucket_.write(array, cell.at, cell.which, bucket_.cell(of.remainder, now));
        return {false, done};
    }
    if (!stash_.empty()) {
        if (auto* const entry = stash_.find(of); entry != nullptr) {
            return {false, add_count(entry->count, count)};
        }
    }
    const status state = count == most() ? status::saturated : status::ok;
    std::uint64_t best = 0;
    detail::cell_mask taken = 0;
    std::uint32_t least = cells;
    for (const std::uint64_t each : at) {
        const detail::cell_mask used = bucket_.used(array, each);
        if (const std::uint32_t load = detail::cells_in(used); load < least) {
            least = load;
            taken = used;
            best = each;
        }
    }
    if (least < cells) {
        const auto spare =
            static_cast<std::uint32_t>(std::countr_one(taken)) % std::uint32_t{cells};
        bucket_.write(array, best, spare, bucket_.cell(of.remainder, count));
        return {true, state};
    }
    if (stash_.size() >= stash_entries_) {
        return {true, status::full};
    }
    stash_.add(of, count);
    return {true, state};
}

insertion dleft_filter::try_insert(digest128 key) {
    if (buckets_ == 0) [[unlikely]] {
        storage::detail::refuse_moved_from();
    }
    return add(fingerprint_of(key), 1);
}

status dleft_filter::erase(digest128 key) {
    const fingerprint of = fingerprint_of(key);
    if (const found_cell cell = find(places_of(of), of.remainder); cell.found) {
        const std::uint64_t now = bucket_.count_of(bucket_.read(words(), cell.at, cell.which));
        if (now == most()) {
            return status::saturated;
        }
        bucket_.write(storage_.data(), cell.at, cell.which,
                      now == 1 ? 0 : bucket_.cell(of.remainder, now - 1));
        return status::ok;
    }
    auto* const entry = stash_.find(of);
    if (entry == nullptr) {
        return status::not_present;
    }
    if (entry->count == most()) {
        return status::saturated;
    }
    if (--entry->count == 0) {
        stash_.remove(entry);
    }
    return status::ok;
}

std::uint64_t dleft_filter::count(digest128 key) const noexcept {
    const fingerprint of = fingerprint_of(key);
    if (const found_cell cell = find(places_of(of), of.remainder); cell.found) {
        return bucket_.count_of(bucket_.read(words(), cell.at, cell.which));
    }
    const auto* const entry = stash_.find(of);
    return entry == nullptr ? 0 : entry->count;
}

std::uint64_t dleft_filter::match_count(digest128 key) const noexcept {
    const fingerprint of = fingerprint_of(key);
    std::uint64_t found = stash_.find(of) == nullptr ? 0 : 1;
    for (const std::uint64_t each : places_of(of)) {
        found += detail::cells_in(bucket_.matches(words(), each, of.remainder));
    }
    return found;
}

// All cells.

dleft_filter::fingerprint dleft_filter::fingerprint_at(std::size_t table, std::uint64_t bucket,
                                                       std::uint64_t remainder) const noexcept {
    const std::uint64_t by = moved(mixed(remainder), table, buckets_);
    return {bucket >= by ? bucket - by : bucket + buckets_ - by, remainder};
}

void dleft_filter::merge(const dleft_filter& other) {
    detail::require_compatible(compatible_with(other), "merged");
    dleft_filter sum = *this; // given up when there is no room
    const auto take = [&sum](const fingerprint& of, std::uint64_t count) {
        if (sum.add(of, count).state == status::full) {
            throw filter_full("the keys of both filters do not fit: merge them into a larger one");
        }
    };
    other.each_cell([&](std::size_t table, std::uint64_t bucket, std::uint64_t cell) {
        take(fingerprint_at(table, bucket, bucket_.remainder_of(cell)), bucket_.count_of(cell));
    });
    for (const auto& entry : other.stash_.entries()) {
        take(entry.of, entry.count);
    }
    *this = std::move(sum);
}

void dleft_filter::clear() noexcept {
    std::fill_n(storage_.data(), storage_.word_count(), std::uint64_t{0});
    stash_.clear();
}

bloomery::spec dleft_filter::spec() const noexcept {
    return spec_of(
        filter_kind::dleft, {layout_kind::classic, tables * cells * buckets_, tables},
        {tables, cells, bucket_.remainder_bits(), bucket_.counter_bits(), stash_entries_});
}

std::array<std::uint64_t, dleft_filter::cells + 1> dleft_filter::load_histogram() const {
    std::array<std::uint64_t, cells + 1> buckets_with{};
    for (std::uint64_t i = 0; i < tables * buckets_; ++i) {
        ++buckets_with[detail::cells_in(bucket_.used(words(), i * bucket_.width()))];
    }
    return buckets_with;
}

statistics dleft_filter::stats() const {
    if (buckets_ == 0) {
        return {};
    }
    const auto loads = load_histogram();
    statistics now;
    now.unit = place_unit::cell;
    now.unit_bits = bucket_.remainder_bits() + bucket_.counter_bits();
    now.bit_count = tables * cells * buckets_;
    for (std::size_t load = 0; load < loads.size(); ++load) {
        now.bits_set += load * loads[load];
    }
    now.fill_ratio = static_cast<double>(now.bits_set) / static_cast<double>(now.bit_count);
    // Fingerprints are draws from all that there are; those of absent keys too.
    const double all =
        std::ldexp(static_cast<double>(buckets_), static_cast<int>(bucket_.remainder_bits()));
    const auto known = static_cast<double>(now.bits_set + stash_.size());
    now.expected_rate = known / all;
    if (known == all) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        now.items = {infinite, infinite, true};
        return now;
    }
    const double each = -std::log1p(-known / all);
    now.items = {all * each, std::sqrt(all * (std::expm1(each) - each)), false};
    return now;
}

double dleft_filter::rate_at(items n) const {
    return buckets_ == 0 ? 0 : plan::dleft_rate(n, buckets_, bucket_.remainder_bits());
}

std::vector<fact> dleft_filter::facts() const {
    std::uint64_t sum = 0;
    std::uint64_t stuck = 0;
    const auto see = [&](std::uint64_t count) {
        sum += count;
        stuck += count == most() ? 1U : 0U;
    };
    each_cell([&](std::size_t /*table*/, std::uint64_t /*bucket*/, std::uint64_t cell) {
        see(bucket_.count_of(cell));
    });
    for (const auto& entry : stash_.entries()) {
        see(entry.count);
    }
    std::string loads;
    for (const std::uint64_t buckets_with : load_histogram()) {
        loads.append(loads.empty() ? "" : " ").append(std::to_string(buckets_with));
    }
    return {{"remainder bits", std::to_string(bucket_.remainder_bits())},
            {"counter bits", std::to_string(bucket_.counter_bits())},
            {"tables", std::to_string(tables)},
            {"buckets per table", std::to_string(buckets_)},
            {"buckets with 0 to 8 keys", loads},
            {"sum of counters", std::to_string(sum)},
            {"stuck counters", std::to_string(stuck)},
            {"keys in the stash", std::to_string(stash_.size())},
            {"room in the stash", std::to_string(stash_entries_)}};
}

bool operator==(const dleft_filter& a, const dleft_filter& b) {
    return a.spec() == b.spec() && a.stash_ == b.stash_ &&
           std::equal(a.words(), a.words() + a.storage_.word_count(), b.words());
}

} // namespace bloomery::inline v0
