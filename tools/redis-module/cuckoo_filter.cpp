#include "cuckoo_filter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace bloomery::redis_module {

namespace {

constexpr std::byte no_item{0};
constexpr std::uint64_t largest_bucket = 255;
constexpr std::uint64_t most_iterations = 65535;
constexpr std::uint64_t largest_expansion = 32768;
/// RedisBloom counts the buckets of a sub-filter in 56 bits.
constexpr int most_bucket_bits = 55;

constexpr std::size_t prefetched_filters = 2;

/// What a compaction does at a time, so that nobody waits long: each item is a step for each
/// sub-filter that is searched for a place, and so are many empty slots.
constexpr std::uint64_t most_steps = 500'000;
constexpr std::size_t slots_of_a_step = 128;

/// Where a byte is, or the size if it is nowhere.
std::size_t place_of(std::byte what, byte_view in) noexcept {
    constexpr std::size_t worth_a_call = 16;
    if (in.size() >= worth_a_call) {
        const void* const found = std::memchr(in.data(), std::to_integer<int>(what), in.size());
        return found == nullptr
                   ? in.size()
                   : static_cast<std::size_t>(static_cast<const std::byte*>(found) - in.data());
    }
    std::size_t i = 0;
    while (i < in.size() && in[i] != what) ++i;
    return i;
}

bool has(std::byte what, byte_view in) noexcept { return place_of(what, in) != in.size(); }

/// The first slot with an item, from that one on. Eight are looked at together, because the newest
/// sub-filters are large and almost empty.
std::size_t next_item(byte_view in, std::size_t from) noexcept {
    std::uint64_t eight = 0;
    for (; in.size() - from >= sizeof eight; from += sizeof eight) {
        std::memcpy(&eight, in.data() + from, sizeof eight);
        if (eight != 0) break;
    }
    while (from < in.size() && in[from] == no_item) ++from;
    return from;
}

std::uint64_t other_bucket(std::uint64_t bucket, std::byte fingerprint) noexcept {
    return bucket ^ std::to_integer<std::uint64_t>(fingerprint) * 0x5bd1e995;
}

std::uint64_t rounded_up(std::uint64_t number) noexcept {
    return number == 0 ? 0 : std::bit_ceil(number);
}

server_bytes zeros(std::uint64_t /*filter*/, std::uint64_t /*buckets*/, std::uint64_t size) {
    return server_bytes(size);
}

} // namespace

cuckoo_filter::cuckoo_filter(const cuckoo_fields& of) noexcept
    : items_(of.items), deletes_(of.deletes), first_buckets_(of.buckets),
      bucket_size_(static_cast<std::uint16_t>(of.bucket_size)),
      iterations_(static_cast<std::uint16_t>(of.iterations)),
      expansion_(static_cast<std::uint16_t>(of.expansion)) {}

made_cuckoo_filter cuckoo_filter::create(std::uint64_t capacity, std::uint64_t bucket_size,
                                         std::uint64_t iterations, std::uint64_t expansion,
                                         std::uint64_t most_bytes) noexcept {
    if (bucket_size == 0 || capacity / bucket_size > std::uint64_t{1} << most_bucket_bits ||
        expansion > largest_expansion) {
        return {nullptr, cuckoo_outcome::bad_fields};
    }
    return empty_from_fields({.buckets = std::bit_ceil(capacity / bucket_size),
                              .bucket_size = bucket_size,
                              .iterations = iterations,
                              .expansion = rounded_up(expansion)},
                             most_bytes);
}

made_cuckoo_filter cuckoo_filter::empty_from_fields(const cuckoo_fields& of,
                                                    std::uint64_t most_bytes) noexcept {
    return from_fields(of, most_bytes, zeros);
}

made_cuckoo_filter cuckoo_filter::copy() const noexcept {
    return from_fields(fields(), std::numeric_limits<std::uint64_t>::max(),
                       [&](std::uint64_t i, std::uint64_t /*buckets*/, std::uint64_t /*size*/) {
                           return filters_[i].bytes.copy();
                       });
}

std::optional<std::uint64_t> cuckoo_filter::buckets_of(const cuckoo_fields& of,
                                                       std::uint64_t filter) noexcept {
    // Both are powers of two, so this is a sum of exponents.
    const std::uint64_t bits = static_cast<std::uint64_t>(std::countr_zero(of.buckets)) +
                               static_cast<std::uint64_t>(std::countr_zero(of.expansion)) * filter;
    if (bits > most_bucket_bits) return std::nullopt;
    return std::uint64_t{1} << bits;
}

