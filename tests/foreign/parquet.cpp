// parquet-java's own bitsets, hashes and answers, made again from the keys.
#include <bloomery/key/encodings.hpp>
#include <bloomery/plan/compat.hpp>

#include "damage.hpp"

#include <algorithm>

namespace bloomery::testing {
namespace {

const foreign_format& bitset() { return format::foreign_format_named("parquet-bitset"); }
const foreign_format& with_header() { return format::foreign_format_named("parquet"); }

template <std::size_t Size>
std::string parquet_text(const std::array<std::byte, Size>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), Size};
}

/// A key as the bytes that are hashed. Floats are in a manifest as the bits of the number.
std::string parquet_plain(const std::string& type, const json& key) {
    if (type == "int32") return parquet_text(i32le(key.get<std::int32_t>()));
    if (type == "int64") return parquet_text(i64le(std::stoll(key.get<std::string>())));
    std::string bytes = from_hex(key.get<std::string>());
    if (type == "float" || type == "double") std::ranges::reverse(bytes);
    return bytes;
}

std::vector<std::string> parquet_keys_of(const json& one, const json& list) {
    std::vector<std::string> keys;
    for (const json& key : list) keys.push_back(parquet_plain(one.at("type_name"), key));
    return keys;
}

void parquet_check(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    const std::vector<std::string> keys = parquet_keys_of(one, one.at("keys"));
    foreign_options options;
    options.m = bits{one.at("num_bytes_arg").get<std::uint64_t>() * 8};
    any_filter mine = bitset().create(options);
    EXPECT_EQ(mine.spec().shape.byte_count(), one.at("num_bytes").get<std::uint64_t>());
    add_all(mine, keys, nullptr);
    EXPECT_EQ(written(mine, bitset()), theirs);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(std::to_string(mine.digest(keys[i]).low), one.at("hashes").at(i));
    }
    const any_filter read = bitset().decode(view(theirs), {});
    EXPECT_EQ(written(read, bitset()), theirs);
    expect_answers(read, parquet_keys_of(one, one.at("probes")), one.at("answers"));
    const std::string whole = written(read, with_header());
    expect_round_trip(whole, with_header());
    EXPECT_EQ(written(with_header().decode(view(whole), {}), bitset()), theirs);
    expect_damage_shows(theirs, bitset());
    expect_damage_shows(whole, with_header());
}

TEST(Parquet, BitsetsAndAnswers) {
    const peer from("parquet");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        if (one.contains("type")) {
            for (const json& row : one.at("rows")) {
                const items n{row.at(0).get<std::uint64_t>()};
                const rate p{row.at(1).get<double>()};
                const auto theirs = row.at(2).get<std::uint64_t>();
                EXPECT_EQ(plan::parquet_bits(n, p).value, theirs);
                if (theirs > 1U << 24U) continue;
                foreign_options options;
                options.n = n;
                options.p = p;
                EXPECT_EQ(with_header().create(options).spec().shape.byte_count(),
                          plan::parquet_array({theirs / 8}).value);
            }
        } else {
            parquet_check(one, from);
        }
    }
}

TEST(Parquet, TheHeaderOfAKilobyte) {
    foreign_options options;
    options.m = bits{8192};
    const std::string bytes = written(with_header().create(options), with_header());
    EXPECT_EQ(to_hex(bytes.substr(0, 16)), "1580101c1c00001c1c00001c1c000000");
    EXPECT_EQ(bytes.size(), 16U + 1024);
    EXPECT_EQ(format::detect_one(view(bytes)).name, "parquet");
}

TEST(Parquet, HeadersOfOtherMakesAreReadOrNamed) {
    using namespace std::string_view_literals;
    const std::string blocks(32, '\x55');
    const auto read = [&](std::string_view header) {
        return with_header().decode(view(std::string(header) + blocks), {});
    };
    // Field numbers in full, a field that nobody knows, and the fields in another order.
    EXPECT_NO_THROW((void)read("\x05\x02\x40\x0c\x04\x0c\x02\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv));
    EXPECT_NO_THROW((void)read("\x15\x40\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\x18\x02hi\0"sv));
    EXPECT_NO_THROW((void)read("\x2c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\x05\x02\x40\0"sv));
    // Another algorithm, another hash, a compression.
    EXPECT_THROW((void)read("\x15\x40\x1c\x2c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv), unsupported);
    EXPECT_THROW((void)read("\x15\x40\x1c\x1c\0\0\x1c\x2c\0\0\x1c\x1c\0\0\0"sv), unsupported);
    EXPECT_THROW((void)read("\x15\x40\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x2c\0\0\0"sv), unsupported);
    // No size, half a block, a negative size, two gigabytes, no hash.
    for (const std::string_view header :
         {"\x2c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv,
          "\x15\x20\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv,
          "\x15\x3f\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv,
          "\x15\x80\x80\x80\x80\x10\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv,
          "\x15\xc0\xff\xff\xff\x0f\x1c\x1c\0\0\x1c\x1c\0\0\x1c\x1c\0\0\0"sv,
          "\x15\x40\x1c\x1c\0\0\x2c\x1c\0\0\0"sv, "\x15\x40\0"sv, "\0"sv}) {
        EXPECT_THROW((void)read(header), bad_data);
    }
}

TEST(Parquet, RefusesWhatParquetCannotHave) {
    foreign_options options;
    EXPECT_THROW((void)with_header().create(options), bad_argument);
    options.n = items{100};
    options.p = rate{2};
    EXPECT_THROW((void)with_header().create(options), bad_argument);
    options.p = {};
    options.k = hashes{7};
    EXPECT_THROW((void)with_header().create(options), bad_argument);
    EXPECT_THROW((void)bitset().decode({}, {}), bad_data);
    EXPECT_THROW((void)bitset().decode(view(std::string(33, '\0')), {}), bad_data);
    EXPECT_THROW((void)with_header().decode({}, {}), bad_data);
}

} // namespace
} // namespace bloomery::testing
