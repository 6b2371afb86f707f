#include "options/typed_words.hpp"

#include <bloomery/error.hpp>

#include "wording.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace bloomery::cli {

namespace {

/// Before a word that is to be taken as it is: nothing of CLI11's begins with it.
constexpr char word_mark = '\x01';

bool needs_mark(std::string_view word) {
    return word.starts_with('-') || word.starts_with('[') || word.starts_with(word_mark);
}

std::string marked(std::string_view word) {
    return needs_mark(word) ? word_mark + std::string(word) : std::string(word);
}

/// `FILTER and KEY`.
std::string in_words(const std::vector<std::string>& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
        text += i == 0 ? "" : i + 1 == list.size() ? " and " : ", ";
        text += list[i];
    }
    return text;
}

/// Where the reader is: a verb, and what it takes.
class place {
public:
    explicit place(const CLI::App& of) : app_(&of) {}

    [[nodiscard]] bool wants_verb() const { return !verbs().empty(); }

    /// `bloomery redis push`.
    [[nodiscard]] std::string name() const {
        std::string text = app_->get_name();
        for (const CLI::App* outer = app_->get_parent(); outer != nullptr;
             outer = outer->get_parent()) {
            text.insert(0, outer->get_name() + " ");
        }
        return text;
    }
    /// `redis push`: the sentence begins with the name of the command already.
    [[nodiscard]] std::string short_name() const {
        const std::string whole = name();
        return whole.substr(whole.find(' ') + 1);
    }
    [[nodiscard]] std::string help() const { return fmt::format("(see: {} --help)", name()); }

    void enter(const std::string& verb) {
        std::vector<std::string> known;
        for (const CLI::App* each : verbs()) {
            if (each->get_name() == verb) {
                app_ = each;
                return;
            }
            if (!each->get_group().empty()) known.push_back(each->get_name());
        }
        const std::string typed = app_->get_parent() == nullptr ? verb : short_name() + " " + verb;
        const auto meant = nearest(verb, known);
        throw bad_argument(fmt::format("there is no verb {}{} {}", in_quotes(typed),
                                       meant ? fmt::format("; did you mean {}?", *meant) : "",
                                       help()));
    }

    [[nodiscard]] const CLI::Option* option(const std::string& name) const {
        return app_->get_option_no_throw(name);
    }

    [[noreturn]] void refuse_option(const std::string& word) const {
        std::vector<std::string> known;
        for (const CLI::Option* each : app_->get_options({})) {
            for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
        }
        const auto meant = nearest(word.substr(0, word.find('=')), known);
        const std::vector<std::string> arguments = argument_names();
        throw bad_argument(
            fmt::format("{} is not an option of {}{}{} {}", in_quotes(word), name(),
                        meant ? fmt::format("; did you mean {}?", *meant) : "",
                        arguments.empty() ? ""
                                          : fmt::format("{} if it is meant as {}, put -- before it",
                                                        meant ? " Or," : ";", arguments.back()),
                        help()));
    }

    /// Refuses the words past those that the verb takes.
    void check_count(const std::vector<std::string>& arguments) const {
        std::size_t most = 0;
        for (const CLI::Option* each : positionals()) {
            if (each->get_items_expected_max() >= CLI::detail::expected_max_vector_size) return;
            most += static_cast<std::size_t>(each->get_items_expected_max());
        }
        if (arguments.size() <= most) return;
        std::vector<std::string> extra;
        for (std::size_t i = most; i < arguments.size(); ++i) {
            extra.push_back(in_quotes(arguments[i]));
        }
        const std::vector<std::string> taken = argument_names();
        throw bad_argument(fmt::format("{} takes {}, so {} {} not expected {}", short_name(),
                                       taken.empty() ? "no arguments" : in_words(taken),
                                       in_words(extra), extra.size() == 1 ? "was" : "were",
                                       help()));
    }

private:
    [[nodiscard]] std::vector<const CLI::App*> verbs() const { return app_->get_subcommands({}); }
    [[nodiscard]] std::vector<const CLI::Option*> positionals() const {
        std::vector<const CLI::Option*> found;
        for (const CLI::Option* each : app_->get_options({})) {
            if (!each->nonpositional()) found.push_back(each);
        }
        return found;
    }
    [[nodiscard]] std::vector<std::string> argument_names() const {
        std::vector<std::string> names;
        for (const CLI::Option* each : positionals()) names.push_back(each->get_name(true));
        return names;
    }

