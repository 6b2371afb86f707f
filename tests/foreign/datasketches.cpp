// Files and answers of Apache DataSketches, made again from the keys.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/key/encodings.hpp>

#include "damage.hpp"
#include "peer.hpp"

#include <limits>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

const foreign_format& sketch = format::foreign_format_named("datasketches");

template <std::size_t Size>
std::string text(const std::array<std::byte, Size>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), Size};
}

/// The keys of a list under a kind of its own.
std::vector<std::string> datasketches_keys_of(const json& one, const std::string& kind,
                                              const std::string& member) {
    std::vector<std::string> keys;
    for (const json& key : one.value(kind + member, json::array())) {
        const auto value = key.get<std::string>();
        if (kind == "int64_") {
            keys.push_back(text(i64le(std::stoll(value))));
        } else if (kind == "double_") {
            keys.push_back(text(f64le_canonical(std::stod(value))));
        } else {
            keys.push_back(from_hex(value));
        }
    }
    return keys;
}

any_filter made(const json& one) {
    foreign_options options;
    options.m = bits{one.at("num_bits_arg").get<std::uint64_t>()};
    options.k = hashes{one.at("num_hashes").get<std::uint32_t>()};
    options.seed = std::stoull(one.at("seed").get<std::string>());
    return sketch.create(options);
}

void add_keys(any_filter& to, const json& one) {
    for (const char* const kind : {"", "int64_", "double_"}) {
        add_all(to, datasketches_keys_of(one, kind, "keys"), nullptr);
    }
}

void datasketches_check(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    any_filter mine = made(one);
    if (!one.at("counted_before_serialize").get<bool>()) {
        // That it was not counted is known from a file only.
        mine = sketch.decode(view(theirs), {});
        EXPECT_EQ(mine.spec(), made(one).spec());
        mine.clear();
    }
    add_keys(mine, one);
    EXPECT_EQ(written(mine, sketch), theirs);
    expect_round_trip(theirs, sketch);
    EXPECT_EQ(&format::detect_one(view(theirs)), &sketch);
    const any_filter read = sketch.decode(view(theirs), {});
    for (const std::string kind : {"", "int64_", "double_"}) {
        if (one.contains(kind + "answers")) {
            expect_answers(read, datasketches_keys_of(one, kind, "probes"),
                           one.at(kind + "answers"));
        }
    }
    if (one.at("counted_before_serialize").get<bool>()) {
        EXPECT_EQ(sketch.facts(read).at(1).value,
                  std::to_string(one.at("bits_used").get<std::uint64_t>()));
    }
    if (theirs.size() <= 2000) expect_exact_length(theirs, sketch);
}

TEST(DataSketches, FilesAndAnswers) {
    const peer from("datasketches");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        if (one.value("type", "").empty()) datasketches_check(one, from);
    }
}

TEST(DataSketches, DamageIsRefusedOrMakesAnotherFilter) {
    const peer from("datasketches");
    foreign_options small; // an empty filter is as large as it says
    small.limits.largest_filter_bytes = 1000000;
    for (const json& one : from.cases()) {
        if (!one.contains("file")) continue;
        const std::string bytes = from.file(one.at("file"));
        if (bytes.size() <= 300) expect_damage_shows(bytes, sketch, small);
    }
}

foreign_options of_bits(std::uint64_t m, std::uint32_t k) {
    foreign_options options;
    options.m = bits{m};
    options.k = hashes{k};
    return options;
}

TEST(DataSketches, ACountThatIsWrongIsDamage) {
    any_filter made = sketch.create(of_bits(64, 3));
    made.insert(std::string("key"));
    std::string bytes = written(made, sketch);
    bytes[24] = static_cast<char>(bytes[24] + 1);
    EXPECT_THROW((void)sketch.decode(view(bytes), {}), bad_data);
    // All ones: nobody counted. It stays so.
    bytes.replace(24, 8, 8, '\xff');
    EXPECT_EQ(written(sketch.decode(view(bytes), {}), sketch), bytes);
}

TEST(DataSketches, AnEmptyFilterMayHaveItsBitsInTheFile) {
    const std::string empty = written(sketch.create(of_bits(65, 3)), sketch);
    ASSERT_EQ(empty.size(), 24U);
    EXPECT_EQ(written(sketch.decode(view(empty), {}), sketch), empty);
    // As it is in memory that a filter was made in.
    std::string full = empty + std::string(24, '\0');
    full[0] = 4;
    full[3] = 0;
    EXPECT_EQ(written(sketch.decode(view(full), {}), sketch), full);
}

TEST(DataSketches, AnEmptyFilterOfALyingSizeIsRefused) {
    std::string empty = written(sketch.create(of_bits(64, 3)), sketch);
    empty.replace(16, 4, "\xff\xff\xff\xff");
    EXPECT_THROW((void)sketch.decode(view(empty), {}), bad_data);
    empty.replace(16, 4, std::string("\0\0\0\x01", 4));
    foreign_options small;
    small.limits.largest_filter_bytes = 1000000;
    EXPECT_THROW((void)sketch.decode(view(empty), small), memory_refused);
}

TEST(DataSketches, AnotherVersionIsNotKnown) {
    std::string bytes = written(sketch.create(of_bits(64, 3)), sketch);
    bytes[1] = 2;
    EXPECT_THROW((void)sketch.decode(view(bytes), {}), unsupported);
}

TEST(DataSketches, TheEmptyKeyIsNone) {
    any_filter made = sketch.create(of_bits(64, 3));
    EXPECT_FALSE(made.try_insert(std::string()));
    EXPECT_FALSE(made.may_contain(std::string()));
    EXPECT_EQ(made.stats().bits_set, 0U);
}

TEST(DataSketches, AFilterIsMadeFromWhatItsMakerKnows) {
    EXPECT_EQ(sketch.create(of_bits(64, 3)).spec().seed, 9001U);
    EXPECT_EQ(sketch.create(of_bits(65, 3)).spec().shape.bit_count, 128U);
    foreign_options planned;
    planned.n = items{1000};
    planned.p = rate{0.01};
    planned.seed = 0;
    const spec chosen = sketch.create(planned).spec();
    EXPECT_EQ(chosen.shape.bit_count, 9600U); // 9586, in whole words
    EXPECT_EQ(chosen.shape.hash_count, 7U);
    EXPECT_EQ(chosen.seed, 0U);
    EXPECT_THROW((void)sketch.create({}), bad_argument);
    EXPECT_THROW((void)sketch.create(of_bits(17179868921, 3)), bad_argument);
    EXPECT_THROW((void)sketch.create(of_bits(0, 3)), bad_argument);
    EXPECT_THROW((void)sketch.create(of_bits(64, 0)), bad_argument);
    EXPECT_THROW((void)sketch.create(of_bits(64, 65536)), bad_argument);
}

TEST(DataSketches, ThereIsOneZeroAndOneNan) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(f64le_canonical(-0.0), f64le(0.0));
    EXPECT_EQ(f64le_canonical(-nan), f64le_canonical(nan));
    EXPECT_EQ(to_hex(text(f64le_canonical(-nan))), "000000000000f87f");
    EXPECT_EQ(f64le_canonical(-2.25), f64le(-2.25));
}

} // namespace
} // namespace bloomery::testing
