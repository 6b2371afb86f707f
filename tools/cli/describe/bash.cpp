// Completion for bash: one table in a `case`, and a small reader of the line typed so far. It needs
// neither the bash-completion package nor a bash newer than 3.2.
#include "describe/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bloomery::cli::describing {

namespace {

// $options: all of the verb's; $valued: those that a value follows; $arguments: what stands in each
// place, "file" or "any", the last with a + if it repeats.
constexpr const char* reader = R"BASH(
# Prints what may follow an option: a list of words, "file", or nothing if it cannot be listed.
_bloomery_value() {
    case "$1 $2" in
@VALUES@    esac
}

_bloomery_reply() {
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done
}

_bloomery_files() {
    compopt -o filenames 2>/dev/null
    _bloomery_reply < <(compgen -f -- "$1")
}

# Prints what belongs in the place being typed: "file", "any", or nothing.
_bloomery_place() {
    local valued=" $1 " places place word ended="" skip=""
    read -ra places <<<"$2"
    shift 2
    for word; do
        if [[ $word == "=" ]]; then
            skip=1
        elif [[ $skip ]]; then
            skip=""
        elif [[ ! $ended && $word == -- ]]; then
            ended=1
        elif [[ ! $ended && $word == -?* ]]; then
            [[ $valued != *" $word "* ]] || skip=1
        elif [[ ${places[0]-} != *+ ]]; then
            places=("${places[@]:1}")
        fi
    done
    place=${places[0]-}
    printf '%s' "${place%+}"
}

_bloomery() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at=1
    local options="@OPTIONS@" valued="" arguments=""
    COMPREPLY=()
    while [[ $at -lt $COMP_CWORD && ${COMP_WORDS[at]} == -* ]]; do at=$((at + 1)); done
    if [[ $at -ge $COMP_CWORD ]]; then
        [[ $current == -* ]] || options="@VERBS@"
        _bloomery_reply < <(compgen -W "$options" -- "$current")
        return
    fi
    local verb=${COMP_WORDS[at]} inner=""
    case $verb in
@INNER@    esac
    if [[ $inner ]]; then
        at=$((at + 1))
        if [[ $at -eq $COMP_CWORD ]]; then
            _bloomery_reply < <(compgen -W "$inner" -- "$current")
            return
        fi
        verb+=" ${COMP_WORDS[at]}"
    fi
    case $verb in
@TABLE@        *) return ;;
    esac
    # bash makes three words of --key=int
    if [[ $current == "=" ]]; then
        current=""
    elif [[ $before == "=" ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [[ " $valued " == *" $before "* ]]; then
        local value
        value=$(_bloomery_value "$verb" "$before")
        if [[ $value == file ]]; then
            _bloomery_files "$current"
        else
            _bloomery_reply < <(compgen -W "$value" -- "$current")
        fi
        return
    fi
    local place
    place=$(_bloomery_place "$valued" "$arguments" "${COMP_WORDS[@]:at+1:COMP_CWORD-at-1}")
    if [[ $current == -* || ! $place ]]; then
        _bloomery_reply < <(compgen -W "$options" -- "$current")
    elif [[ $place == file ]]; then
        _bloomery_files "$current"
    fi
}

complete -F _bloomery bloomery
)BASH";

std::string places_of(const verb& of) {
    std::string places;
    for (const argument& each : of.arguments) {
        places += places.empty() ? "" : " ";
        places += each.takes_file ? "file" : "any";
        places += each.repeats ? "+" : "";
    }
    return places;
}

std::string row_of(const verb& of) {
    return fmt::format("        '{}')\n"
                       "            options=\"{}\"\n"
                       "            valued=\"{}\"\n"
                       "            arguments=\"{}\" ;;\n",
                       of.name, fmt::join(names_of(of), " "), fmt::join(names_of(of, true), " "),
                       places_of(of));
}

std::string values_of(const verb& of) {
    std::string rows;
    for (const option& each : of.options) {
        if (each.choices.empty() && !each.takes_file) continue;
        std::vector<std::string> patterns;
        patterns.reserve(each.names.size());
        for (const std::string& name : each.names) {
            patterns.push_back(fmt::format("'{} {}'", of.name, name));
        }
        const std::string value =
            each.takes_file ? "file" : fmt::format("{}", fmt::join(each.choices, " "));
        rows += fmt::format("        {}) printf '%s' '{}' ;;\n", fmt::join(patterns, " | "), value);
    }
    return rows;
}

} // namespace

std::string bash_completion(const command& of) {
    std::string inner;
    std::string table;
    std::string values;
    for (const verb& each : with_inner(of.verbs)) {
        if (!each.inner.empty()) {
            inner += fmt::format("        {}) inner=\"{}\" ;;\n", each.name,
                                 fmt::join(words_of(each.inner), " "));
        } else {
            table += row_of(each);
            values += values_of(each);
        }
    }
    const std::string options = fmt::format("{}", fmt::join(names_of(of.whole), " "));
    std::string script = "# Written by \"bloomery describe bash\"; do not edit.\n";
    script += reader;
    script = replaced(script, "@VALUES@", values);
    script = replaced(script, "@INNER@", inner);
    script = replaced(script, "@TABLE@", table);
    script = replaced(script, "@OPTIONS@", options);
    return replaced(script, "@VERBS@", fmt::format("{}", fmt::join(words_of(of.verbs), " ")));
}

} // namespace bloomery::cli::describing
