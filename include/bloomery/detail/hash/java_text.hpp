// String hashes of Java filters as hash objects, over the UTF-16 units of a text.
//
// A key is the text's units as bytes, little-endian: key/encodings.hpp makes them. An odd byte at
// the end counts as a unit.
#pragma once

#include <bloomery/detail/hash/classical.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/java.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/hash/digest.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace bloomery::inline v0::hash {

namespace detail {

/// The units encoded by little-endian bytes. O(bytes); throws std::bad_alloc.
BLOOMERY_OWN_COPY inline std::u16string units_of(byte_view bytes) {
    std::u16string units((bytes.size() + 1) / 2, u'\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        units[i / 2] = static_cast<char16_t>(units[i / 2] | std::to_integer<unsigned>(bytes[i])
                                                                << (8 * (i % 2)));
    }
    return units;
}

/// The one of these string hashes with that id, or String.hashCode, as Java's long. O(text).
template <class... Hashes>
BLOOMERY_OWN_COPY std::int64_t text_hash_among(hash_id which, std::u16string_view text,
                                               const Hashes&... all) noexcept {
    std::int64_t found = 0;
    const bool known = ((which == all.id && (found = all(text), true)) || ...);
    return known ? found : java::string_hash_code(text);
}

BLOOMERY_OWN_COPY inline std::int64_t text_hash_of(hash_id which,
                                                   std::u16string_view text) noexcept {
    return text_hash_among(which, text, bkdr, ap, djb, js, rs, sdbm, pjw, elf, dek, hf, hf_ip,
                           tianl, fnv_java);
}

} // namespace detail

/// One string hash, chosen at run time. Any of `bkdr` to `java_string`; all others count as the
/// latter.
class java_text_hash {
public:
    static constexpr bool is_avalanching = true;

    explicit java_text_hash(hash_id which = hash_id::java_string) noexcept : which_(which) {}

    [[nodiscard]] hash_id id() const noexcept { return which_; }
    /// The digest of a text: Java's long, including its sign. O(text); throws std::bad_alloc.
    digest64 operator()(byte_view text) const {
        return {static_cast<std::uint64_t>(detail::text_hash_of(which_, detail::units_of(text)))};
    }
    friend bool operator==(const java_text_hash&, const java_text_hash&) = default;

private:
    hash_id which_;
};

/// Up to sixteen string hashes at once. The seed lists them, four bits each, the first lowest: the
/// hash's id minus that of `bkdr`, plus one; 0 is the constant hash 0.
class java_texts_hash {
public:
    static constexpr hash_id id = hash_id::java_texts;
    static constexpr bool is_avalanching = true;

    explicit java_texts_hash(std::uint64_t list = 0) noexcept : list_(list) {}

    /// The seed that lists these hashes, each from `bkdr` to `java_string`. O(n).
    template <class Ids>
    [[nodiscard]] static java_texts_hash of(const Ids& ids) noexcept {
        std::uint64_t list = 0;
        unsigned at = 0;
        for (const hash_id which : ids) {
            list |= code_of(which) << at;
            at += 4;
        }
        return java_texts_hash(list);
    }

    [[nodiscard]] std::uint64_t seed() const noexcept { return list_; }
    /// The digest of a text. O(text) for each hash; throws std::bad_alloc.
    digest_list<std::int64_t, 16> operator()(byte_view text) const {
        const std::u16string units = detail::units_of(text);
        digest_list<std::int64_t, 16> hashes{};
        for (std::size_t i = 0; i < hashes.words.size(); ++i) {
            if (const std::uint64_t code = list_ >> (4 * i) & 15U; code != 0) {
                hashes.words[i] = detail::text_hash_of(id_of_code(code), units);
            }
        }
        return hashes;
    }
    friend bool operator==(const java_texts_hash&, const java_texts_hash&) = default;

private:
    static constexpr std::uint64_t first = static_cast<std::uint64_t>(hash_id::bkdr);

    static constexpr std::uint64_t code_of(hash_id which) noexcept {
        return static_cast<std::uint64_t>(which) - first + 1;
    }
    static constexpr hash_id id_of_code(std::uint64_t code) noexcept {
        return static_cast<hash_id>(code - 1 + first);
    }

    std::uint64_t list_;
};

/// h = s h + unit for the eight multipliers s of a filter in the literature.
struct additive_eight_hash {
    static constexpr hash_id id = hash_id::additive_eight;
    static constexpr bool is_avalanching = true;

    /// The digest of a text. O(text); throws std::bad_alloc.
    digest_list<std::uint32_t, 8> operator()(byte_view text) const {
        const std::u16string units = detail::units_of(text);
        digest_list<std::uint32_t, 8> hashes;
        for (std::size_t i = 0; i < hashes.words.size(); ++i) {
            hashes.words[i] = detail::additive(units, multipliers[i]);
        }
        return hashes;
    }
    friend constexpr bool operator==(additive_eight_hash, additive_eight_hash) = default;

private:
    static constexpr std::array<std::uint32_t, 8> multipliers{3, 5, 7, 11, 13, 31, 37, 61};
};

/// hashCode() of a Java object: of a String for bytes, of an Integer for integers that fit one and
/// of a Long for others.
struct java_object_hash {
    static constexpr hash_id id = hash_id::java_object;
    static constexpr bool is_avalanching = true;

    /// The digest of a text. O(text); throws std::bad_alloc.
    digest64 operator()(byte_view text) const {
        return of(java::string_hash_code(detail::units_of(text)));
    }
    /// The digest of a number. O(1).
    [[nodiscard]] digest64 integer(std::uint64_t number) const noexcept {
        const auto value = static_cast<std::int64_t>(number);
        const auto narrow = static_cast<std::int32_t>(value);
        return of(narrow == value ? java::hash_code(narrow) : java::hash_code(value));
    }
    friend constexpr bool operator==(java_object_hash, java_object_hash) = default;

private:
    static constexpr digest64 of(std::int32_t code) noexcept {
        return {static_cast<std::uint32_t>(code)};
    }
};

} // namespace bloomery::inline v0::hash
