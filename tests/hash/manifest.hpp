// Reads the manifests under data/foreign, which list what other programs gave.
#pragma once

#include "vectors.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace manifest {

inline std::string path(std::string_view peer, std::string_view file) {
    return std::string(BLOOMERY_TEST_DATA "/foreign/").append(peer).append("/").append(file);
}

/// The JSON with each \u escape of its texts left as it is written: some are lone surrogates, which
/// the parser refuses.
inline std::string with_literal_units(std::string_view json) {
    std::string copy;
    for (std::size_t i = 0; i < json.size(); ++i) {
        copy += json[i];
        if (json[i] == '\\') {
            ++i;
            copy.append(json[i] == 'u' ? "\\u" : json.substr(i, 1));
        }
    }
    return copy;
}

/// One case of a peer.
inline nlohmann::json case_of(std::string_view peer, std::string_view id) {
    std::ifstream in(path(peer, "manifest.json"));
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const nlohmann::json all = nlohmann::json::parse(with_literal_units(text));
    for (const nlohmann::json& each : all.at("cases")) {
        if (each.at("id") == id) {
            return each;
        }
    }
    throw std::runtime_error(std::string("no such case: ").append(id));
}

/// The bytes of a file that a peer wrote.
inline std::vector<std::byte> bytes_of(std::string_view peer, std::string_view file) {
    std::ifstream in(path(peer, file), std::ios::binary);
    if (!in) {
        throw std::runtime_error(std::string("no such file: ").append(file));
    }
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(in), end; at != end; ++at) {
        bytes.push_back(static_cast<std::byte>(*at));
    }
    return bytes;
}

/// A key of a manifest: bytes in hexadecimal.
inline std::vector<std::byte> key(const nlohmann::json& digits) {
    return vectors::unhex<std::byte>(digits.get<std::string>());
}

} // namespace manifest
