// Filters of Java tutorials, as they ran: their bits and answers, made again from the keys.
#include <bloomery/detail/hash/java.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/key/encodings.hpp>
#include <bloomery/storage/words.hpp>

#include "peer.hpp"

#include <algorithm>
#include <cstring>

namespace bloomery::testing {
namespace {

/// Calls `with` with a key as the filter takes it, and what it gives; of null, `nothing` gives.
template <class With, class Nothing>
std::string with_text(const json& key, With with, Nothing nothing) {
    if (key.is_null()) return nothing();
    if (key.is_string()) return with(utf16le_units(utf16_of(text_of(key))));
    const std::string digits = key.is_object() ? key.at("long").get<std::string>()
                                               : std::to_string(key.get<std::int64_t>());
    return with(utf16le_units(utf16_of(digits)));
}

/// The same by hash code, which null has too: 0.
template <class With>
std::string with_code(const json& key, With with) {
    if (key.is_null()) return with(std::int32_t{0});
    if (key.is_string()) return with(utf16le_units(utf16_of(text_of(key))));
    if (key.is_object()) {
        const std::int64_t value = std::stoll(key.at("long").get<std::string>());
        return with(hash::java::hash_code(value));
    }
    return with(key.get<std::int32_t>());
}

/// What a call of the original gave, in words that the cases share.
std::string told(const json& answer) {
    if (answer.is_string()) return answer == "ok" ? "ok" : "throws";
    return std::to_string(answer.get<int>());
}

/// A file that is nearly all zeros, which cost no memory.
class sparse_file {
public:
    explicit sparse_file(std::uint64_t size) : words_(size / 8 + 1), size_(size) {}

    void set(std::uint64_t at, unsigned value) {
        ASSERT_LT(at, size_);
        bytes()[at] |= static_cast<std::byte>(value);
    }
    void flip_lowest() { bytes()[0] ^= std::byte{1}; }
    [[nodiscard]] byte_view view() const {
        return std::as_bytes(std::span(words_.data(), words_.word_count())).first(size_);
    }
    /// Whether the filter is written as this file.
    [[nodiscard]] bool is(const any_filter& filter, const foreign_format& format) const {
        std::uint64_t at = 0;
        bool same = true;
        format.encode(filter,
                      [&](byte_view part) {
                          same = same && part.size() <= size_ - at &&
                                 std::memcmp(view().data() + at, part.data(), part.size()) == 0;
                          at += part.size();
                      },
                      {});
        return same && at == size_;
    }

private:
    std::byte* bytes() { return reinterpret_cast<std::byte*>(words_.data()); }

