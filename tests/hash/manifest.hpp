// Hashes that other programs gave, from the manifests under data/foreign.
#pragma once

#include "foreign_manifest.hpp"
#include "vectors.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace manifest {

/// One case of a peer.
inline nlohmann::json case_of(std::string_view peer, std::string_view id) {
    using namespace bloomery::testing;
    const nlohmann::json all = load_manifest(foreign_data() / peer / "manifest.json");
    for (const nlohmann::json& each : all.at("cases")) {
        if (each.at("id") == id) {
            return each;
        }
    }
    throw std::runtime_error(std::string("no such case: ").append(id));
}

/// A key of a manifest: bytes in hexadecimal.
inline std::vector<std::byte> key(const nlohmann::json& digits) {
    return vectors::unhex<std::byte>(digits.get<std::string>());
}

} // namespace manifest
