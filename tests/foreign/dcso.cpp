// Files and answers of DCSO's bloom, made again from the keys.
#include "dcso.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>

#include "damage.hpp"
#include "peer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {
namespace {

bool is_packed(const std::string& bytes) { return bytes.starts_with("\x1f\x8b"); }

void dcso_check(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    const std::vector<std::string> keys = dcso::keys_of(one.at("keys"));
    any_filter mine = dcso::made(one);
    add_all(mine, keys, nullptr);
    EXPECT_EQ(written(mine, dcso::format), theirs);
    any_filter at_once = dcso::made(one);
    at_once.insert_many(keys);
    EXPECT_EQ(written(at_once, dcso::format), theirs);
    expect_round_trip(theirs, dcso::format);
    EXPECT_EQ(&format::detect_one(view(theirs)), &dcso::format);
    const any_filter read = dcso::format.decode(view(theirs), {});
    expect_answers(read, dcso::keys_of(one.at("probes")), one.at("answers"));
    EXPECT_EQ(dcso::told(read), dcso::shown(one));
    EXPECT_EQ(dcso::told(mine), dcso::shown(one));
}

void check_data(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    const std::string data = from_hex(one.at("data_hex").get<std::string>());
    EXPECT_EQ(theirs, from.file(one.at("same_filter_as")) + data);
    any_filter read = dcso::format.decode(view(theirs), {});
    EXPECT_EQ(written(read, dcso::format), theirs);
    EXPECT_EQ(&format::detect_one(view(theirs)), &dcso::format);
    read.insert(std::string("one more key"));
    EXPECT_TRUE(written(read, dcso::format).ends_with(data));
}

TEST(Dcso, FilesAndAnswers) {
    const peer from("dcso");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (is_packed(from.file(one.at("file")))) continue;
        if (type.empty()) dcso_check(one, from);
        if (type == "data") check_data(one, from);
    }
}

TEST(Dcso, DamageIsRefusedOrMakesAnotherFilter) {
    const peer from("dcso");
    for (const json& one : from.cases()) {
        const std::string bytes = from.file(one.at("file"));
        if (bytes.size() <= 200 && !is_packed(bytes)) expect_damage_shows(bytes, dcso::format);
    }
}

TEST(Dcso, AFewBytesThatAskForTerabytesAreRefused) {
    const std::string plain =
        dcso::header(1, 0.01, 7, std::uint64_t{1} << 40U) + std::string(80, '\0');
    EXPECT_THROW((void)dcso::format.decode(view(plain), {}), bad_data);
    const std::string most = dcso::header(1, 0.01, 7, ~std::uint64_t{0});
    EXPECT_THROW((void)dcso::format.decode(view(most), {}), memory_refused);
}

TEST(Dcso, OtherVersionsAndEmptyFiltersAreRefused) {
    for (const std::string& head : {dcso::header(2, 0.01, 7, 64), dcso::header(0x100, 0.01, 7, 64),
                                    dcso::header(1, 0.01, 0, 64), dcso::header(1, 0.01, 7, 0)}) {
        EXPECT_THROW((void)dcso::format.decode(view(head + dcso::little_endian(0)), {}), bad_data);
    }
    // The other bits of the flags are free, and stay.
    const std::string flags = dcso::header(0xff01, 0.01, 7, 64) + dcso::little_endian(0);
    EXPECT_EQ(written(dcso::format.decode(view(flags), {}), dcso::format), flags);
}

storage::heap_words<> all_ones(std::uint64_t word_count) {
    storage::heap_words<> words(word_count);
    std::fill_n(words.data(), word_count, ~std::uint64_t{0});
    return words;
}

std::string count_of(const any_filter& of) { return dcso::format.facts(of).at(1).value; }

TEST(Dcso, CountsWhatChangedABit) {
    foreign_options options;
    options.n = items{100};
    options.p = rate{0.01};
    any_filter one = dcso::format.create(options);
    const std::vector<std::string_view> keys{"a", "b", "a"};
    bitmap fresh;
    one.try_insert_many(keys, fresh);
    EXPECT_EQ(count_of(one), "2");
    any_filter other = dcso::format.create(options);
    other.insert_many(keys);
    EXPECT_EQ(count_of(other), "2");
    other.insert(std::string("a"));
    EXPECT_EQ(count_of(other), "2");
    other.merge(one); // as the original's Join: the sum, whatever they share
    EXPECT_EQ(count_of(other), "4");
    other.clear();
    EXPECT_EQ(count_of(other), "0");
    // Of the same size, but made for another number of keys.
    foreign_options same = options;
    same.n = items{99};
    same.m = bits{one.spec().shape.bit_count};
    same.k = hashes{one.spec().shape.hash_count};
    EXPECT_FALSE(one.compatible_with(dcso::format.create(same)));
    EXPECT_THROW(one.merge(dcso::format.create(same)), incompatible);
    EXPECT_EQ(count_of(one), "2");
    EXPECT_THROW((void)dcso::format.create({}), bad_argument);
}

TEST(Dcso, AFilterWithoutACountHasOneEstimated) {
    foreign_options options;
    options.n = items{1000};
    options.p = rate{0.001};
    any_filter counted = dcso::format.create(options);
    std::vector<std::string> keys;
    for (int i = 0; i < 700; ++i) keys.push_back("key-" + std::to_string(i));
    counted.insert_many(keys);
    // The same bits, as a native file would give them back.
    any_filter bare = make_foreign(counted.spec(), counted.made_for());
    EXPECT_EQ(count_of(bare), "0");
    bare.merge(counted);
    const any_filter read = dcso::format.decode(view(written(bare, dcso::format)), {});
    const plan::cardinality estimate = bare.stats().items;
    EXPECT_EQ(count_of(read), std::to_string(std::llround(estimate.items)));
    EXPECT_NEAR(estimate.items, 700, 5 * estimate.standard_error);
    // Where every bit is set the estimate is infinite, but no insert counts that set none.
    spec small = counted.spec();
    small.shape.bit_count = 64;
    const any_filter full = make_foreign(small, all_ones(1));
    EXPECT_EQ(count_of(dcso::format.decode(view(written(full, dcso::format)), {})), "64");
}

} // namespace
} // namespace bloomery::testing
