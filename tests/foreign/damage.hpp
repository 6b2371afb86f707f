// What must hold of a reader whatever it is given: it refuses, or it reads another filter.
#pragma once

#include <bloomery/error.hpp>

#include "peer.hpp"

namespace bloomery::testing {

/// Tells whether bytes are refused with an error of ours; if they are not, uses the filter, and it
/// must not be written as `original`.
inline bool refused(const std::string& bytes, const std::string& original,
                    const foreign_format& format, const foreign_options& options) {
    try {
        any_filter read = format.decode(view(bytes), options);
        EXPECT_NE(written(read, format, options), original);
        // A key may have no place in any filter of the format.
        const std::string before = outcome([&] { return read.may_contain(std::string("key")); });
        const std::string added = outcome([&] { return read.insert(std::string("key")); });
        EXPECT_EQ(added, before == "throws" ? "throws" : before == "1" ? "0" : "1");
        if (format.facts != nullptr) (void)format.facts(read);
        return false;
    } catch (const error&) {
        return true;
    }
}

/// Cuts a file at every length and flips each of its bits.
inline void expect_harmless(const std::string& original, const foreign_format& format,
                            const foreign_options& options = {}) {
    for (std::size_t length = 0; length < original.size(); ++length) {
        const std::string bytes = original.substr(0, length);
        (void)format.looks(view(bytes));
        refused(bytes, original, format, options);
    }
    for (std::size_t bit = 0; bit < original.size() * 8; ++bit) {
        std::string bytes = original;
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
        (void)format.looks(view(bytes));
        refused(bytes, original, format, options);
    }
}

/// Expects that no shorter file is read, and none with a byte more.
inline void expect_exact_length(const std::string& original, const foreign_format& format,
                                const foreign_options& options = {}) {
    for (std::size_t length = 0; length < original.size(); ++length) {
        EXPECT_TRUE(refused(original.substr(0, length), original, format, options)) << length;
    }
    EXPECT_TRUE(refused(original + '\0', original, format, options));
}

} // namespace bloomery::testing
