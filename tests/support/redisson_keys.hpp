// Keys of the manifest of tests/data/foreign/redisson, as the codecs of Redisson encode them.
#pragma once

#include <bloomery/key/encodings.hpp>

#include "foreign_manifest.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {

/// The bytes that a codec of Redisson makes of a key.
inline std::string encoded_by(const std::string& codec, const nlohmann::json& key) {
    if (codec == "ByteArrayCodec") return from_hex(key.get<std::string>());
    const bool kryo = codec == "Kryo5Codec";
    if (key.is_object()) {
        const std::string digits = key.at("long").get<std::string>();
        return kryo ? kryo5_long(std::stoll(digits)) : digits;
    }
    if (key.is_number()) {
        const auto value = key.get<std::int32_t>();
        return kryo ? kryo5_integer(value) : std::to_string(value);
    }
    const std::u16string units = utf16_of(text_of(key));
    return kryo ? kryo5_string(units) : java_utf8(units);
}

/// Those of a case's list.
inline std::vector<std::string> redisson_keys(const nlohmann::json& one,
                                              const nlohmann::json& list) {
    std::vector<std::string> keys;
    for (const nlohmann::json& key : list) keys.push_back(encoded_by(one.at("codec"), key));
    return keys;
}

} // namespace bloomery::testing
