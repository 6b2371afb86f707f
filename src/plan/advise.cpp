#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/advise.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/sizing.hpp>

#include "check.hpp"
#include "options.hpp"

#include <algorithm>
#include <cmath>

namespace bloomery::inline v0::plan {
namespace {

void check_costs(const situation& of) {
    const auto bad = [](const std::optional<double>& cost) {
        return cost && !(*cost >= 0.0 && std::isfinite(*cost));
    };
    if (bad(of.probe_cost_ns) || bad(of.backend_cost_ns)) {
        throw bad_argument("a cost must be a finite, non-negative number of nanoseconds");
    }
    if (of.n_low && of.n_high && of.n_low->value > of.n_high->value) {
        throw bad_argument("the lower bound of the number of keys is above the upper bound; swap "
                           "them");
    }
    if (of.integer_range && *of.integer_range == 0) {
        throw bad_argument("an integer range of 0 has no keys; give the largest key plus one");
    }
    if (of.positive_fraction) (void)saving_per_query(*of.positive_fraction, 0.0, 0.0, 0.0);
}

items number_of_keys(const situation& of) {
    if (of.window) return *of.window;
    if (of.n) return *of.n;
    if (of.n_high) return *of.n_high;
    if (of.n_low) return *of.n_low;
    throw bad_argument("the number of keys is missing; give n, or bounds for it, or a window");
}

// "A bitmap takes ..." becomes "Use a bitmap, which takes ...".
std::string headline_for(std::string sentence) {
    sentence.front() = sentence.front() == 'A' ? 'a' : sentence.front();
    sentence.insert(std::min(sentence.find(" takes "), sentence.find(" starts ")), ", which");
    return "Use " + sentence;
}

bool is_exact(kind what) { return what == kind::bitmap || what == kind::hash_set; }

bool is_in_lines(kind what) {
    return what == kind::split_8x64 || what == kind::split_16x32 || what == kind::blocked;
}

recipe recipe_for(kind what, const setting& at) {
    recipe made{at.n, at.p};
    if (what == kind::scalable) made.n = first_layer(at.of);
    if (shape_for(what, at)) made.usual_layout = what == kind_of(choose(at.n, at.p).layout);
    made.minimal_increase = what == kind::spectral && counts_by_minimal_increase(at.of);
    made.keyed = at.of.untrusted_keys;
    return made;
}

// Why a filter in front of the backend does not pay, or an empty text.
std::string why_not(const situation& of, double expected_rate) {
    if (!of.positive_fraction) return {};
    const double positive = *of.positive_fraction;
    if (of.probe_cost_ns && of.backend_cost_ns) {
        const double saved = (1.0 - positive) * (1.0 - expected_rate) * *of.backend_cost_ns;
        if (saving_per_query(positive, expected_rate, *of.probe_cost_ns, *of.backend_cost_ns) > 0.0)
            return {};
        return "it saves " + number(saved) + " ns of backend time per query on average and costs " +
               number(*of.probe_cost_ns) + " ns per lookup.";
    }
    if (positive <= 0.5) return {};
    return percent(positive) + " of the queries are for keys that are present, and a filter "
                               "stops only the others.";
}

std::string pays_sentence(const situation& of, double expected_rate) {
    if (!of.probe_cost_ns || !of.backend_cost_ns) return {};
    const double limit = 1.0 - *of.probe_cost_ns / ((1.0 - expected_rate) * *of.backend_cost_ns);
    if (of.positive_fraction) {
        const double saved = saving_per_query(*of.positive_fraction, expected_rate,
                                              *of.probe_cost_ns, *of.backend_cost_ns);
        return "It pays: each query saves " + number(saved) +
               " ns on average; the break-even is at " + percent(limit) +
               " of queries for present keys.";
    }
    if (!(limit > 0.0)) return "It cannot pay: a lookup costs as much as the backend.";
    return "It pays while fewer than " + percent(limit) + " of the queries are for present keys.";
}

std::string distrust(const setting& at, kind what) {
    if (what == kind::hash_set) {
        return "Keys come from people you do not trust: give the hash set a keyed hash with a "
               "secret random key, or they can choose keys that all collide.";
    }
    const shape plain = for_rate(at.n, at.p);
    return "Keys come from people you do not trust: a keyed hash with a secret random key is "
           "mandatory, because anyone who can compute the hash can drive the rate from " +
           percent(at.p.value) + " to " +
           percent(polluted_rate(at.n, {plain.bit_count}, {plain.hash_count})) +
           " by choosing keys.";
}

std::string past_the_cache(const option& filter, bytes cache) {
    const std::string text = "The filter (" + memory(filter.bytes) +
                             ") is larger than the last-level cache (" +
                             memory(static_cast<double>(cache.value)) + "): ";
    if (is_in_lines(filter.what) || filter.what == kind::accurate) {
        return text + "this blocked layout touches one line per query.";
    }
    return text + (filter.what == kind::classic
                       ? "a blocked layout touches one line per query instead of several."
                       : "a query waits for several lines from memory.");
}

std::vector<std::string> warnings_for(const setting& at, const advice& given) {
    std::vector<std::string> all;
    const situation& of = at.of;
    const kind what = given.recommended.what;
    const bool filter = !is_exact(what) && what != kind::none;
    if (of.untrusted_keys && what != kind::bitmap && what != kind::none) {
        all.push_back(distrust(at, what));
    }
    if (at.p.value < 1e-9 && what != kind::hash_set) {
        all.emplace_back("Rates below 1e-9 are the domain of exact sets: use a set or 128-bit "
                         "fingerprints.");
    }
    if (filter && is_open_ended(of) && what != kind::scalable) {
        all.push_back("Only a lower bound for the number of keys is known: it is sized for " +
                      grouped(at.n.value) + ", and its rate rises with every key beyond that.");
    }
    if (filter && of.positive_fraction && *of.positive_fraction > 0.5) {
        all.push_back("More than half of the queries (" + percent(*of.positive_fraction) +
                      ") are for present keys; the filter helps only with the others.");
    }
    if (filter && of.last_level_cache &&
        given.recommended.bytes > static_cast<double>(of.last_level_cache->value)) {
        all.push_back(past_the_cache(given.recommended, *of.last_level_cache));
    }
    if (of.integer_range && what != kind::bitmap) {
        all.emplace_back("The keys are integers: a compressed (Roaring) bitmap is exact and may be "
                         "small where they come in clusters.");
    }
    return all;
}

} // namespace

double saving_per_query(double positive_fraction, double expected_rate, double probe_cost,
                        double backend_cost) {
    if (!(positive_fraction >= 0.0 && positive_fraction <= 1.0)) {
        throw bad_argument("the share of positive queries must be between 0 and 1");
    }
    return (1.0 - positive_fraction) * (1.0 - expected_rate) * backend_cost - probe_cost;
}

advice advise(const situation& of) {
    check_costs(of);
    const setting at{of, number_of_keys(of), of.p.value_or(rate{0.01})};
    check_items(at.n);
    check_rate(at.p);
    verdict made = decide(at);
    option chosen = option_for(made.chosen, at);
    advice given{};
    given.reasons = std::move(made.reasons);
    const std::string against = is_exact(made.chosen) ? "" : why_not(of, chosen.expected_rate);
    if (!against.empty()) {
        given.headline = "Don't use a Bloom filter here: " + against;
        const double stopped =
            (1.0 - of.positive_fraction.value_or(0.0)) * (1.0 - chosen.expected_rate);
        given.reasons.insert(
            given.reasons.begin(),
            "It would answer " + percent(stopped) +
                " of the queries by itself; all others would pay for a useless lookup first.");
        given.runner_up = std::move(chosen);
        given.recommended = option_for(kind::none, at);
    } else {
        given.headline = headline_for(chosen.sentence);
        given.filter = shape_for(made.chosen, at);
        given.make = recipe_for(made.chosen, at);
        given.recommended = std::move(chosen);
        given.runner_up = std::move(made.runner_up);
        const std::string pays = pays_sentence(of, given.recommended.expected_rate);
        if (!pays.empty() && !is_exact(given.recommended.what)) given.reasons.push_back(pays);
    }
    given.warnings = warnings_for(at, given);
    return given;
}

} // namespace bloomery::inline v0::plan
