#include "options.hpp"

#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/detail/plan/text.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace bloomery::inline v0::plan {
namespace {

constexpr std::array<std::string_view, 17> names{
    "none",          "bitmap",   "hash-set", "cascade",     "window",   "spectral",
    "dynamic-count", "accurate", "dleft",    "counting",    "scalable", "split-8x64",
    "split-16x32",   "blocked",  "classic",  "binary-fuse", "cuckoo"};

constexpr std::array<std::string_view, 17> titles{
    "No filter",
    "A bitmap",
    "A hash set",
    "A filter cascade",
    "A window filter with 8 generations",
    "A spectral filter with 8-bit counters",
    "A dynamic count filter",
    "An accurate counting filter in blocks of 512 bits",
    "A d-left counting filter",
    "A counting filter with 4-bit counters",
    "A scalable filter",
    "A split-block 8x64 filter",
    "A split-block 16x32 filter",
    "A blocked Bloom filter",
    "A classic Bloom filter",
    "A binary fuse filter (not in this library)",
    "A cuckoo filter (not in this library)"};

std::string_view title_of(kind what) { return titles.at(static_cast<std::size_t>(what)); }

double share(double byte_count, items n) { return 8.0 * byte_count / static_cast<double>(n.value); }

std::string bits_each(double bits_per_item) {
    return number(bits_per_item) + (bits_per_item == 1.0 ? " bit" : " bits") + " per key";
}

option of_bytes(kind what, items n, double byte_count, double expected_rate,
                std::string_view title) {
    const double bits_per_item = share(byte_count, n);
    std::string sentence = std::string(title) + " takes " + memory(byte_count) + ", " +
                           bits_each(bits_per_item) + ", ";
    sentence += expected_rate == 0.0
                    ? "and makes no errors."
                    : "at a false-positive rate of " + percent(expected_rate) + ".";
    return {what, byte_count, bits_per_item, expected_rate, std::move(sentence)};
}

option of_bytes(kind what, items n, double byte_count, double expected_rate) {
    return of_bytes(what, n, byte_count, expected_rate, title_of(what));
}

option of_bits(kind what, items n, double bits_per_item, double expected_rate) {
    return of_bytes(what, n, bits_per_item * static_cast<double>(n.value) / 8.0, expected_rate);
}

option scalable_option(const setting& at) {
    const items first = first_layer(at.of);
    const auto start = static_cast<double>(scalable_plan(first, at.p, first).byte_count);
    std::string sentence = std::string(title_of(kind::scalable)) + " starts with " + memory(start) +
                           " for " + grouped(first.value) + " keys";
    if (at.of.n_high && at.n.value > first.value) {
        const scalable_plan_t grown = scalable_plan(at.n, at.p, first);
        sentence += " and grows to " + memory(static_cast<double>(grown.byte_count)) + " for " +
                    grouped(at.n.value);
    } else {
        sentence += ", " + bits_each(share(start, first)) +
                    ", and grows by layers of twice the "
                    "size";
    }
    sentence += ", at a false-positive rate of at most " + percent(at.p.value) + ".";
    return {kind::scalable, start, share(start, first), at.p.value, std::move(sentence)};
}

// It is made as small as it can be; what becomes of it depends on the largest count.
option dynamic_count_option(const setting& at) {
    constexpr std::uint64_t hot = 1000;
    const auto made = dynamic_count_plan(at.n, at.p, at.n.value, 1);
    const auto wide = dynamic_count_plan(at.n, at.p, at.n.value, hot);
    const auto byte_count = static_cast<double>(made.byte_count);
    const double rate_at_n = expected_rate(made.positions, at.n);
    return {kind::dynamic_count, byte_count, share(byte_count, at.n), rate_at_n,
            std::string(title_of(kind::dynamic_count)) + " takes " + memory(byte_count) + ", " +
                bits_each(share(byte_count, at.n)) + ", while no counter exceeds " +
                grouped((std::uint64_t{1} << made.fixed_bits) - 1) + ", and " +
                memory(static_cast<double>(wide.byte_count)) + " once one reaches " + grouped(hot) +
                ", at a false-positive rate of " + percent(rate_at_n) + "."};
}

option counter_option(kind what, const setting& at) {
    const counter_plan made = counting_plan(at.n, at.p, what == kind::spectral ? 8 : 4);
    std::string title(title_of(what));
    if (what == kind::spectral) {
        title +=
            counts_by_minimal_increase(at.of) ? " and minimal increase" : " and minimum selection";
    }
    return of_bytes(what, at.n, static_cast<double>(made.byte_count), made.expected_rate, title);
}

option removable_option(kind what, const setting& at) {
    if (what == kind::dleft) {
        const dleft_plan_t made = dleft_plan(at.n, at.p);
        return of_bytes(what, at.n, static_cast<double>(made.byte_count), made.expected_rate);
    }
    const accurate_plan_t made = accurate_plan(at.p);
    const std::uint64_t byte_count = accurate_blocks(at.n, made) * (made.block_bits / 8);
    return of_bytes(what, at.n, static_cast<double>(byte_count), made.expected_rate);
}

option window_option(const setting& at, std::uint32_t generations, std::string_view title) {
    const window_plan_t made = window_plan(at.n, at.p, generations);
    return of_bytes(kind::window, at.n, static_cast<double>(made.byte_count), made.expected_rate,
                    title);
}

option exact_option(kind what, const setting& at) {
    if (what == kind::bitmap) {
        const std::uint64_t range = at.of.integer_range.value_or(0);
        return of_bytes(what, at.n, static_cast<double>(bitmap_bytes(range)), 0.0);
    }
    if (what == kind::hash_set) {
        return of_bytes(what, at.n, hash_set_bytes(at.n, at.of.key_bytes), 0.0);
    }
    const double total = cascade_bits(at.n, at.of.known_negatives.value_or(items{1}));
    return of_bytes(what, at.n, total / 8.0, 0.0);
}

} // namespace

