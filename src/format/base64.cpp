#include "base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace bloomery::inline v0::format {

namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The six bits of each character, or -1. Accepts both alphabets, which differ in their last two
/// characters.
constexpr std::array<int, 256> values = [] {
    std::array<int, 256> of{};
    of.fill(-1);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        of[static_cast<unsigned char>(letters[i])] = static_cast<int>(i);
    }
    of['-'] = of['+'] = 62;
    of['_'] = of['/'] = 63;
    return of;
}();

} // namespace

std::optional<base64_bytes> from_base64(std::string_view text) {
    const bool standard = text.find_first_of("+/") != std::string_view::npos;
    if (text.size() % 4 != 0 || (standard && text.find_first_of("-_") != std::string_view::npos)) {
        return std::nullopt;
    }
    const std::string_view digits = text.substr(
        0, std::max(text.find('='), text.size() < 2 ? std::size_t{0} : text.size() - 2));
    if (text.substr(digits.size()).find_first_not_of('=') != std::string_view::npos) {
        return std::nullopt;
    }
    base64_bytes found;
    found.alphabet = standard ? base64_alphabet::standard : base64_alphabet::url;
    found.bytes.reserve(text.size() / 4 * 3);
    std::uint32_t gathered = 0;
    unsigned count = 0; // how many bits of it are pending
    for (const char letter : digits) {
        const int six = values[static_cast<unsigned char>(letter)];
        if (six < 0) {
            return std::nullopt;
        }
        gathered = gathered << 6U | static_cast<std::uint32_t>(six);
        count += 6;
        if (count >= 8) {
            count -= 8;
            found.bytes.push_back(static_cast<std::byte>(gathered >> count & 0xffU));
        }
    }
    const bool clean = (gathered & ((1U << count) - 1)) == 0;
    return clean ? std::optional(std::move(found)) : std::nullopt;
}

std::string to_base64(byte_view bytes, base64_alphabet alphabet) {
    const std::string_view last = alphabet == base64_alphabet::url ? "-_" : "+/";
    const auto letter = [&](std::uint32_t six) {
        return six < letters.size() ? letters[six] : last[six - letters.size()];
    };
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            three = three << 8U | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += i <= count ? letter(three >> (18 - 6 * i) & 63U) : '=';
        }
    }
    return text;
}

} // namespace bloomery::inline v0::format
