// One of the two parts: PART names it.
#include "two_march.hpp"

namespace two_march {
namespace {

template <class Visit, class Filters>
void each(Filters& all, Visit visit) {
    visit(all.chosen);
    visit(all.fast);
    visit(all.line);
    visit(all.deep);
    visit(all.blocked);
    visit(all.classic);
    visit(all.counting);
    visit(all.lines);
    visit(all.spectral);
    visit(all.accurate);
    visit(all.dleft);
    visit(all.scalable);
    visit(all.window);
    visit(all.any);
    visit(all.any_fast);
    visit(all.any_accurate);
    visit(all.listed);
}

filters make() { return {}; }

/// Inserts through the view for several threads, where there is one.
template <class Filter>
void share(Filter& into, numbers keys, texts names) {
    if constexpr (requires { into.shared(); }) {
        if constexpr (requires { into.can_share(); }) {
            if (!into.can_share()) return;
        }
        const auto view = into.shared();
        view.insert_many(names);
        view.insert(keys[0]);
        view.insert(names[0]);
    }
}

void insert(filters& into, numbers keys, texts names) {
    each(into, [&](auto& filter) {
        filter.insert_many(keys.first(keys.size() / 2));
        filter.insert_many(names.first(names.size() / 2));
        for (const std::uint64_t key : keys.subspan(keys.size() / 2)) {
            filter.insert(key);
        }
        for (const std::string& name : names.subspan(names.size() / 2)) {
            filter.insert(name);
        }
        for (const std::string& name : names) {
            filter.insert(std::pair(name.size(), name));
        }
        share(filter, keys, names);
    });
}

template <class Filter, class Keys>
std::uint64_t missing_of(const Filter& in, Keys keys) {
    bloomery::bitmap maybe;
    in.may_contain_many(keys, maybe);
    std::uint64_t missing = keys.size() - maybe.count();
    for (const auto& key : keys) {
        missing += in.may_contain(key) ? 0U : 1U;
        if constexpr (requires { key.size(); }) {
            missing += in.may_contain(std::pair(key.size(), key)) ? 0U : 1U;
        }
    }
    return missing;
}

std::uint64_t missing(const filters& in, numbers keys, texts names) {
    std::uint64_t sum = 0;
    each(in,
         [&](const auto& filter) { sum += missing_of(filter, keys) + missing_of(filter, names); });
    return sum;
}

/// What `saved` gives, or the words of a filter that is nothing else.
template <class Filter>
void append(std::vector<std::uint64_t>& to, const Filter& of) {
    if constexpr (requires { of.saved(); }) {
        const bloomery::saved_words saved = of.saved();
        to.insert(to.end(), saved.record.begin(), saved.record.end());
        for (const auto& array : saved.arrays) {
            to.insert(to.end(), array.begin(), array.end());
        }
    } else {
        to.insert(to.end(), of.words().begin(), of.words().end());
    }
}

std::vector<std::uint64_t> state(const filters& of, numbers keys) {
    std::vector<std::uint64_t> words;
    each(of, [&](const auto& filter) {
        append(words, filter);
        words.push_back(filter.stats().bits_set);
        words.push_back(static_cast<std::uint64_t>(1e12 * filter.rate_at(bloomery::items{100})));
        auto copy = filter;
        if constexpr (requires {
                          copy.erase(keys[0]);
                          copy.count(keys[0]);
                      }) {
            for (const std::uint64_t key : keys.first(100)) {
                if constexpr (requires { copy.can_erase(); }) {
                    if (!copy.can_erase() || !copy.can_count()) break;
                }
                static_cast<void>(copy.erase(key));
                words.push_back(copy.count(key));
            }
        }
        if constexpr (requires { copy.merge(filter); }) {
            copy.merge(filter);
        }
        append(words, copy);
    });
    return words;
}

} // namespace

const part PART{make, insert, missing, state};

} // namespace two_march
