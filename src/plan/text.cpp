#include <bloomery/detail/plan/number.hpp>
#include <bloomery/detail/plan/text.hpp>

#include <array>
#include <cmath>
#include <string_view>

namespace bloomery::inline v0::plan {

std::string number(double value, int digits) {
    // Plain digits for everyday sizes; general form would print 12345 as 1.23e+04.
    const double size = std::abs(value);
    const bool plain = size >= 1000.0 && size < 1e15;
    return plain ? whole(value) : rounded(value, digits);
}

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string noun_for(std::uint64_t value, std::string_view noun) {
    std::string text(noun);
    if (value == 1) return text;
    const bool vowel_before_y = noun.ends_with("ey") || noun.ends_with("ay");
    if (noun.ends_with('y') && !vowel_before_y) return text.replace(text.size() - 1, 1, "ies");
    const bool hisses = noun.ends_with("sh") || noun.ends_with("ch") || noun.ends_with('s');
    return text + (hisses ? "es" : "s");
}

std::string counted(std::uint64_t value, std::string_view noun) {
    return grouped(value) + " " + noun_for(value, noun);
}

std::string percent(double share) {
    return share != 0.0 && share < 1e-5 ? number(share) : number(share * 100.0) + " %";
}

std::string memory(double byte_count) {
    constexpr std::array<std::string_view, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    // The next unit begins where this one would be rounded up to it: never "1024 KiB".
    while (byte_count >= 1023.5 && unit + 1 < units.size()) {
        byte_count /= 1024.0;
        ++unit;
    }
    const std::string text = number(byte_count);
    if (text == "1" && unit == 0) return "1 byte";
    return text + " " + std::string(units.at(unit));
}

} // namespace bloomery::inline v0::plan
