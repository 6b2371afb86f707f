// The result of DUMP for a filter, taken apart and reassembled so that the server considers it
// valid: only the module can detect what is wrong with it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// One thing that a module saved.
struct saved_field {
    enum class type : std::uint8_t { number = 2, real = 4, bytes = 5 };

    type is = type::number;
    std::uint64_t number = 0; ///< the bits of a real one
    std::string bytes{};

    static saved_field of(std::uint64_t value) { return {type::number, value, {}}; }
    static saved_field of_real(double value) {
        return {type::real, std::bit_cast<std::uint64_t>(value), {}};
    }
    static saved_field of_bytes(std::string value) { return {type::bytes, 0, std::move(value)}; }
};

/// A value of a module. Its type and the version of its encoding are one number in a file.
struct saved_value {
    std::uint64_t type = 0;
    std::vector<saved_field> fields{};

    [[nodiscard]] unsigned version() const { return static_cast<unsigned>(type & 1023U); }
    void set_version(unsigned to) { type = (type & ~std::uint64_t{1023}) | to; }
};

namespace detail {

inline constexpr char module_value = 7; // of the kind that can be skipped
inline constexpr char end_of_value = 0;
inline constexpr std::size_t footer_size = 10;

inline void put_big_endian(std::string& to, std::uint64_t number, int bytes) {
    for (int i = bytes; i-- > 0;) to += static_cast<char>(number >> (8 * i));
}
inline void put_little_endian(std::string& to, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i));
}

/// A number as files have it, in 1, 2, 5 or 9 bytes.
inline void put_length(std::string& to, std::uint64_t number) {
    if (number < 64) {
        put_big_endian(to, number, 1);
    } else if (number < 16384) {
        put_big_endian(to, 0x4000U | number, 2);
    } else if (number <= std::numeric_limits<std::uint32_t>::max()) {
        to += '\x80';
        put_big_endian(to, number, 4);
    } else {
        to += '\x81';
        put_big_endian(to, number, 8);
    }
}

/// Takes bytes from the front. Throws std::runtime_error at the end.
class byte_taker {
public:
    explicit byte_taker(std::string_view from) : from_(from) {}

    std::string_view bytes(std::size_t count) {
        if (count > from_.size()) throw std::runtime_error("a payload ends too early");
        const std::string_view taken = from_.substr(0, count);
        from_.remove_prefix(count);
        return taken;
    }
    std::uint64_t big_endian(std::size_t count) {
        std::uint64_t number = 0;
        for (const char c : bytes(count)) number = number << 8U | static_cast<unsigned char>(c);
        return number;
    }
    std::uint64_t little_endian(std::size_t count) {
        std::uint64_t number = 0;
        int shift = 0;
        for (const char c : bytes(count)) {
            number |= std::uint64_t{static_cast<unsigned char>(c)} << shift;
            shift += 8;
        }
        return number;
    }
    std::uint64_t length() {
        const std::uint64_t first = big_endian(1);
        if (first < 64) return first;
        if (first < 128) return (first & 63U) << 8U | big_endian(1);
        if (first == 0x80) return big_endian(4);
        if (first == 0x81) return big_endian(8);
        throw std::runtime_error("a payload has a text that is packed");
    }

private:
    std::string_view from_;
};

} // namespace detail

/// The checksum of Redis, bit by bit: CRC-64 with Jones's polynomial, the lowest bit first.
inline std::uint64_t checksum_of(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint64_t, 256> made{};
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = i;
            for (int bit = 0; bit < 8; ++bit) {
                made[i] = made[i] >> 1U ^ (made[i] % 2 != 0 ? 0x95ac9329ac4bc9b5U : 0U);
            }
        }
        return made;
    }();
    std::uint64_t sum = 0;
    for (const char c : bytes) {
        sum = table[(sum ^ static_cast<unsigned char>(c)) & 255U] ^ sum >> 8U;
    }
    return sum;
}

/// The value without what the server adds, and what it adds: its version and the checksum.
inline std::string body_of(const std::string& dumped) {
    return dumped.substr(0, dumped.size() - detail::footer_size);
}
inline std::string sealed(std::string body, const std::string& as_this_one) {
    body += as_this_one.substr(as_this_one.size() - detail::footer_size, 2);
    detail::put_little_endian(body, checksum_of(body), 8);
    return body;
}

inline std::string body_of(const saved_value& value) {
    std::string body(1, detail::module_value);
    body += '\x81';
    detail::put_big_endian(body, value.type, 8);
    for (const saved_field& one : value.fields) {
        body += static_cast<char>(one.is);
        if (one.is == saved_field::type::number) {
            detail::put_length(body, one.number);
        } else if (one.is == saved_field::type::real) {
            detail::put_little_endian(body, one.number, 8);
        } else {
            detail::put_length(body, one.bytes.size());
            body += one.bytes;
        }
    }
    return body + detail::end_of_value;
}

/// Takes apart what `body_of` made, or a server with "rdbcompression no".
inline saved_value value_in(std::string_view body) {
    detail::byte_taker from(body);
    if (from.big_endian(1) != detail::module_value || from.big_endian(1) != 0x81) {
        throw std::runtime_error("a payload is of no module");
    }
    saved_value value{from.big_endian(8), {}};
    while (const std::uint64_t kind = from.length()) {
        saved_field one{static_cast<saved_field::type>(kind), 0, {}};
        if (one.is == saved_field::type::real) {
            one.number = from.little_endian(8);
        } else if (one.is == saved_field::type::number) {
            one.number = from.length();
        } else {
            one.bytes = from.bytes(from.length());
        }
        value.fields.push_back(std::move(one));
    }
    return value;
}

} // namespace bloomery::testing
