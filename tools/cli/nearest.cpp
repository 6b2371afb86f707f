#include "nearest.hpp"

#include <bloomery/error.hpp>

#include "quoted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bloomery::cli {

namespace {

std::string_view without_dashes(std::string_view word) {
    return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

} // namespace

// The optimal string alignment distance, three rows at a time: a swap looks two rows back.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_back;
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t exchanged = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, exchanged});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
        }
        two_back = std::exchange(last, row);
    }
    return last[b.size()];
}

std::optional<std::string> nearest(std::string_view typed, std::span<const std::string> known) {
    const std::string_view bare = without_dashes(typed);
    // A single letter is close to every other.
    if (bare.size() < 2) return std::nullopt;
    std::size_t least = std::max<std::size_t>(1, bare.size() / 3) + 1;
    std::optional<std::string> found;
    for (const std::string& word : known) {
        const std::string_view other = without_dashes(word);
        if (other.size() < 2) continue;
        const std::size_t distance = edit_distance(bare, other);
        if (distance >= least) continue;
        least = distance;
        found = word;
    }
    return found;
}

std::vector<std::string> words_in(std::string_view list, char between) {
    std::vector<std::string> words;
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(between));
        words.emplace_back(word);
        list.remove_prefix(std::min(list.size(), word.size() + 1));
    }
    return words;
}

void refuse_unknown(std::string_view what, std::string_view typed,
                    std::span<const std::string> known) {
    const std::string refusal = fmt::format("there is no {} {}; ", what, in_quotes(typed));
    if (const auto meant = nearest(typed, known)) {
        throw bad_argument(fmt::format("{}did you mean {}?", refusal, *meant));
    }
    throw bad_argument(fmt::format("{}choose one of: {}", refusal, fmt::join(known, ", ")));
}

} // namespace bloomery::cli
