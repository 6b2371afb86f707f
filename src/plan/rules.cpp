#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "options.hpp"

#include <array>

namespace bloomery::inline v0::plan {
namespace {

constexpr double small_set_bytes = 1 << 20;
constexpr std::uint64_t small_set_items = 4096;
constexpr double small_bitmap_bytes = 64 << 10;
constexpr double accurate_limit = 5e-3; // below it d-left is smaller
constexpr std::uint64_t many_items = 100'000;

using ruling = std::optional<verdict>;

ruling dense_integers(const setting& at) {
    // A bitmap neither counts occurrences nor forgets.
    if (!at.of.integer_range || at.of.needs_counts || at.of.window) return std::nullopt;
    const auto range = static_cast<double>(*at.of.integer_range);
    const option bloom = option_for(kind::classic, at);
    const double table = static_cast<double>(bitmap_bytes(*at.of.integer_range));
    if (range > 4.0 * 8.0 * bloom.bytes && table > small_bitmap_bytes) return std::nullopt;
    return verdict{kind::bitmap,
                   bloom,
                   {"The keys are integers below " + grouped(*at.of.integer_range) +
                        ", so one bit for each possible key takes " + memory(table) +
                        ", is exact, and supports counting and deletion.",
                    "A classic Bloom filter for " + percent(at.p.value) + " would take " +
                        memory(bloom.bytes) + "."}};
}

ruling few_keys(const setting& at) {
    const double set = hash_set_bytes(at.n, at.of.key_bytes);
    std::string why;
    const bool bounded = !is_open_ended(at.of);
    if (!at.of.error_allowed) {
        why = "No errors are allowed, and every filter gives a wrong answer now and then.";
    } else if (bounded && at.n.value <= small_set_items) {
        why = at.of.window ? "Only the last " + grouped(at.n.value) + " keys count."
                           : "There are only " + grouped(at.n.value) + " keys.";
    } else if (bounded && set <= small_set_bytes) {
        why = "All keys together fit into less than 1 MiB.";
    } else {
        return std::nullopt;
    }
    return verdict{kind::hash_set,
                   option_for(at.of.window ? kind::window : kind::classic, at),
                   {std::move(why), "An exact set of " + grouped(at.n.value) + " keys of " +
                                        number(at.of.key_bytes) + " bytes takes " + memory(set) +
                                        "."}};
}

ruling closed_universe(const setting& at) {
    if (!at.of.known_negatives) return std::nullopt;
    const option cascade = option_for(kind::cascade, at);
    return verdict{
        kind::cascade,
        option_for(kind::classic, at),
        {"All keys that will be looked up are known, so a cascade of filters separates the " +
             grouped(at.n.value) + " members from the " + grouped(at.of.known_negatives->value) +
             " others without error.",
         "It takes " + number(cascade.bits_per_item) +
             " bits per member; its answers for keys outside both lists mean nothing."}};
}

ruling endless_stream(const setting& at) {
    if (!at.of.window) return std::nullopt;
    const option lanes = option_for(kind::window, at);
    const option pair = two_rotating_filters(at);
    return verdict{
        kind::window,
        pair,
        {"The stream has no end, so the filter must forget: 8 generations that share "
         "their positions remember the last " +
             grouped(at.of.window->value) + " keys with " + number(lanes.bits_per_item) +
             " bits each.",
         "Two rotating filters would need " + number(pair.bits_per_item) + " bits per key."}};
}

ruling counts(const setting& at) {
    if (!at.of.needs_counts) return std::nullopt;
    if (at.of.adaptive_width) {
        return verdict{kind::dynamic_count,
                       option_for(kind::spectral, at),
                       {"The counters should grow with the largest count, as those of a dynamic "
                        "count filter do; one hot key widens all of them."}};
    }
    std::string policy;
    if (counts_by_minimal_increase(at.of)) {
        policy = "Occurrences are only added, so the policy is minimal increase: it never counts "
                 "too low and makes fewer and smaller errors than minimum selection.";
    } else if (at.of.counts_skewed) {
        policy = "Occurrences are removed and counts are skewed: minimum selection, with counters "
                 "of 8 bits and a map for the few that outgrow them.";
    } else {
        policy = "Occurrences are removed, so the policy is minimum selection: minimal increase "
                 "would count too low afterwards.";
    }
    return verdict{
        kind::spectral,
        option_for(kind::dynamic_count, at),
        {std::move(policy), "About " + percent(at.p.value) + " of the counts will be too high.",
         "One hot key widens every counter of a dynamic count filter, and a single one here."}};
}

ruling removal(const setting& at) {
    if (!at.of.needs_removal) return std::nullopt;
    const std::string outside = "Outside this library, a cuckoo filter would need " +
                                number(cuckoo_bits(at.p)) + " bits per key and a quotient filter " +
                                "with " + number(quotient_bits(at.p)) + ".";
    if (at.of.needs_merge) {
        return verdict{kind::counting,
                       option_for(kind::dleft, at),
                       {"Keys are removed and filters are merged: plain counters add up, the "
                        "denser kinds do not.",
                        outside}};
    }
    if (at.p.value < accurate_limit || at.of.memory_bound) {
        return verdict{kind::dleft,
                       option_for(kind::counting, at),
                       {"Keys are removed and memory matters most: fingerprints in d-left tables "
                        "take less than half of a counting filter, at four cache lines per query.",
                        outside}};
    }
    return verdict{kind::accurate,
                   option_for(kind::dleft, at),
                   {"Keys are removed and lookup speed matters most: an accurate counting filter "
                    "answers from one cache line.",
                    outside}};
}

std::string overfill_sentence(const setting& at) {
    const auto rows = overfill(choose(at.n, at.p), at.n);
    return "If there are more keys than planned, its rate goes from " +
           percent(rows[0].expected_rate) + " to " + percent(rows[1].expected_rate) +
           " at 1.2 times, " + percent(rows[2].expected_rate) + " at 1.5 times and " +
           percent(rows[3].expected_rate) + " at twice the number.";
}

ruling unknown_number(const setting& at) {
    if (!is_open_ended(at.of)) return std::nullopt;
    return verdict{kind::scalable,
                   option_for(kind_of(choose(at.n, at.p).layout), at),
                   {"The number of keys is unknown: layers grow with the data, and the rate "
                    "holds for any number.",
                    "A filter of fixed size needs an upper bound for the number of keys; give "
                    "one if you can."}};
}

/// Up to how many keys a scalable filter takes less memory than that; 0 if it never does.
std::uint64_t leaner_up_to(double byte_count, const setting& at) {
    const items first = first_layer(at.of);
    std::uint64_t keys = 0;
    for (items n = first; n.value < at.n.value; n.value *= 2) {
        const scalable_plan_t grown = scalable_plan(n, at.p, first);
        if (static_cast<double>(grown.byte_count) > byte_count) break;
        keys = grown.item_capacity;
    }
    return keys;
}

/// What bounds far apart mean for a filter of fixed size, and for one that would grow instead.
void weigh_bounds(verdict& made, const setting& at) {
    const double fixed = option_for(made.chosen, at).bytes;
    made.reasons.push_back("It is sized for the largest number of keys that you expect. " +
                           overfill_sentence(at));
    if (!at.of.n_low || at.of.n_low->value > at.n.value / 4) return;
    made.runner_up = option_for(kind::scalable, at);
    const std::uint64_t keys = leaner_up_to(fixed, at);
    made.reasons.push_back(keys == 0 ? "A scalable filter would take more memory from the start."
                                     : "A scalable filter takes less memory up to " +
                                           grouped(keys) + " keys, and more from there on.");
}

ruling fixed_set(const setting& at) {
    if (!at.of.fixed_set || at.n.value < many_items) return std::nullopt;
    const option fuse = option_for(kind::binary_fuse, at);
    return verdict{kind::classic,
                   fuse,
                   {"The set is fixed and large: a binary fuse filter needs " +
                        number(fuse.bits_per_item) +
                        " bits per key (9 with 8-bit fingerprints, at 0.39 %) and ribbon about " +
                        number(ribbon_bits(at.p)) + ".",
                    "Neither is in this library; here the classic layout is the smallest."}};
}

std::string cost_of_lines(const option& lines, const option& classic) {
    return "One cache line per query in the " + std::string(name_of(lines.what)) +
           " layout costs " + percent(lines.bytes / classic.bytes - 1.0) +
           " more memory than the classic layout.";
}

/// The leaner split layout where it reaches the rate at all.
std::optional<option> deep_blocks(const setting& at) {
    try {
        return option_for(kind::split_16x32, at);
    } catch (const bad_argument&) {
        return std::nullopt;
    }
}

/// What the planner chooses, unless the caller would rather have less memory or fewer lines.
verdict plain_filter(const setting& at) {
    const option classic = option_for(kind::classic, at);
    const kind usual = kind_of(choose(at.n, at.p).layout);
    if (usual != kind::classic) {
        const option lines = option_for(usual, at);
        const std::string cost = cost_of_lines(lines, classic);
        if (!at.of.refuses_overhead || lines.bytes <= 1.15 * classic.bytes) {
            return {usual, classic, {cost}};
        }
        return {kind::classic, lines, {cost, "More than 15 % is too much for you."}};
    }
    const std::optional<option> lines = deep_blocks(at);
    if (!lines) {
        return {kind::classic,
                option_for(kind::hash_set, at),
                {"No blocked layout reaches such a low rate."}};
    }
    const std::string cost = cost_of_lines(*lines, classic);
    if (at.of.one_line_per_query) return {lines->what, classic, {cost}};
    return {kind::classic, *lines, {cost, "That is more than 50 % extra."}};
}

} // namespace

verdict decide(const setting& at) {
    constexpr std::array rules{dense_integers, few_keys, closed_universe, endless_stream,
                               counts,         removal,  unknown_number,  fixed_set};
    for (const auto rule : rules) {
        if (ruling made = rule(at)) return *std::move(made);
    }
    verdict last = plain_filter(at);
    if (!at.of.n && at.of.n_high) weigh_bounds(last, at);
    return last;
}

} // namespace bloomery::inline v0::plan
