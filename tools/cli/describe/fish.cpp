// Completion for fish: one `complete` for each verb, option and place of a file.
#include "describe/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bloomery::cli::describing {

namespace {

constexpr const char* fish_opening = R"FISH(# Written by "bloomery describe fish"; do not edit.

# Whether the verb that was typed is this one, of one word or two; without arguments, whether no
# verb was typed yet.
function __bloomery_verb_is
    set -l words (commandline -opc)
    set -l typed
    for word in $words[2..]
        string match -q -- '-*' $word; or set -a typed $word
    end
    if test (count $argv) -eq 0
        test (count $typed) -eq 0
        return
    end
    test (count $typed) -ge (count $argv); or return
    set -l first $typed[1..(count $argv)]
    test "$first" = "$argv"
end

# Whether fewer than N arguments follow the verb; the other parameters are the options that take a value.
function __bloomery_fewer_than
    set -l words (commandline -opc)
    set -l given -1
    set -l value no
    for word in $words[2..]
        if test $value = yes
            set value no
        else if not string match -q -- '-?*' $word
            set given (math $given + 1)
        else if contains -- $word $argv[2..]
            set value yes
        end
    end
    test $given -lt $argv[1]
end

complete -c bloomery -f
)FISH";

std::string fish_quoted(std::string_view text) {
    return "'" + replaced(replaced(std::string(text), "\\", R"(\\)"), "'", R"(\')") + "'";
}

std::string complete_option(const std::string& condition, const option& of) {
    std::string line = "complete -c bloomery -n " + fish_quoted(condition);
    for (const std::string& name : of.names) {
        const bool is_long = name.starts_with("--");
        line += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
    }
    if (of.takes_file) {
        line += " -r -F";
    } else if (!of.value.empty()) {
        line += " -x";
    }
    if (!of.choices.empty()) {
        line += " -a " + fish_quoted(fmt::format("{}", fmt::join(of.choices, " ")));
    }
    return line + " -d " + fish_quoted(of.text) + "\n";
}

/// Where the last word of a verb may be typed.
std::string place_of(const verb& of) {
    const std::size_t end = of.name.rfind(' ');
    if (end == std::string::npos) return "__bloomery_verb_is";
    return fish_quoted(
        fmt::format("__bloomery_verb_is {}; and __bloomery_fewer_than 1", of.name.substr(0, end)));
}

/// Files are offered in the places of the leading arguments that are files.
std::string complete_files(const std::string& condition, const verb& of) {
    std::size_t places = 0;
    for (const argument& each : of.arguments) {
        if (!each.takes_file) break;
        if (each.repeats) return "complete -c bloomery -n " + fish_quoted(condition) + " -F\n";
        ++places;
    }
    if (places == 0) return "";
    if (of.word() != of.name) ++places; // the verb's second word counts as an argument
    const std::string limited = fmt::format("{}; and __bloomery_fewer_than {} {}", condition,
                                            places, fmt::join(names_of(of, true), " "));
    return "complete -c bloomery -n " + fish_quoted(limited) + " -F\n";
}

} // namespace

std::string fish_completion(const command& of) {
    std::string script = fish_opening;
    for (const option& each : of.whole.options) {
        script += complete_option("__bloomery_verb_is", each);
    }
    for (const verb& each : with_inner(of.verbs)) {
        script += fmt::format("\ncomplete -c bloomery -n {} -a {} -d {}\n", place_of(each),
                              each.word(), fish_quoted(each.text));
        const std::string condition = "__bloomery_verb_is " + each.name;
        for (const option& choice : each.options) {
            script += complete_option(condition, choice);
        }
        script += complete_files(condition, each);
    }
    return script;
}

} // namespace bloomery::cli::describing
