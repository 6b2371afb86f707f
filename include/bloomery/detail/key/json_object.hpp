// A JSON text, written from left to right.
#pragma once

#include <bloomery/detail/cxx20.hpp>
#include <bloomery/detail/plan/number.hpp>
#include <bloomery/key/encodings.hpp>

#include <cmath>
#include <concepts>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::inline v0::text {

/// An object. Values are strings, numbers, booleans, or JSON.
class json_object {
public:
    void text(std::string_view name, std::string_view value) { raw(name, quoted(value)); }
    void flag(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
    /// A number; null if JSON cannot represent it.
    template <class Number>
    void number(std::string_view name, Number value) {
        if constexpr (std::floating_point<Number>) {
            raw(name, std::isfinite(value) ? plan::shortest(value) : "null");
        } else {
            raw(name, std::to_string(value));
        }
    }
    void texts(std::string_view name, std::span<const std::string> values) {
        std::string list = "[";
        for (const std::string& one : values) {
            if (list.size() > 1) {
                list += ',';
            }
            list += quoted(one);
        }
        list += ']';
        raw(name, list);
    }
    void null(std::string_view name) { raw(name, "null"); }
    void raw(std::string_view name, std::string_view value) {
        if (made_.size() > 1) {
            made_ += ',';
        }
        made_ += quoted(name);
        made_ += ':';
        made_ += value;
    }

    [[nodiscard]] std::string done() const { return made_ + "}"; }

private:
    /// Bytes that are not UTF-8 become question marks.
    static std::string quoted(std::string_view value) {
        constexpr std::string_view digits = "0123456789abcdef";
        const bool good = is_utf8(value);
        std::string made = "\"";
        for (const char c : value) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                made += {'\\', c};
            } else if (byte < 0x20) {
                made += {'\\', 'u', '0', '0', digits[byte >> 4U], digits[byte & 15U]};
            } else {
                made += byte >= 0x80 && !good ? '?' : c;
            }
        }
        return made + '"';
    }

    std::string made_ = "{";
};

} // namespace bloomery::inline v0::text