std::string_view name_of(kind of) { return names.at(static_cast<std::size_t>(of)); }

bool counts_by_minimal_increase(const situation& of) noexcept { return !of.needs_removal; }

items first_layer(const situation& of) noexcept {
    constexpr std::uint64_t least = 1000; // as scalable_options has it
    return {std::max(of.n_low ? of.n_low->value : least, least)};
}

kind kind_of(layout_kind layout) noexcept {
    switch (layout) {
    case layout_kind::split_8x64:
        return kind::split_8x64;
    case layout_kind::split_16x32:
        return kind::split_16x32;
    case layout_kind::blocked_512:
        return kind::blocked;
    default:
        return kind::classic;
    }
}

std::optional<shape> shape_for(kind what, const setting& at) {
    switch (what) {
    case kind::classic:
        return for_rate(at.n, at.p, layout_kind::classic);
    case kind::blocked:
        return for_rate(at.n, at.p, layout_kind::blocked_512);
    case kind::split_8x64:
        return for_rate(at.n, at.p, layout_kind::split_8x64);
    case kind::split_16x32:
        return for_rate(at.n, at.p, layout_kind::split_16x32);
    default:
        return std::nullopt;
    }
}

option two_rotating_filters(const setting& at) {
    return window_option(at, 2, "A pair of rotating filters");
}

option option_for(kind what, const setting& at) {
    switch (what) {
    case kind::none:
        return {what, 0.0, 0.0, 1.0, "Using no filter takes no memory and stops no queries."};
    case kind::bitmap:
    case kind::hash_set:
    case kind::cascade:
        return exact_option(what, at);
    case kind::window:
        return window_option(at, 8, title_of(what));
    case kind::dynamic_count:
        return dynamic_count_option(at);
    case kind::spectral:
    case kind::counting:
        return counter_option(what, at);
    case kind::accurate:
    case kind::dleft:
        return removable_option(what, at);
    case kind::scalable:
        return scalable_option(at);
    case kind::binary_fuse:
        return of_bits(what, at.n, binary_fuse_bits(at.n, at.p), at.p.value);
    case kind::cuckoo:
        return of_bits(what, at.n, cuckoo_bits(at.p), at.p.value);
    default:
        break;
    }
    const shape filter = shape_for(what, at).value_or(shape{});
    const auto keys = static_cast<double>(at.n.value);
    return of_bytes(
        what, at.n, static_cast<double>(filter.byte_count()),
        with_collisions(expected_rate(filter, at.n), keys, digest_bits_for(at.n, at.p)));
}

} // namespace bloomery::inline v0::plan