    storage::heap_words<> words_;
    std::uint64_t size_;
};

/// The file that a list of bits makes: as long as its last byte that is not zero.
sparse_file file_of_bits(const json& ones) {
    std::uint64_t size = 0;
    for (const json& one : ones) size = std::max(size, one.get<std::uint64_t>() / 8 + 1);
    sparse_file made(size);
    for (const json& one : ones) {
        const auto at = one.get<std::uint64_t>();
        made.set(at / 8, 1U << (at % 8));
    }
    return made;
}

template <class Add>
void add_all_of(const json& one, Add add) {
    for (std::size_t i = 0; i < one.at("keys").size(); ++i) {
        const std::string got = add(one.at("keys").at(i));
        EXPECT_EQ(got == "throws" ? got : "ok", told(one.at("add_result").at(i))) << "key " << i;
    }
}

template <class Ask>
void ask_all_of(const json& one, Ask ask) {
    for (std::size_t i = 0; i < one.at("probes").size(); ++i) {
        EXPECT_EQ(ask(one.at("probes").at(i)), told(one.at("answers").at(i))) << "probe " << i;
    }
}

/// The filter's file is `file`, before and after reading, and no longer when a bit has changed.
any_filter expect_file(const any_filter& mine, sparse_file& file, const foreign_format& format) {
    EXPECT_TRUE(file.is(mine, format));
    any_filter read = format.decode(file.view(), {});
    EXPECT_TRUE(file.is(read, format));
    EXPECT_EQ(format.looks(file.view()), format::likeness::no);
    file.flip_lowest();
    EXPECT_FALSE(file.is(mine, format));
    EXPECT_FALSE(file.is(format.decode(file.view().first(file.view().size() - 1), {}), format));
    return read;
}

void check_additive(const json& one) {
    const foreign_format& format = format::foreign_format_named("additive-8");
    any_filter mine = format.create({});
    add_all_of(one, [&](const json& key) {
        return with_text(
            key, [&](const std::string& k) { return outcome([&] { return mine.try_insert(k); }); },
            [] { return "0"; });
    });
    EXPECT_EQ(mine.stats().bits_set, one.at("cardinality").get<std::uint64_t>());
    sparse_file file = file_of_bits(one.at("ones"));
    const any_filter read = expect_file(mine, file, format);
    ask_all_of(one, [&](const json& key) {
        return with_text(
            key, [&](const std::string& k) { return outcome([&] { return read.may_contain(k); }); },
            [] { return "0"; });
    });
    const auto* const filter = mine.get_if<additive_8_filter>();
    for (std::size_t i = 0; i < one.at("indices").size(); ++i) {
        if (!one.at("indices").at(i).is_array()) continue;
        const auto places = one.at("indices").at(i).get<std::vector<std::uint64_t>>();
        with_text(
            one.at("probes").at(i),
            [&](const std::string& k) {
                std::vector<std::uint64_t> found = filter->locations(k, 8);
                for (std::uint64_t& place : found) place %= filter->bit_count();
                EXPECT_EQ(found, places);
                return "";
            },
            [] { return ""; });
    }
}

any_filter filled_by_code(const json& one, const foreign_format& format) {
    any_filter mine = format.create({});
    add_all_of(one, [&](const json& key) {
        return with_code(
            key, [&](const auto& k) { return outcome([&] { return mine.try_insert(k); }); });
    });
    const auto* const filter = mine.get_if<hash_code_6_filter>();
    for (std::size_t i = 0; i < one.at("indices").size(); ++i) {
        if (!one.at("indices").at(i).is_array()) continue;
        const auto places = one.at("indices").at(i).get<std::vector<std::int32_t>>();
        with_code(one.at("probes").at(i), [&](const auto& k) {
            const std::vector<std::uint64_t> found = filter->locations(k, 6);
            EXPECT_TRUE(std::ranges::equal(found, places, [](std::uint64_t a, std::int32_t b) {
                return static_cast<std::int32_t>(static_cast<std::uint32_t>(a)) == b;
            })) << i;
            return "";
        });
    }
    return mine;
}

void expect_answers_by_code(const json& one, const any_filter& read) {
    ask_all_of(one, [&](const json& key) {
        return with_code(
            key, [&](const auto& k) { return outcome([&] { return read.may_contain(k); }); });
    });
}

void check_hash_code(const json& one) {
    const foreign_format& format = format::foreign_format_named("hash-code-6");
    const any_filter mine = filled_by_code(one, format);
    EXPECT_EQ(mine.stats().bits_set, one.at("cardinality").get<std::uint64_t>());
    sparse_file file = file_of_bits(one.at("ones"));
    expect_answers_by_code(one, expect_file(mine, file, format));
}

void check_setbit(const json& one) {
    const foreign_format& format = format::foreign_format_named("setbit");
    const any_filter mine = filled_by_code(one, format);
    EXPECT_EQ(mine.stats().bits_set, one.at("redis_bitcount").get<std::uint64_t>());
    sparse_file file(one.at("redis_strlen").get<std::uint64_t>());
    for (const json& byte : one.at("nonzero_bytes")) file.set(byte.at(0), byte.at(1));
    expect_answers_by_code(one, expect_file(mine, file, format));
}

/// Ours has no original: no key is without a place, and each is found again.
void check_mended(const json& one) {
    const foreign_format& format = format::foreign_format_named("hash-code-6-mended");
    any_filter mine = format.create({});
    for (const json& key : one.at("keys")) {
        with_code(key, [&](const auto& k) {
            mine.insert(k);
            EXPECT_TRUE(mine.may_contain(k));
            return "";
        });
    }
    EXPECT_TRUE(written(format.decode(view(written(mine, format)), {}), format) ==
                written(mine, format));
    const auto* const filter = mine.get_if<hash_code_6_mended_filter>();
    const auto code = static_cast<std::uint32_t>(hash::java::spread(-123456789));
    std::vector<std::uint64_t> places;
    for (const std::uint32_t factor : {1U, 6U, 16U, 38U, 58U, 68U}) {
        const std::uint32_t place = factor * code;
        places.push_back(place);
    }
    EXPECT_EQ(filter->locations(std::int32_t{-123456789}, 6), places);
}

TEST(Literature, Additive8) {
    const peer from("seed-java-additive8");
    for (const json& one : from.cases()) check_additive(one);
}

TEST(Literature, HashCode6) {
    const peer from("seed-java-hashcode6");
    for (const json& one : from.cases()) check_hash_code(one);
}

TEST(Literature, HashCode6Mended) {
    const peer from("seed-java-hashcode6");
    for (const json& one : from.cases()) check_mended(one);
}

TEST(Literature, SetBit) {
    const peer from("seed-redis-setbit");
    for (const json& one : from.cases()) check_setbit(one);
}

TEST(Literature, TooManyBytesAreRefused) {
    const sparse_file file((std::uint64_t{1} << 28U) + 1);
    for (const char* const name : {"additive-8", "hash-code-6", "hash-code-6-mended", "setbit"}) {
        EXPECT_THROW((void)format::foreign_format_named(name).decode(file.view(), {}), bad_data);
    }
}

} // namespace
} // namespace bloomery::testing
