#include "options.hpp"

#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace bloomery::plan {
namespace {

constexpr std::array<std::string_view, 16> names{
    "none",          "bitmap",   "hash-set",    "cascade",  "window",   "spectral",
    "dynamic-count", "accurate", "dleft",       "counting", "scalable", "split-8x64",
    "split-16x32",   "classic",  "binary-fuse", "cuckoo"};

constexpr std::array<std::string_view, 16> titles{
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
    "A classic Bloom filter",
    "A binary fuse filter (not in this library)",
    "A cuckoo filter (not in this library)"};

option named(kind what, std::string_view title, double byte_count, double bits_per_item,
             double fpp) {
    std::string sentence = std::string(title) + " takes " + memory(byte_count) + ", " +
                           number(bits_per_item) + (bits_per_item == 1.0 ? " bit" : " bits") +
                           " per key, ";
    sentence +=
        fpp == 0.0 ? "and makes no error." : "at a false-positive rate of " + percent(fpp) + ".";
    return {what, byte_count, bits_per_item, fpp, std::move(sentence)};
}

option of_bits(kind what, items n, double bits_per_item, double fpp) {
    const double byte_count = bits_per_item * static_cast<double>(n.value) / 8.0;
    return named(what, titles.at(static_cast<std::size_t>(what)), byte_count, bits_per_item, fpp);
}

option of_bytes(kind what, items n, double byte_count, double fpp) {
    return of_bits(what, n, 8.0 * byte_count / static_cast<double>(n.value), fpp);
}

option scalable_option(const setting& at) {
    const items first{std::max<std::uint64_t>(at.of.n_low ? at.of.n_low->value : 1000, 1000)};
    const scalable_plan_t made = scalable_plan(at.n, at.p, first);
    return of_bytes(kind::scalable, at.n, static_cast<double>(made.byte_count), made.fpp);
}

option counter_option(kind what, const setting& at) {
    if (what == kind::dynamic_count) {
        // Ten occurrences a key and a largest count of a thousand stand for data nobody has seen.
        const auto made = dynamic_count_plan(at.n, at.p, 10 * at.n.value, 1000);
        return of_bits(what, at.n, made.bits_per_item, fpp(made.positions, at.n));
    }
    const counter_plan made = counting_plan(at.n, at.p, what == kind::spectral ? 8 : 4);
    return of_bits(what, at.n, made.bits_per_item, made.fpp);
}

option removable_option(kind what, const setting& at) {
    if (what == kind::dleft) {
        const dleft_plan_t made = dleft_plan(at.n, at.p);
        return of_bits(what, at.n, made.bits_per_item, made.fpp);
    }
    const accurate_plan_t made = accurate_plan(at.p);
    return of_bits(what, at.n, made.bits_per_item, made.fpp);
}

option window_option(const setting& at, std::uint32_t generations, std::string_view title) {
    const window_plan_t made = window_plan(at.n, at.p, generations);
    return named(kind::window, title, static_cast<double>(made.byte_count), made.bits_per_item,
                 made.fpp);
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

std::optional<shape> shape_for(kind what, const setting& at) {
    switch (what) {
    case kind::classic:
        return for_rate(at.n, at.p, layout_kind::classic);
    case kind::split_8x64:
        return for_rate(at.n, at.p, layout_kind::split_8x64);
    case kind::split_16x32:
        return for_rate(at.n, at.p, layout_kind::split_16x32);
    default:
        return std::nullopt;
    }
}

option two_rotating_filters(const setting& at) {
    return window_option(at, 2, "A pair of filters that take turns");
}

option option_for(kind what, const setting& at) {
    switch (what) {
    case kind::none:
        return {what, 0.0, 0.0, 1.0, "No filter takes no memory and stops no query."};
    case kind::bitmap:
    case kind::hash_set:
    case kind::cascade:
        return exact_option(what, at);
    case kind::window:
        return window_option(at, 8, titles[static_cast<std::size_t>(what)]);
    case kind::spectral:
    case kind::dynamic_count:
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
    return of_bytes(what, at.n, static_cast<double>(filter.byte_count()), fpp(filter, at.n));
}

} // namespace bloomery::plan
