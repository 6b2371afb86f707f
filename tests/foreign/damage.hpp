// What must hold for damaged files: a reader refuses them with a typed error, or reads what they
// now contain. Sanitizers check the rest.
#pragma once

#include <bloomery/error.hpp>

#include "peer.hpp"

namespace bloomery::testing {

/// Uses a filter as far as it lets itself be used.
inline void use(any_filter& read, const foreign_format& format) {
    (void)read.stats();
    if (format.facts != nullptr) (void)format.facts(read);
    try {
        (void)read.may_contain(std::string("key"));
        (void)read.insert(std::string("key"));
    } catch (const error&) {
        // A key may have no place, and a filter may be full or for reading only.
    }
}

/// Tells whether bytes are refused with an error of ours; if they are not, uses the filter, and it
/// must not be written as `original`.
inline bool refused(const std::string& bytes, const std::string& original,
                    const foreign_format& format, const foreign_options& options = {}) {
    (void)format.looks(view(bytes));
    try {
        any_filter read = format.decode(view(bytes), options);
        if (format.encode != nullptr) {
            EXPECT_TRUE(written(read, format, options) != original);
        }
        use(read, format);
        return false;
    } catch (const error& refusal) {
        EXPECT_NE(std::string(refusal.what()), "");
        return true;
    }
}

/// Cuts a file at every length, adds to it, and flips each of its bits; of a large file, some
/// thousands of them, evenly.
inline void expect_damage_shows(const std::string& original, const foreign_format& format,
                                const foreign_options& options = {}) {
    const std::size_t step = 1 + original.size() / 512;
    for (std::size_t length = 0; length < original.size(); length += step) {
        refused(original.substr(0, length), original, format, options);
    }
    refused(original + '\x01', original, format, options);
    std::string damaged = original;
    for (std::size_t bit = 0; bit < 8 * original.size(); bit += step) {
        const char mask = static_cast<char>(1U << (bit % 8));
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ mask);
        refused(damaged, original, format, options);
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ mask);
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

/// The keys of a manifest that are written as hexadecimal digits.
inline std::vector<std::string> hex_keys(const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(from_hex(key.get<std::string>()));
    return keys;
}

} // namespace bloomery::testing
