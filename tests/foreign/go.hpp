// The formats of Go's bits-and-blooms, and bytes as they have them.
#pragma once

#include "peer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::testing::go {

/// The three forms of one generation.
struct forms {
    const foreign_format& bytes;
    const foreign_format& text;
    const foreign_format& gob;
};
inline const forms newer{format::foreign_format_named("go"),
                         format::foreign_format_named("go-json"),
                         format::foreign_format_named("go-gob")};
inline const forms fnv{format::foreign_format_named("go-fnv"),
                       format::foreign_format_named("go-fnv-json"),
                       format::foreign_format_named("go-fnv-gob")};

inline std::string big_endian(std::uint64_t value) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) bytes[7 - i] = static_cast<char>(value >> (8 * i));
    return bytes;
}

/// What the original tells of a filter under that name.
inline std::string fact(const any_filter& of, const foreign_format& format, std::string_view name) {
    for (const format::foreign_fact& one : format.facts(of)) {
        if (one.name == name) return one.value;
    }
    return "";
}

} // namespace bloomery::testing::go
