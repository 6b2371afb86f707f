#include "rules.hpp"

#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "text.hpp"

#include <array>

namespace bloomery::plan {
namespace {

constexpr double small_set_bytes = 1 << 20;
constexpr std::uint64_t small_set_items = 4096;
constexpr double small_bitmap_bytes = 64 << 10;
constexpr double split_limit = 5e-4;    // below it a block of 8x64 costs over 13 % more memory
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
                        " and is exact, countable and deletable.",
                    "A classic Bloom filter for " + percent(at.p.value) + " would take " +
                        memory(bloom.bytes) + "."}};
}

ruling few_keys(const setting& at) {
    const double set = hash_set_bytes(at.n, at.of.key_bytes);
    std::string why;
    if (!at.of.error_allowed) {
        why = "No error is allowed, and every filter answers wrongly now and then.";
    } else if (at.n.value <= small_set_items) {
        why = "There are only " + grouped(at.n.value) + " keys.";
    } else if (set <= small_set_bytes) {
        why = "All keys together fit into less than 1 MiB.";
    } else {
        return std::nullopt;
    }
    return verdict{kind::hash_set,
                   option_for(kind::classic, at),
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
        {"All keys that will be asked are known, so a cascade of filters separates the " +
             grouped(at.n.value) + " members from the " + grouped(at.of.known_negatives->value) +
             " others without error.",
         "It takes " + number(cascade.bits_per_item) +
             " bits per member; its answers for keys outside both lists mean nothing."}};
}

ruling endless_stream(const setting& at) {
    if (!at.of.window) return std::nullopt;
    const option lanes = option_for(kind::window, at);
    const option pair = two_rotating_filters(at);
    return verdict{kind::window,
                   pair,
                   {"The stream has no end, so the filter must forget: 8 generations that share "
                    "their positions remember the last " +
                        grouped(at.of.window->value) + " keys with " + number(lanes.bits_per_item) +
                        " bits each.",
                    "Two filters that take turns would need " + number(pair.bits_per_item) +
                        " bits per key."}};
}

ruling counts(const setting& at) {
    if (!at.of.needs_counts) return std::nullopt;
    if (at.of.adaptive_width) {
        return verdict{kind::dynamic_count,
                       option_for(kind::spectral, at),
                       {"The counters shall follow the largest count, which the overflow part of a "
                        "dynamic count filter does; one hot key widens all of them."}};
    }
    std::string policy;
    if (!at.of.needs_removal) {
        policy = "Occurrences are only added, so minimal increase is the policy: it never counts "
                 "too low and makes fewer and smaller errors than minimum selection.";
    } else if (at.of.counts_skewed) {
        policy = "Occurrences are removed and counts are skewed: minimum selection, with counters "
                 "of 8 bits and a map for the few that outgrow them.";
    } else {
        policy = "Occurrences are removed, so minimum selection is the policy: minimal increase "
                 "would count too low afterwards.";
    }
    return verdict{
        kind::spectral,
        option_for(kind::dynamic_count, at),
        {std::move(policy), "About " + percent(at.p.value) + " of the counts will be too high."}};
}

ruling removal(const setting& at) {
    if (!at.of.needs_removal) return std::nullopt;
    const std::string outside = "Outside this library a cuckoo filter would do with " +
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
                       {"Keys are removed and memory decides: fingerprints in d-left tables take "
                        "less than half of a counting filter, at four cache lines a query.",
                        outside}};
    }
    return verdict{kind::accurate,
                   option_for(kind::dleft, at),
                   {"Keys are removed and queries decide: an accurate counting filter answers from "
                    "one cache line.",
                    outside}};
}

std::string overfill_sentence(const setting& at) {
    const auto rows = overfill(for_rate(at.n, at.p), at.n);
    return "A classic filter that gets more keys than planned goes from " + percent(rows[0].fpp) +
           " to " + percent(rows[1].fpp) + " at 1.2 times, " + percent(rows[2].fpp) +
           " at 1.5 times and " + percent(rows[3].fpp) + " at twice the number.";
}

ruling unknown_number(const setting& at) {
    if (at.of.n || !at.of.n_low || !at.of.n_high) return std::nullopt;
    if (at.of.n_high->value / 4 < at.of.n_low->value ||
        at.of.n_high->value == 4 * at.of.n_low->value) {
        return std::nullopt;
    }
    return verdict{kind::scalable,
                   option_for(kind::classic, at),
                   {"The number of keys lies between " + grouped(at.of.n_low->value) + " and " +
                        grouped(at.of.n_high->value) +
                        ", too far apart to size one filter: layers grow with the data.",
                    overfill_sentence(at)}};
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

verdict plain_filter(const setting& at) {
    const option classic = option_for(kind::classic, at);
    const option split = option_for(kind::split_8x64, at);
    const double overhead = split.bytes / classic.bytes - 1.0;
    const std::string more = "One cache line a query in the 8x64 layout costs " +
                             percent(overhead) + " more memory than the classic layout.";
    std::vector<std::string> reasons;
    // Few blocks are filled too unevenly to be worth their one cache line.
    const bool blocks_pay = split.bytes / 64.0 >= 64.0;
    const bool refused = at.of.refuses_overhead && overhead > 0.15;
    if (at.p.value >= split_limit && blocks_pay && !refused) {
        return {kind::split_8x64, classic, {more}};
    }
    if (at.p.value < split_limit && at.of.one_line_per_query && blocks_pay) {
        const option wide = option_for(kind::split_16x32, at);
        return {kind::split_16x32,
                classic,
                {"One cache line a query is wanted at a low rate: 16x32 costs " +
                 percent(wide.bytes / classic.bytes - 1.0) +
                 " more memory than the classic layout."}};
    }
    if (at.p.value < split_limit) {
        reasons.push_back("Below 0.05 % blocks cost more than they save.");
    } else if (!blocks_pay) {
        reasons.emplace_back("So few blocks are filled too unevenly.");
    }
    reasons.push_back(more);
    return {kind::classic, split, std::move(reasons)};
}

} // namespace

verdict decide(const setting& at) {
    constexpr std::array rules{dense_integers, few_keys, closed_universe, endless_stream,
                               counts,         removal,  unknown_number,  fixed_set};
    for (const auto rule : rules) {
        if (ruling made = rule(at)) return *std::move(made);
    }
    verdict last = plain_filter(at);
    if (!at.of.n && at.of.n_high) {
        last.reasons.push_back("It is sized for the most keys that you expect. " +
                               overfill_sentence(at));
    }
    return last;
}

} // namespace bloomery::plan
