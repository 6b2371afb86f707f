// Reads the vectors under data/hash, which other programs wrote (its README says which).
#pragma once

#include "test_paths.hpp"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vectors {

using row = std::vector<std::string>;

/// The lines of a file, cut at spaces.
inline std::vector<row> rows(const std::string& file) {
    std::ifstream in(bloomery::testing::test_data("/hash/" + file));
    if (!in) {
        throw std::runtime_error("no vectors in " + file);
    }
    std::vector<row> all;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        row& fields = all.emplace_back();
        for (std::string word; words >> word;) {
            fields.push_back(word);
        }
    }
    return all;
}

/// The rows whose first field is `name`.
inline std::vector<row> rows(const std::string& file, std::string_view name) {
    std::vector<row> some = rows(file);
    std::erase_if(some, [&](const row& r) { return r.front() != name; });
    if (some.empty()) {
        throw std::runtime_error("no such name in " + file);
    }
    return some;
}

inline std::uint64_t hex(const std::string& digits) { return std::stoull(digits, nullptr, 16); }

/// Bytes or UTF-16 units written in hexadecimal; "-" stands for none.
template <class Unit>
std::vector<Unit> unhex(const std::string& digits) {
    std::vector<Unit> units;
    if (digits == "-") {
        return units;
    }
    for (std::size_t i = 0; i < digits.size(); i += 2 * sizeof(Unit)) {
        units.push_back(static_cast<Unit>(hex(digits.substr(i, 2 * sizeof(Unit)))));
    }
    return units;
}

inline std::u16string text(const std::string& digits) {
    const auto units = unhex<char16_t>(digits);
    return {units.begin(), units.end()};
}

/// A text of units below 256, one byte each.
inline std::string narrow(const std::u16string& text) {
    std::string narrowed;
    for (const char16_t c : text) {
        narrowed.push_back(static_cast<char>(c));
    }
    return narrowed;
}

inline std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// A key that starts `shift` bytes after an aligned address and ends where its memory ends, so that
/// a read past the end is one that a sanitizer sees.
class placed_key {
public:
    placed_key(std::span<const std::byte> key, std::size_t shift) : memory_(shift), shift_(shift) {
        memory_.insert(memory_.end(), key.begin(), key.end());
        memory_.shrink_to_fit();
    }
    /// The key of `size` bytes that the files were made with; it has bytes of 0x80 and above.
    placed_key(std::size_t size, std::size_t shift) : placed_key(pattern(size), shift) {}

    [[nodiscard]] std::span<const std::byte> view() const {
        return std::span(memory_).subspan(shift_);
    }

private:
    static std::vector<std::byte> pattern(std::size_t size) {
        std::vector<std::byte> key(size);
        for (std::size_t i = 0; i < size; ++i) {
            key[i] = static_cast<std::byte>((151 * i + 17 * size + 1) & 0xff);
        }
        return key;
    }

    std::vector<std::byte> memory_;
    std::size_t shift_;
};

} // namespace vectors
