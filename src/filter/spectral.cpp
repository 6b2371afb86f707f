#include <bloomery/error.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/sizing.hpp>

#include "restoring.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace bloomery::inline v0 {

namespace {

using spectral_counters = storage::escaped_counters<>;

void append(saved_words& to, const spectral_counters& from) {
    for (const auto& [place, value] : from.large().sorted()) {
        to.record.push_back(place);
        to.record.push_back(value);
    }
    to.arrays.push_back(from.words());
}

std::uint64_t stuck_of(const std::vector<spectral_counters::map_type::entry>& large) {
    std::uint64_t stuck = 0;
    for (const auto& [place, value] : large) {
        stuck += value == spectral_counters::limit() ? 1U : 0U;
    }
    return stuck;
}

std::uint64_t largest_of(const spectral_counters& all) {
    std::uint64_t largest = 0;
    for (std::uint64_t at = 0; at < all.count(); ++at) {
        largest = std::max(largest, all[at]);
    }
    return largest;
}

/// Checks a spec before a filter is made from it.
void check_saved_spectral(const spec& what, spectral_policy policy) {
    const auto& [kind_of_policy, width, a, b, c, d, e, f] = what.parameters;
    if (kind_of_policy > 3 || (a | b | c | d | e | f) != 0) {
        throw unsupported("this spectral filter was made by a newer version; update bloomery");
    }
    if (kind_of_policy != static_cast<std::uint64_t>(policy)) {
        throw bad_data("this spectral filter has a different policy");
    }
    if (!spectral_counters::has_width(width)) {
        throw bad_data("a counter has 4, 8, 16 or 32 bits, not " + std::to_string(width));
    }
    if (what.shape.hash_count == 0 || what.shape.hash_count > plan::max_hash_count ||
        what.shape.bit_count == 0 || what.shape.bit_count > plan::max_bit_count) {
        throw bad_data("a spectral filter has between 1 and 2^63 counters, and between 1 and 64 "
                       "of them per key");
    }
}

} // namespace

std::string_view name_of(spectral_policy policy) noexcept {
    constexpr std::array<std::string_view, 4> names{"unknown", "minimum selection",
                                                    "minimal increase", "recurring minimum"};
    const auto at = static_cast<std::size_t>(policy);
    return at < names.size() ? names[at] : names[0];
}

template <spectral_policy Policy>
basic_spectral_filter<Policy>::basic_spectral_filter(items n, rate p,
                                                     const spectral_options& options,
                                                     const native_hash& hash)
    : calls(calls::wide_enough(hash, {n.value, p.value}), {n.value, p.value}), counters_([&] {
          const plan::shape shape = plan::for_rate(n, p);
          return key_counters<counters_type>({shape.bit_count, options.counter_bits},
                                             {shape.bit_count, {shape.hash_count}});
      }()),
      again_(counters_.rule(), options.counter_bits) {}

template <spectral_policy Policy>
basic_spectral_filter<Policy>::basic_spectral_filter(bits m, hashes k,
                                                     const spectral_options& options,
                                                     const native_hash& hash,
                                                     const design& made_for)
    : calls(hash, made_for), counters_({m.value, options.counter_bits}, {m.value, k}),
      again_(counters_.rule(), options.counter_bits) {}

template <spectral_policy Policy>
insertion basic_spectral_filter<Policy>::insert_twice(digest128 key, std::uint64_t r)
    requires(recurs)
{
    if (r == 0) {
        return {!may_contain(key), status::ok};
    }
    // All k counters go up together, so the smallest stays the smallest.
    const bool marked = again_.is_marked(key);
    const bool doubtful = !marked && counters_.has_lone_least(key);
    if (!marked && !doubtful) {
        return counters_.add(key, r);
    }
    const std::uint64_t second = marked ? r : counters_.plus(counters_.least(key), r);
    again_.counters().make_room(key, second);
    const insertion done = counters_.add(key, r);
    again_.mark(key);
    again_.counters().add(key, second);
    return done;
}

template <spectral_policy Policy>
void basic_spectral_filter<Policy>::merge(const basic_spectral_filter& other)
    requires(merges)
{
    detail::require_compatible(compatible_with(other), "merged");
    counters_.counters().add(other.counters_.counters());
}

