#include <bloomery/detail/plan/number.hpp>

#include <array>
#include <charconv>
#include <version>

#if !defined(__cpp_lib_to_chars) // libc++ reads no doubles before version 20
#include <cmath>
#include <cstdlib>
#endif

namespace bloomery::inline v0::plan {

namespace {

// What std::to_chars writes, with these arguments after the number.
template <class... How>
std::string written(double value, How... how) {
    std::array<char, 64> text; // NOLINT: written before it is read
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, how...).ptr};
}

} // namespace

std::string shortest(double value) { return written(value); }
std::string scientific(double value) { return written(value, std::chars_format::scientific); }
std::string scientific(double value, int places) {
    return written(value, std::chars_format::scientific, places);
}
std::string rounded(double value, int digits) {
    return written(value, std::chars_format::general, digits);
}
std::string whole(double value) { return written(value, std::chars_format::fixed, 0); }

#if defined(__cpp_lib_to_chars)
std::optional<double> double_in(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data(), end, value);
    return wrong == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}
#else
// By strtod, which reads more: spaces, a plus and hexadecimals.
std::optional<double> double_in(std::string_view text) {
    const bool more = text.empty() || text.find_first_of("xX") != text.npos ||
                      !(text[0] == '-' || text[0] == '.' || text[0] > '/');
    const std::string copy(text);
    char* stop = nullptr; // NOLINT: set by strtod
    const double value = std::strtod(copy.c_str(), &stop);
    const bool too_large = std::isinf(value) && copy.find_first_of("iI") == copy.npos;
    const bool too_small = value == 0 && copy.find_first_of("123456789") < copy.find_first_of("eE");
    const bool whole = stop == copy.c_str() + copy.size();
    return whole && !more && !too_large && !too_small ? std::optional(value) : std::nullopt;
}
#endif

} // namespace bloomery::inline v0::plan