cuckoo_outcome cuckoo_filter::check(const cuckoo_fields& of, std::uint64_t most_bytes) noexcept {
    const auto within = [](std::uint64_t number, std::uint64_t most) {
        return number >= 1 && number <= most;
    };
    const bool grows = of.expansion != 0;
    if (!within(of.bucket_size, largest_bucket) || !within(of.iterations, most_iterations) ||
        !within(of.filters, grows ? most_filters : 1) || !std::has_single_bit(of.buckets) ||
        (grows && (of.expansion > largest_expansion || !std::has_single_bit(of.expansion)))) {
        return cuckoo_outcome::bad_fields;
    }
    std::uint64_t memory = own_size;
    for (std::uint64_t i = 0; i < of.filters; ++i) {
        const std::optional<std::uint64_t> buckets = buckets_of(of, i);
        if (!buckets) return cuckoo_outcome::bad_fields;
        const std::uint64_t more = *buckets * of.bucket_size + sub_filter_size;
        if (more > std::numeric_limits<std::uint64_t>::max() - memory) {
            return cuckoo_outcome::bad_fields;
        }
        memory += more;
    }
    return memory > most_bytes ? cuckoo_outcome::over_limit : cuckoo_outcome::done;
}

cuckoo_filter::probe cuckoo_filter::probe_of(std::uint64_t hash) noexcept {
    return probe_of_slot(hash, static_cast<std::byte>(hash % 255 + 1));
}

cuckoo_filter::probe cuckoo_filter::probe_of_slot(std::uint64_t bucket,
                                                  std::byte fingerprint) noexcept {
    return {bucket, other_bucket(bucket, fingerprint), fingerprint};
}

void cuckoo_filter::append(server_bytes bytes, std::uint64_t buckets) {
    filters_.push_back({std::move(bytes), buckets - 1});
    slots_ += filters_.back().bytes.size();
    count_in_totals();
}

void cuckoo_filter::drop_newest() noexcept {
    slots_ -= filters_.back().bytes.size();
    filters_.pop_back();
    count_in_totals();
}

void cuckoo_filter::prefetch(std::uint64_t hash) const noexcept {
    const probe item = probe_of(hash);
    const std::size_t many = std::min(prefetched_filters, filters_.size());
    for (const sub_filter& in : std::span(filters_).last(many)) {
        __builtin_prefetch(bucket(in, item.first).data(), 0, 2);
        __builtin_prefetch(bucket(in, item.second).data(), 0, 2);
    }
}

bool cuckoo_filter::contains(std::uint64_t hash) const noexcept {
    const probe item = probe_of(hash);
    // The newest ones have the most items, if any has more.
    for (std::size_t i = filters_.size(); i-- > 0;) {
        const sub_filter& in = filters_[i];
        if (has(item.fingerprint, bucket(in, item.first)) ||
            has(item.fingerprint, bucket(in, item.second))) {
            return true;
        }
    }
    return false;
}

std::uint64_t cuckoo_filter::count(std::uint64_t hash) const noexcept {
    const probe item = probe_of(hash);
    std::uint64_t sum = 0;
    for (const sub_filter& in : filters_) {
        for (const std::uint64_t at : {item.first, item.second}) {
            sum += static_cast<std::uint64_t>(std::ranges::count(bucket(in, at), item.fingerprint));
        }
    }
    return sum;
}

/// Puts an item into a free slot of its buckets.
bool cuckoo_filter::place(sub_filter& in, const probe& item) noexcept {
    for (const std::uint64_t at : {item.first, item.second}) {
        const std::span<std::byte> slots = bucket(in, at);
        const std::size_t free = place_of(no_item, slots);
        if (free != slots.size()) {
            slots[free] = item.fingerprint;
            return true;
        }
    }
    return false;
}

/// Puts an item where another is, that one into its other bucket, and so on until there is a free
/// slot. If none turns up, all go back.
bool cuckoo_filter::displace(sub_filter& in, const probe& item) noexcept {
    std::byte homeless = item.fingerprint;
    std::uint64_t at = item.first;
    std::size_t victim = 0;
    for (std::uint32_t i = 0; i < iterations_; ++i) {
        std::swap(bucket(in, at)[victim], homeless);
        at = other_bucket(at, homeless);
        const std::span<std::byte> slots = bucket(in, at);
        const std::size_t free = place_of(no_item, slots);
        if (free != slots.size()) {
            slots[free] = homeless;
            return true;
        }
        victim = victim + 1 == slots.size() ? 0 : victim + 1;
    }
    for (std::uint32_t i = 0; i < iterations_; ++i) {
        victim = (victim == 0 ? std::size_t{bucket_size_} : victim) - 1;
        at = other_bucket(at, homeless);
        std::swap(bucket(in, at)[victim], homeless);
    }
    return false;
}