    const CLI::App* app_;
};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool needs_value(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

bool is_help(const std::string& word) {
    return word == "-h" || word == "--help" || word == "--version";
}

class reader {
public:
    reader(const CLI::App& app, const std::vector<std::string>& words) : at_(app), words_(words) {}

    std::vector<std::string> read() {
        while (next_ < words_.size() && !stopped_) take(words_[next_++]);
        if (!stopped_ && !at_.wants_verb()) at_.check_count(arguments_);
        for (; next_ < words_.size(); ++next_) made_.push_back(words_[next_]);
        return {made_.rbegin(), made_.rend()};
    }

private:
    void take(const std::string& word) {
        if (!only_arguments_ && word == "--") {
            only_arguments_ = true;
        } else if (!only_arguments_ && looks_like_option(word)) {
            take_option(word);
        } else if (at_.wants_verb()) {
            at_.enter(word);
            made_.push_back(word);
        } else {
            arguments_.push_back(word);
            made_.push_back(marked(word));
        }
    }

    /// A number below zero is one, unless it is the name of an option.
    [[nodiscard]] bool looks_like_option(const std::string& word) const {
        if (word.size() < 2 || word[0] != '-') return false;
        const bool digit = std::isdigit(static_cast<unsigned char>(word[1])) != 0;
        return !digit || at_.option(word.substr(0, 2)) != nullptr;
    }

    void take_option(const std::string& word) {
        if (is_help(word)) {
            stopped_ = true; // help is given whatever else is wrong
            made_.push_back(word);
        } else if (word.starts_with("--")) {
            take_long(word);
        } else {
            take_short(word);
        }
    }

    void take_long(const std::string& word) {
        const std::size_t equals = word.find('=');
        const CLI::Option* const option = at_.option(word.substr(0, equals));
        if (option == nullptr) at_.refuse_option(word);
        if (equals == std::string::npos) {
            made_.push_back(word);
            take_value(*option, word);
            return;
        }
        const std::string value = word.substr(equals + 1);
        if (!takes_value(*option) && value != "true" && value != "false") {
            throw bad_argument(fmt::format("{} takes no value, so {} was not expected {}",
                                           word.substr(0, equals), in_quotes(value), at_.help()));
        }
        made_.push_back(word.substr(0, equals + 1) + marked(value));
    }

    /// -v, -cv, -n5, -n 5.
    void take_short(const std::string& word) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            const std::string name{'-', word[i]};
            const CLI::Option* const option = at_.option(name);
            if (option == nullptr) at_.refuse_option(word);
            made_.push_back(name);
            if (!takes_value(*option)) continue;
            if (i + 1 == word.size()) {
                take_value(*option, name);
            } else {
                made_.push_back(marked(word.substr(i + 1)));
            }
            return;
        }
    }

    void take_value(const CLI::Option& option, const std::string& name) {
        if (!takes_value(option)) return;
        const bool there = next_ < words_.size();
        if (!needs_value(option)) { // such an option takes no word that looks like another one
            if (there && !looks_like_option(words_[next_])) {
                made_.push_back(marked(words_[next_++]));
            }
            return;
        }
        if (!there) {
            throw bad_argument(fmt::format("{} needs a value after it: {} {} {}", name, name,
                                           value_name(option), at_.help()));
        }
        made_.push_back(marked(words_[next_++]));
    }

    static std::string value_name(const CLI::Option& option) {
        const std::string type = option.get_type_name();
        return type.substr(0, type.find(':')); // after it, CLI11 lists the validators
    }

    place at_;
    const std::vector<std::string>& words_;
    std::size_t next_ = 0;
    std::vector<std::string> made_{};
    std::vector<std::string> arguments_{};
    bool only_arguments_ = false;
    bool stopped_ = false;
};

/// Splits a text where `mark` stands; false if it does not.
bool cut(std::string_view text, std::string_view mark, std::string_view& before,
         std::string_view& after) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return false;
    before = text.substr(0, at);
    after = text.substr(at + mark.size());
    return true;
}

} // namespace

std::vector<std::string> typed_words(const CLI::App& app, const std::vector<std::string>& words) {
    return reader(app, words).read();
}

void take_marks_off(CLI::App& app) {
    const auto unmark = [](std::string& text) {
        if (text.starts_with(word_mark)) text.erase(0, 1);
        return std::string();
    };
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() > 0) option->transform(CLI::Validator(unmark, ""));
    }
    for (CLI::App* verb : app.get_subcommands({})) take_marks_off(*verb);
}

std::string usage_complaint(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App* chosen = &app;
    while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().back();
    const place at(*chosen);
    const std::string_view what = error.what();
    if (error.get_name() == "RequiredError" && at.wants_verb()) {
        return fmt::format("a verb is missing: {} VERB {}", at.name(), at.help());
    }
    // "Could not convert: NAME = VALUE", "NAME: Value 0 not in range 1 to 64", and so on.
    std::string_view name;
    std::string_view value;
    std::string_view range;
    if (cut(what, "Could not convert: ", name, value) && cut(value, " = ", name, value)) {
        return fmt::format("{} takes a number, not {} {}", name, in_quotes(value), at.help());
    }
    if (cut(what, ": Value ", name, value) && cut(value, " not in range ", value, range)) {
        return fmt::format("{} takes {}, not {} {}", name, range, value, at.help());
    }
    if (cut(what, ": At Most 1 required but received ", name, value)) {
        return fmt::format("{} is given {} times; give it once {}", name, value, at.help());
    }
    return fmt::format("{} {}", what, at.help());
}

} // namespace bloomery::cli
