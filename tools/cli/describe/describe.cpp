// bloomery describe: what the parser says of itself.
#include <bloomery/detail/format/format_choice.hpp>
#include <bloomery/error.hpp>

#include "command.hpp"
#include "describe/model.hpp"
#include "options/shape_options.hpp"
#include "output/output.hpp"
#include "wording.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace bloomery::cli {

namespace describing {
namespace {

// The words by which a verb says that an argument is the name of a file.
bool means_file(std::string_view word) {
    return word == "FILE" || word == "FILTER" || word == "INPUT" || word == "OUTPUT";
}

// The words that an option takes: those of a value `a|b|c`, or those of the table that it names.
// `N|TIME` names two things and no word.
std::vector<std::string> choices_in(const std::string& value) {
    const std::string name = value.substr(0, value.find('['));
    if (name == "KIND") return kind_names();
    if (name == "FORMAT") return format::format_names();
    if (value.find('|') == std::string::npos) return {};
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (std::ranges::any_of(value, is_capital)) return {};
    return CLI::detail::split(value, '|');
}

option read_option(const CLI::Option& from) {
    option to;
    for (const std::string& name : from.get_snames()) {
        to.names.push_back("-" + name);
    }
    for (const std::string& name : from.get_lnames()) {
        to.names.push_back("--" + name);
    }
    if (from.get_items_expected_max() > 0) {
        const std::string type = from.get_type_name();
        to.value = type.substr(0, type.find(':')); // after it, CLI11 lists the validators
        to.choices = choices_in(to.value);
        to.takes_file = means_file(to.value);
    }
    to.required = from.get_required();
    to.group = from.get_group();
    to.text = from.get_description();
    return to;
}

argument read_argument(const CLI::Option& from) {
    const std::string name = from.get_name(true);
    return {name, means_file(name), from.get_required(),
            from.get_items_expected_max() >= CLI::detail::expected_max_vector_size,
            from.get_description()};
}

verb read_verb(const CLI::App& from, const std::string& outer = "") {
    verb to{outer + from.get_name(), from.get_description(), {}, {}, from.get_footer(), {}};
    for (const CLI::Option* each : from.get_options({})) {
        if (each->get_group().empty()) continue;
        if (each->nonpositional()) {
            to.options.push_back(read_option(*each));
        } else {
            to.arguments.push_back(read_argument(*each));
        }
    }
    return to;
}

verb read_verb_whole(const CLI::App& from) {
    verb to = read_verb(from);
    for (const CLI::App* each : from.get_subcommands({})) {
        to.inner.push_back(read_verb(*each, to.name + " "));
    }
    return to;
}

} // namespace

command read(const CLI::App& app) {
    command to{read_verb(app), {}};
    for (const CLI::App* each : app.get_subcommands({})) {
        if (!each->get_group().empty()) to.verbs.push_back(read_verb_whole(*each));
    }
    return to;
}

std::vector<verb> with_inner(const std::vector<verb>& verbs) {
    std::vector<verb> all;
    for (const verb& each : verbs) {
        all.push_back(each);
        all.insert(all.end(), each.inner.begin(), each.inner.end());
    }
    return all;
}

std::vector<std::string> words_of(const std::vector<verb>& verbs) {
    std::vector<std::string> words;
    words.reserve(verbs.size());
    for (const verb& each : verbs) {
        words.push_back(each.word());
    }
    return words;
}

std::vector<std::string> names_of(const verb& of, bool only_with_value) {
    std::vector<std::string> names;
    for (const option& each : of.options) {
        if (only_with_value && each.value.empty()) continue;
        names.insert(names.end(), each.names.begin(), each.names.end());
    }
    return names;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string shell_quoted(std::string_view word) {
    return "'" + replaced(std::string(word), "'", R"('\'')") + "'";
}

} // namespace describing

namespace {

// A package must come out the same whenever it is built:
// reproducible-builds.org/specs/source-date-epoch
std::string day_of_the_page() {
    std::time_t when = std::time(nullptr);
    if (const char* const fixed = std::getenv("SOURCE_DATE_EPOCH")) {
        const std::string_view text = fixed;
        const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), when);
        if (code != std::errc{} || stop != text.data() + text.size()) {
            throw bad_argument(fmt::format("SOURCE_DATE_EPOCH must be a number of seconds, not {}",
                                           in_quotes(text)));
        }
    }
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(when));
}

std::string text_of(const std::string& what, const describing::command& of) {
    if (what == "man") return man_page(of, day_of_the_page());
    if (what == "bash") return bash_completion(of);
    if (what == "zsh") return zsh_completion(of);
    if (what == "fish") return fish_completion(of);
    throw bad_argument(
        fmt::format("describe takes man, bash, zsh or fish, not {}", in_quotes(what)));
}

} // namespace

void add_describe(CLI::App& app, int& result) {
    auto what = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("describe", "Print the manual page, or shell completions");
    verb->group("");
    verb->add_option("WHAT", *what, "man, bash, zsh or fish")->required();
    verb->callback([what, &app, &result] {
        output out(STDOUT_FILENO, "standard output");
        out.write(text_of(*what, describing::read(app)));
        out.close();
        result = some;
    });
}

} // namespace bloomery::cli