cuckoo_outcome cuckoo_filter::insert(std::uint64_t hash, std::uint64_t most_bytes) noexcept {
    const probe item = probe_of(hash);
    bool placed = false;
    for (std::size_t i = filters_.size(); !placed && i > first_open_; --i) {
        placed = place(filters_[i - 1], item);
    }
    if (!placed && !displace(filters_.back(), item)) {
        const cuckoo_outcome grown = grow(most_bytes);
        if (grown != cuckoo_outcome::done) return grown;
        place(filters_.back(), item);
    }
    ++items_;
    compaction_.some_stayed = true; // it may be in a sub-filter that would be dropped as empty
    return cuckoo_outcome::done;
}

cuckoo_outcome cuckoo_filter::grow(std::uint64_t most_bytes) noexcept {
    if (expansion_ == 0) return cuckoo_outcome::full;
    const std::optional<std::uint64_t> buckets = buckets_of(fields(), filters_.size());
    if (!buckets || filters_.size() >= most_filters) return cuckoo_outcome::no_memory;
    const std::uint64_t size = *buckets * bucket_size_;
    if (size > most_bytes || memory() + sub_filter_size > most_bytes - size) {
        return cuckoo_outcome::over_limit;
    }
    try {
        append(server_bytes(size), *buckets);
    } catch (const std::bad_alloc&) {
        return cuckoo_outcome::no_memory;
    }
    skip_full();
    return cuckoo_outcome::done;
}

/// O(sub-filters that are full + slots of the first that is not).
void cuckoo_filter::skip_full() noexcept {
    while (first_open_ < filters_.size() && !has(no_item, bytes(first_open_))) ++first_open_;
}

bool cuckoo_filter::erase(std::uint64_t hash) noexcept {
    const probe item = probe_of(hash);
    for (std::size_t i = filters_.size(); i-- > 0;) {
        for (const std::uint64_t at : {item.first, item.second}) {
            const std::span<std::byte> slots = bucket(filters_[i], at);
            const std::size_t found = place_of(item.fingerprint, slots);
            if (found == slots.size()) continue;
            slots[found] = no_item;
            first_open_ = std::min(first_open_, i);
            if (items_ > 0) --items_; // a dump may have told us less than there is
            ++deletes_;
            if (filters_.size() > 1 &&
                static_cast<double>(deletes_) > static_cast<double>(items_) * 0.10) {
                compact(after_failure::stop);
            }
            return true;
        }
    }
    return false;
}

/// Each fingerprint with its bucket is enough to find its place in a sub-filter of no more buckets.
/// Returns whether some moved; stops when there is no more work to spend.
bool cuckoo_filter::move_to_older(progress& at, std::uint64_t& work) noexcept {
    bool some_moved = false;
    skip_full();
    const std::span<std::byte> slots(filters_[at.filter].bytes.data(),
                                     filters_[at.filter].bytes.size());
    while (at.slot < slots.size() && work != 0) {
        const std::size_t end = std::min<std::size_t>(slots.size(), at.slot + slots_of_a_step);
        const std::size_t next = next_item(slots.first(end), at.slot);
        std::uint64_t steps = 1;
        at.slot = next;
        if (next != end) {
            const probe item = probe_of_slot(next / bucket_size_, slots[next]);
            std::size_t i = first_open_;
            while (i < at.filter && !place(filters_[i], item)) ++i;
            steps += i - std::min(i, first_open_);
            const bool moved = i < at.filter;
            if (moved) slots[next] = no_item;
            (moved ? some_moved : at.some_stayed) = true;
            ++at.slot;
        }
        work -= std::min(work, steps);
    }
    return some_moved;
}

bool cuckoo_filter::compact(after_failure then) noexcept {
    // Replicas follow each part, so one that goes on is a change.
    bool changed = deletes_ != 0 || compaction_.filter != 0;
    std::uint64_t work = most_steps;
    if (compaction_.filter == 0) compaction_ = {.filter = filters_.size() - 1};
    while (compaction_.filter > 0) {
        changed = move_to_older(compaction_, work) || changed;
        if (compaction_.slot < filters_[compaction_.filter].bytes.size()) return true;
        const std::size_t done = compaction_.filter;
        if (compaction_.some_stayed && then == after_failure::stop) break;
        if (!compaction_.some_stayed && done == filters_.size() - 1) {
            drop_newest();
            changed = true;
        }
        compaction_ = {.filter = done - 1};
    }
    compaction_ = {};
    deletes_ = 0;
    return changed;
}

cuckoo_fields cuckoo_filter::fields() const noexcept {
    return {.items = items_,
            .deletes = deletes_,
            .buckets = first_buckets_,
            .filters = filters_.size(),
            .bucket_size = bucket_size_,
            .iterations = iterations_,
            .expansion = expansion_};
}

std::size_t cuckoo_filter::defrag(defrag_context* by, std::size_t from) {
    if (from == 0) relocate(filters_);
    while (from < filters_.size()) {
        filters_[from++].bytes.defrag(by);
        if (server.defrag_should_stop(by) != 0) break;
    }
    return from;
}

} // namespace bloomery::redis_module
