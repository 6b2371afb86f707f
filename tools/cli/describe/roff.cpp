#include "describe/roff.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace bloomery::cli::describing {

namespace {

struct special {
    char character;
    const char* escape;
};

// A bare ' ` ^ ~ - may come out as a typographer's sign, which no shell understands.
constexpr std::array specials{special{'\\', R"(\e)"},   special{'-', R"(\-)"},
                              special{'\'', R"(\(aq)"}, special{'`', R"(\(ga)"},
                              special{'^', R"(\(ha)"},  special{'~', R"(\(ti)"}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

} // namespace

std::string literal(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto* const found = std::find_if(specials.begin(), specials.end(),
                                               [c](const special& s) { return s.character == c; });
        found == specials.end() ? result += c : result += found->escape;
    }
    return result;
}

std::string bold(std::string_view text) { return R"(\fB)" + literal(text) + R"(\fR)"; }
std::string italic(std::string_view text) { return R"(\fI)" + literal(text) + R"(\fR)"; }

namespace {

/// A word of a sentence: options in bold; a dash between letters is a hyphen, others are minuses.
std::string prose_word(std::string_view word) {
    const std::size_t begin = std::min(word.find_first_not_of("(\""), word.size());
    const std::size_t end = std::max(begin, word.find_last_not_of(").,:;\"") + 1);
    const std::string_view core = word.substr(begin, end - begin);
    if (core.starts_with('-')) {
        return std::string(word.substr(0, begin)) + bold(core) + std::string(word.substr(end));
    }
    std::string result;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool hyphen = word[i] == '-' && i > 0 && i + 1 < word.size() &&
                            is_letter(word[i - 1]) && is_letter(word[i + 1]);
        result += hyphen || word[i] == '\'' ? std::string(1, word[i]) : literal(word.substr(i, 1));
    }
    return result;
}

} // namespace

std::string prose(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) {
        if (!result.empty()) result += ' ';
        result += prose_word(word);
    }
    const bool control = result.starts_with('.') || result.starts_with('\'');
    return control ? R"(\&)" + result : result;
}

std::string sentence(const std::string& text) {
    const std::string line = prose(text);
    return line + (line.ends_with('.') || line.ends_with(':') ? "\n" : ".\n");
}

std::string paragraph(std::string_view text) { return ".PP\n" + sentence(std::string(text)); }

std::string example(std::string_view lines) {
    return ".PP\n.RS 4\n.nf\n" + literal(lines) + "\n.fi\n.RE\n";
}

std::string item(const std::string& term, const std::string& text) {
    return ".TP\n" + term + "\n" + sentence(text);
}

} // namespace bloomery::cli::describing
