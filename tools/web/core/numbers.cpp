// Numbers as texts, by the JavaScript engine: src/plan/number.cpp would bring 100 KB of tables.
#include <bloomery/detail/plan/number.hpp>

#include <array>
#include <cmath>

extern "C" {
/// Writes a number to at most 400 bytes and returns how many: the text of printf's "%.*f", "%.*e"
/// or
/// "%.*g" for the forms 'f', 'e' and 'g'. With -1 digits, the fewest that read back as the number,
/// and for 'g' the shorter of both notations.
__attribute__((import_module("env"), import_name("web_write_number"))) std::size_t
web_write_number(double value, char form, int digits, char* to);
/// The number that a text spells; NaN if it spells none or one that is out of range.
__attribute__((import_module("env"), import_name("web_read_number"))) double
web_read_number(const char* text, std::size_t size);
}

namespace bloomery::inline v0::plan {

namespace {

std::string by_host(double value, char form, int digits) {
    std::array<char, 400> text; // NOLINT: written before it is read
    return {text.data(), web_write_number(value, form, digits, text.data())};
}

} // namespace

std::string shortest(double value) { return by_host(value, 'g', -1); }
std::string scientific(double value) { return by_host(value, 'e', -1); }
std::string scientific(double value, int places) { return by_host(value, 'e', places); }
std::string rounded(double value, int digits) { return by_host(value, 'g', digits); }
std::string whole(double value) { return by_host(value, 'f', 0); }

std::optional<double> double_in(std::string_view text) {
    const double value = web_read_number(text.data(), text.size());
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

} // namespace bloomery::inline v0::plan
