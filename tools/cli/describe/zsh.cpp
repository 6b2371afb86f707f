// Completion for zsh: _arguments for each verb.
#include "describe/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bloomery::cli::describing {

namespace {

constexpr const char* zsh_opening = R"ZSH(#compdef bloomery
# Written by "bloomery describe zsh"; do not edit.

_bloomery_verbs() {
    local -a verbs
    verbs=(
@VERBS@    )
    _describe -t commands 'bloomery command' verbs
}

_bloomery() {
    local curcontext="$curcontext" state line found=1
    local -A opt_args
    _arguments -C -s -S \
@OPTIONS@        '1:command:_bloomery_verbs' \
        '*::argument:->verb' && found=0
    [[ $state == verb ]] || return found
    curcontext="${curcontext%:*}-$line[1]:"
    case $line[1] in
)ZSH";

// The file is a function when it is autoloaded, and a script when it is sourced.
constexpr const char* closing = R"ZSH(    esac
    return found
}

if [[ $funcstack[1] == _bloomery ]]; then
    _bloomery "$@"
else
    compdef _bloomery bloomery
fi
)ZSH";

/// The text inside [...] or between colons of a specification.
std::string escaped(std::string text) {
    for (const char* const special : {"\\", "[", "]", ":"}) {
        text = replaced(text, special, std::string("\\") + special);
    }
    return text;
}

std::string action_of(const option& of) {
    if (of.value.empty()) return "";
    if (of.takes_file) return ":" + escaped(of.value) + ":_files";
    if (of.choices.empty()) return ":" + escaped(of.value) + ": ";
    return fmt::format(":{}:({})", escaped(of.value), fmt::join(of.choices, " "));
}

/// One for each name; the list in front says that giving one name excludes the others. The marks +
/// and = say that the value may stand in the same word: -n5, --items=5.
void append_specifications(std::vector<std::string>& to, const option& of) {
    for (const std::string& name : of.names) {
        const char* const mark = of.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
        to.push_back(shell_quoted(fmt::format("({}){}{}[{}]{}", fmt::join(of.names, " "), name,
                                              mark, escaped(of.text), action_of(of))));
    }
}

std::vector<std::string> specifications_of(const verb& of) {
    std::vector<std::string> all;
    for (const option& each : of.options) {
        append_specifications(all, each);
    }
    for (const argument& each : of.arguments) {
        all.push_back(
            shell_quoted(fmt::format("{}:{}:{}", each.repeats ? "*" : "", escaped(each.name),
                                     each.takes_file ? "_files" : " ")));
    }
    return all;
}

std::string branch_of(const verb& of) {
    return fmt::format(
        "        {})\n            _arguments -s -S \\\n                {} && found=0 ;;\n",
        of.word(), fmt::join(specifications_of(of), " \\\n                "));
}

// $state still has what the verb before left in it.
constexpr const char* nesting = R"ZSH(        @NAME@)
            state=
            _arguments -C -s -S \
                '1:command:((@VERBS@))' \
                '*::argument:->inner' && found=0
            [[ $state == inner ]] || return found
            curcontext="${curcontext%:*}-$line[1]:"
            case $line[1] in
@BRANCHES@            esac ;;
)ZSH";

/// A verb of which another must follow.
std::string nested_branch_of(const verb& of) {
    std::string verbs;
    std::string branches;
    for (const verb& each : of.inner) {
        verbs += (verbs.empty() ? "" : " ") + each.word() + "\\:\"" + escaped(each.text) + "\"";
        branches += branch_of(each);
    }
    const std::string named = replaced(nesting, "@NAME@", of.name);
    return replaced(replaced(named, "@VERBS@", verbs), "@BRANCHES@", branches);
}

} // namespace

std::string zsh_completion(const command& of) {
    std::string verbs;
    std::string branches;
    for (const verb& each : of.verbs) {
        verbs += "        " + shell_quoted(each.name + ":" + escaped(each.text)) + "\n";
        branches += each.inner.empty() ? branch_of(each) : nested_branch_of(each);
    }
    std::string options;
    for (const std::string& each : specifications_of(of.whole)) {
        options += "        " + each + " \\\n";
    }
    const std::string script = replaced(zsh_opening, "@VERBS@", verbs);
    return replaced(script, "@OPTIONS@", options) + branches + closing;
}

} // namespace bloomery::cli::describing
