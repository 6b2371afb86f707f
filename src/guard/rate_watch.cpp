#include "rate_watch.hpp"

#include <cmath>

namespace bloomery::inline v0::detail {

namespace {

// Six standard deviations of a binomial count, and six more for the skew of a small one: less than
// one window in 1e9 goes beyond by chance.
double most_by_chance(double rate, double absences) {
    const double expected = rate * absences;
    return expected + 6 * std::sqrt(expected * (1 - rate)) + 6;
}

// A window ends after this many absences: old traffic says little about the present.
constexpr std::uint64_t longest_window = std::uint64_t{1} << 22U;

} // namespace

bool rate_watch::is_due(std::uint64_t false_positives) {
    const std::lock_guard lock(mutex_);
    return false_positives >= errors_ + due_;
}

rate_watch::finding rate_watch::look(std::uint64_t refused, std::uint64_t false_positives,
                                     double computed, double planned) {
    const std::lock_guard lock(mutex_);
    if (false_positives < errors_ || refused < refused_) {
        return {}; // counted before the window began
    }
    finding found;
    found.errors = false_positives - errors_;
    found.absences = refused - refused_ + found.errors;
    if (found.errors < due_) {
        return {};
    }
    const auto absences = static_cast<double>(found.absences);
    const auto errors = static_cast<double>(found.errors);
    found.beyond_chance = errors > most_by_chance(computed, absences);
    found.beyond_plan = errors > most_by_chance(2 * planned, absences);
    if (found.beyond_chance || found.beyond_plan || found.absences > longest_window) {
        refused_ = refused;
        errors_ = false_positives;
        due_ = least_errors;
    } else {
        due_ = found.errors * 2; // each check computes a rate, so check rarely
    }
    return found;
}

void rate_watch::begin(std::uint64_t refused, std::uint64_t false_positives) {
    const std::lock_guard lock(mutex_);
    refused_ = refused;
    errors_ = false_positives;
    due_ = least_errors;
}

} // namespace bloomery::inline v0::detail
