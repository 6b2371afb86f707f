#include <bloomery/detail/text/number.hpp>
#include <bloomery/detail/text/units.hpp>
#include <bloomery/detail/text/words.hpp>
#include <bloomery/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace bloomery::inline v0::text {

namespace {

std::string_view without_dashes(std::string_view word) {
    return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

} // namespace

std::string in_quotes(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) {
            result += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string joined(std::span<const std::string> words, std::string_view between) {
    std::string all;
    for (const std::string& word : words) {
        if (!all.empty()) all += between;
        all += word;
    }
    return all;
}

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
    // A single letter is close to every other; and nobody mistypes a word of pages.
    constexpr std::size_t longest = 100;
    if (bare.size() < 2 || bare.size() > longest) return std::nullopt;
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

void refuse_unknown(std::string_view what, std::string_view typed,
                    std::span<const std::string> known) {
    const std::string refusal = "there is no " + std::string(what) + " " + in_quotes(typed) + "; ";
    if (const auto meant = nearest(typed, known)) {
        throw bad_argument(refusal + "did you mean " + *meant + "?");
    }
    throw bad_argument(refusal + "choose one of: " + joined(known, ", "));
}

std::string_view next_part(std::string_view& rest) noexcept {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
}

parameter::parameter(std::string_view said) noexcept : name(said.substr(0, said.find('='))) {
    if (name.size() < said.size()) value = said.substr(name.size() + 1);
}

void refuse_parameter(std::string_view whose, const parameter& said,
                      std::span<const std::string> known) {
    const std::string name(said.name);
    if (std::ranges::find(known, name) != known.end()) {
        throw bad_argument("the parameter " + name + " needs a value: " + name + "=VALUE");
    }
    const std::string refusal = std::string(whose) + " has no parameter " + in_quotes(name);
    if (known.empty()) throw bad_argument(refusal + " and takes none; leave it out");
    if (const auto meant = nearest(name, known)) {
        throw bad_argument(refusal + "; did you mean " + *meant + "=?");
    }
    throw bad_argument(refusal + "; choose one of: " + joined(known, "=, ") + "=");
}

std::uint64_t whole_number(std::string_view value, std::string_view parameter, std::uint64_t most) {
    const std::uint64_t number = parse_count(value);
    if (number > most) {
        throw bad_argument("the parameter " + std::string(parameter) + " takes at most " +
                           std::to_string(most) + ", not " + std::to_string(number));
    }
    return number;
}

double positive_number(std::string_view value, std::string_view parameter) {
    const std::optional<double> number = number_in<double>(value);
    if (!number || !(*number > 0)) {
        throw bad_argument("the parameter " + std::string(parameter) +
                           " takes a positive number, not " + in_quotes(value));
    }
    return *number;
}

bool yes_or_no(std::string_view value, std::string_view parameter) {
    if (value == "yes" || value == "no") return value == "yes";
    throw bad_argument("the parameter " + std::string(parameter) + " takes yes or no, not " +
                       in_quotes(value));
}

} // namespace bloomery::inline v0::text
