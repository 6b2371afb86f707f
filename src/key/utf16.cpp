#include <bloomery/error.hpp>
#include <bloomery/key/encodings.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bloomery::inline v0 {

namespace {

struct sequence {
    std::uint32_t code_point;
    std::size_t length;
    const char* fault = nullptr; ///< what is wrong with it, if something is
};

unsigned byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

sequence sequence_at(std::string_view text, std::size_t at) {
    const unsigned lead = byte_at(text, at);
    if (lead < 0x80) return {lead, 1};
    if (lead < 0xc0 || lead >= 0xf8)
        return {0, 0, "starts with a byte that cannot start a character"};
    const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t code_point = lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i == text.size() || (byte_at(text, at + i) & 0xc0U) != 0x80) {
            return {0, 0, "is truncated"};
        }
        code_point = (code_point << 6) | (byte_at(text, at + i) & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (code_point < least[length]) return {0, 0, "is longer than its character needs"};
    if (code_point > 0x10ffff) return {0, 0, "is beyond U+10FFFF"};
    return {code_point, length};
}

bool is_surrogate(std::uint32_t code_point) { return (code_point & ~0x7ffU) == 0xd800; }

bool eight_are_ascii(const char* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return (word & 0x8080808080808080) == 0;
}

} // namespace

bool is_ascii(std::string_view text) noexcept {
    if (text.size() < 8) {
        return std::ranges::all_of(text,
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    }
    const char* const last = text.data() + text.size() - 8;
    for (const char* at = text.data(); at < last; at += 8) {
        if (!eight_are_ascii(at)) return false;
    }
    return eight_are_ascii(last); // some of these for the second time
}

bool is_utf8(std::string_view text) noexcept {
    if (is_ascii(text)) return true;
    for (std::size_t at = 0; at < text.size();) {
        if (text.size() - at >= 8 && eight_are_ascii(text.data() + at)) {
            at += 8;
            continue;
        }
        const sequence next = sequence_at(text, at);
        if (next.fault != nullptr || is_surrogate(next.code_point)) return false;
        at += next.length;
    }
    return true;
}

void append_utf16(std::string_view generalised_utf8, std::u16string& to) {
    const std::size_t length_before = to.size();
    for (std::size_t at = 0; at < generalised_utf8.size();) {
        const sequence next = sequence_at(generalised_utf8, at);
        if (next.fault != nullptr) {
            to.resize(length_before);
            throw bad_argument("the text is not valid UTF-8: the sequence at byte " +
                               std::to_string(at) + " (counted from 0) " + next.fault);
        }
        at += next.length;
        if (next.code_point < 0x10000) {
            to += static_cast<char16_t>(next.code_point);
        } else {
            to += static_cast<char16_t>(0xd7c0 + (next.code_point >> 10));
            to += static_cast<char16_t>(0xdc00 + (next.code_point & 0x3ffU));
        }
    }
}

} // namespace bloomery::inline v0
