#include <bloomery/detail/redis/request.hpp>

#include <array>

namespace bloomery::inline v0::redis {

namespace {

/// CRC-16 XMODEM, a byte at a time.
constexpr auto crc_table = [] {
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte < table.size(); ++byte) {
        unsigned sum = byte << 8U;
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum & 0x8000U) != 0 ? sum << 1U ^ 0x1021U : sum << 1U;
        }
        table[byte] = static_cast<std::uint16_t>(sum);
    }
    return table;
}();

} // namespace

std::uint16_t slot_of(std::string_view key) noexcept {
    if (const std::size_t open = key.find('{'); open != std::string_view::npos) {
        const std::size_t close = key.find('}', open + 1);
        if (close != std::string_view::npos && close != open + 1) {
            key = key.substr(open + 1, close - open - 1);
        }
    }
    unsigned sum = 0;
    for (const char each : key) {
        const unsigned byte = static_cast<unsigned char>(each);
        sum = (sum << 8U ^ crc_table[(sum >> 8U ^ byte) & 0xffU]) & 0xffffU;
    }
    return static_cast<std::uint16_t>(sum & 0x3fffU);
}

request& request::add(std::string_view word) {
    begin('$', word.size());
    bytes_.append(word);
    bytes_.append("\r\n");
    return *this;
}

void request::begin(char mark, std::size_t number) {
    std::array<char, 24> digits; // NOLINT: filled by to_chars
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    bytes_.push_back(mark);
    bytes_.append(digits.data(), end);
    bytes_.append("\r\n");
}

request::request(std::size_t words, std::optional<std::string_view> key) {
    if (key) slot_ = slot_of(*key);
    begin('*', words);
}

} // namespace bloomery::inline v0::redis