template <spectral_policy Policy>
void basic_spectral_filter<Policy>::clear() {
    counters_.counters().clear();
    if constexpr (recurs) {
        again_.clear();
    }
}

template <spectral_policy Policy>
std::uint64_t basic_spectral_filter<Policy>::byte_count() const noexcept {
    if constexpr (recurs) {
        return counters_.counters().byte_count() + again_.byte_count();
    } else {
        return counters_.counters().byte_count();
    }
}

template <spectral_policy Policy>
spec basic_spectral_filter<Policy>::spec() const noexcept {
    return this->spec_of(filter_kind::spectral, counters_.rule().shape(),
                         {static_cast<std::uint64_t>(Policy), counters_.counters().width()});
}

template <spectral_policy Policy>
statistics basic_spectral_filter<Policy>::stats() const {
    statistics now = statistics_of(counters_.rule().shape(), counters_.counters().used());
    now.unit = place_unit::counter;
    now.unit_bits = counters_.counters().width();
    return now;
}

template <spectral_policy Policy>
double basic_spectral_filter<Policy>::rate_at(items n) const {
    return counter_count() == 0 ? 0 : plan::expected_rate(counters_.rule().shape(), n);
}

template <spectral_policy Policy>
std::vector<fact> basic_spectral_filter<Policy>::facts() const {
    const counters_type& all = counters_.counters();
    std::vector<fact> found{{"policy", std::string(name_of(Policy))},
                            {"counter bits", std::to_string(all.width())},
                            {"largest counter", std::to_string(largest_of(all))},
                            {"large counters", std::to_string(all.large().size())},
                            {"stuck counters", std::to_string(stuck_of(all.large().sorted()))}};
    if constexpr (recurs) {
        found.push_back({"second counters", std::to_string(again_.counters().counters().count())});
    }
    return found;
}

template <spectral_policy Policy>
saved_words basic_spectral_filter<Policy>::saved() const {
    saved_words all;
    all.record = {counters_.counters().large().size(), 0};
    append(all, counters_.counters());
    if constexpr (recurs) {
        all.record[1] = again_.counters().counters().large().size();
        append(all, again_.counters().counters());
        all.arrays.push_back(again_.marks());
    }
    return all;
}

template <spectral_policy Policy>
basic_spectral_filter<Policy>
basic_spectral_filter<Policy>::restored(const bloomery::spec& what, const design& made_for,
                                        const native_hash& hash,
                                        std::span<const std::uint64_t> words) {
    check_saved_spectral(what, Policy);
    const std::uint64_t m = what.shape.bit_count;
    const auto width = static_cast<std::uint32_t>(what.parameters[1]);
    const std::uint64_t second = recurs ? recurring_part::counters_for(m) : 0;
    word_reader reader(words);
    const std::uint64_t large = reader.take_one();
    const std::uint64_t second_large = reader.take_one();
    const auto entries = reader.take_pairs(large);
    const auto second_entries = reader.take_pairs(second_large);
    const auto first_words = reader.take(counters_type::words_for(m, width));
    const auto second_words = reader.take(counters_type::words_for(second, width));
    const auto marks = reader.take(recurs ? recurring_part::words_for(m) : 0);
    reader.finish();

    basic_spectral_filter made(bits{m}, hashes{what.shape.hash_count}, {width}, hash, made_for);
    if (made.spec() != what || (!recurs && second_large != 0)) {
        throw bad_data("this is not the spec of a spectral filter");
    }
    made.counters_.counters().restore(first_words, entries);
    if constexpr (recurs) {
        made.again_.counters().counters().restore(second_words, second_entries);
        if (m % 64 != 0 && marks.back() >> (m % 64) != 0) {
            throw bad_data("a mark past the end of the filter is set");
        }
        std::ranges::copy(marks, made.again_.marks().data());
    }
    return made;
}

template <spectral_policy Policy>
bool basic_spectral_filter<Policy>::equals(const basic_spectral_filter& other) const {
    return spec() == other.spec() && same_words(saved(), other.saved());
}

template class key_counters<storage::escaped_counters<>>;
template class basic_spectral_filter<spectral_policy::minimum_selection>;
template class basic_spectral_filter<spectral_policy::minimal_increase>;
template class basic_spectral_filter<spectral_policy::recurring_minimum>;

} // namespace bloomery::inline v0
