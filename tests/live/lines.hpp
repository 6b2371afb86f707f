// What the originals in C++ share: keys as lines of hexadecimal digits, and whole files.
#pragma once

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

inline std::vector<std::string> read_lines() {
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    return lines;
}

inline std::string from_hex(const std::string& digits) {
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

inline std::string read_file(const std::string& name) {
    std::ifstream from(name, std::ios::binary);
    from.exceptions(std::ios::failbit | std::ios::badbit);
    return {std::istreambuf_iterator<char>(from), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& name, const std::string& bytes) {
    std::ofstream to(name, std::ios::binary | std::ios::trunc);
    to.exceptions(std::ios::failbit | std::ios::badbit);
    to.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
