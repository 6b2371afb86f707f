// Blobs of Milvus's clients, made again from the keys; and the kinds of keys that they tell apart.
#include <bloomery/detail/format/key_choice.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/key/encodings.hpp>
#include <bloomery/plan/compat.hpp>

#include "damage.hpp"

#include <map>

namespace bloomery::testing {
namespace {

const foreign_format& milvus() { return format::foreign_format_named("milvus"); }

std::vector<std::int64_t> integers_of(const json& list) {
    std::vector<std::int64_t> numbers;
    for (const json& one : list) numbers.push_back(std::stoll(one.get<std::string>()));
    return numbers;
}

any_filter milvus_made(std::uint64_t n, double p) {
    foreign_options options;
    options.n = items{n};
    options.p = rate{p};
    return milvus().create(options);
}

std::map<std::string, std::string> told(const any_filter& of) {
    std::map<std::string, std::string> facts;
    for (const auto& one : milvus().facts(of)) facts[one.name] = one.value;
    return facts;
}

/// Answers for single keys, for many, and for digests.
template <class Keys>
void expect_all_answers(const any_filter& asked, const Keys& keys, const std::string& answers) {
    ASSERT_EQ(keys.size(), answers.size());
    bitmap many;
    asked.may_contain_many(keys, many);
    bitmap hashed;
    asked.may_contain_many(asked.digest_many(keys), hashed);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(asked.may_contain(keys[i]), answers[i] == '1') << keys[i];
        EXPECT_EQ(many[i], answers[i] == '1') << keys[i];
        EXPECT_EQ(hashed[i], answers[i] == '1') << keys[i];
    }
}

void milvus_check(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    const auto ints = integers_of(one.at("ints"));
    const auto texts = hex_keys(one.at("texts"));
    const std::uint64_t n = std::stoull(one.at("n").get<std::string>());
    any_filter mine = milvus_made(n, one.at("p"));
    any_filter at_once = mine;
    for (const std::int64_t key : ints) mine.insert(key);
    for (const std::string& key : texts) mine.insert(key);
    EXPECT_EQ(to_hex(written(mine, milvus())), to_hex(theirs));
    at_once.insert_many(ints);
    at_once.insert_many(at_once.digest_many(texts));
    EXPECT_EQ(to_hex(written(at_once, milvus())), to_hex(theirs));

    expect_round_trip(theirs, milvus());
    EXPECT_EQ(&format::detect_one(view(theirs)), &milvus());
    const any_filter read = milvus().decode(view(theirs), {});
    expect_all_answers(read, integers_of(one.at("int_probes")), one.at("int_answers"));
    expect_all_answers(read, hex_keys(one.at("text_probes")), one.at("text_answers"));
    EXPECT_EQ(read.made_for().item_capacity, n);
    EXPECT_EQ(told(read)["n_declared"], std::to_string(n));
    EXPECT_EQ(told(read)["num_blocks"], std::to_string(one.at("num_blocks").get<unsigned>()));
    expect_damage_shows(theirs, milvus());
    if (theirs.size() < 600) expect_exact_length(theirs, milvus());
}

TEST(Milvus, BlobsAndAnswers) {
    const peer from("milvus");
    std::size_t seen = 0;
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        if (one.contains("type")) {
            for (const json& row : one.at("rows")) {
                const items n{std::stoull(row.at(0).get<std::string>())};
                EXPECT_EQ(plan::milvus_bytes(n, rate{row.at(1)}).value, row.at(2)) << row;
            }
        } else {
            milvus_check(one, from);
        }
        ++seen;
    }
    EXPECT_GE(seen, 9U);
}

// Three values of the test vectors that Milvus publishes for the authors of clients.
TEST(Milvus, ItsPublishedVectors) {
    any_filter ints = milvus_made(8, 0.001);
    for (const std::int64_t key :
         {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
          std::int64_t{1}, std::int64_t{2}, std::int64_t{42}, std::int64_t{1000000007},
          std::numeric_limits<std::int64_t>::max()}) {
        ints.insert(key);
    }
    EXPECT_EQ(to_hex(written(ints, milvus())),
              "4d424631010001000800000000000000fca9f1d24d62503f0100000001000000"
              "0117100a804845062834804200440612100448a40680089c4040542838410046");
    any_filter texts = milvus_made(7, 0.001);
    for (const char* const key : {"", "a", "milvus", "bloom", "\u65e5\u672c\u8a9e",
                                  "\U0001f680\U0001f680", "hello world"}) {
        texts.insert(std::string_view(key));
    }
    EXPECT_EQ(to_hex(written(texts, milvus())),
              "4d424631010001000700000000000000fca9f1d24d62503f0100000002000000"
              "10002c24010e020492110042181000b08a40860000284209010114a8015410c0");
}

// "ABCDEFGH" has the bytes of this integer, and so the same bits.
constexpr std::int64_t like_text = 0x4847464544434241;

TEST(Milvus, AKindThatWasNeverAddedIsDenied) {
    any_filter ids = milvus_made(10, 0.001);
    EXPECT_EQ(told(ids)["domains"], "none");
    EXPECT_TRUE(ids.try_insert(like_text));
    EXPECT_TRUE(ids.may_contain(like_text));
    EXPECT_FALSE(ids.may_contain("ABCDEFGH"));
    EXPECT_EQ(told(ids)["domains"], "int64");
    EXPECT_FALSE(ids.try_insert("ABCDEFGH")); // no bit is new, but now there are texts
    EXPECT_TRUE(ids.may_contain("ABCDEFGH"));
    EXPECT_EQ(told(ids)["domains"], "int64 utf8");
    ids.clear();
    EXPECT_FALSE(ids.may_contain(like_text));
    EXPECT_EQ(told(ids)["domains"], "none");
}

TEST(Milvus, MergingUnitesTheKindsAndIntersectingKeepsTheCommonOnes) {
    any_filter ids = milvus_made(10, 0.001);
    any_filter names = milvus_made(10, 0.001);
    ids.insert(like_text);
    names.insert("name");
    EXPECT_FALSE(ids == names);
    any_filter both = ids;
    both.merge(names);
    EXPECT_TRUE(both.may_contain(like_text) && both.may_contain("name"));
    both.intersect(ids);
    EXPECT_EQ(told(both)["domains"], "int64");
    EXPECT_TRUE(both.may_contain(like_text));
    // Bits of Parquet do not tell what their keys are: no key of either kind may be denied.
    any_filter bits = format::foreign_format_named("parquet-bitset")
                          .decode(view(written(names, milvus()).substr(32)), {});
    any_filter merged = ids;
    merged.merge(bits);
    EXPECT_TRUE(merged.may_contain(like_text) && merged.may_contain("name"));
    EXPECT_EQ(told(merged)["domains"], "int64 utf8");
    bits.merge(ids);
    EXPECT_TRUE(bits.may_contain(like_text) && bits.may_contain("name"));
}

TEST(Milvus, DigestsOfOtherFiltersAreAskedForBothKindsButNotAdded) {
    const parquet_filter other{bits{256}, hashes{8}};
    const digest128 hashed = widely(other.digest(std::string_view("ABCDEFGH")));
    any_filter ids = milvus_made(10, 0.001);
    ids.insert(like_text);
    EXPECT_TRUE(ids.may_contain(hashed));
    EXPECT_THROW(ids.insert(hashed), bad_argument);
    const std::vector<digest128> list{hashed};
    EXPECT_THROW(ids.insert_many(list), bad_argument);
}

TEST(Milvus, ParquetsBitsBecomeABlobForBothKindsUnlessOneIsNamed) {
    any_filter ids = milvus_made(100, 0.01);
    ids.insert(like_text);
    const std::string bytes = written(ids, milvus());
    const any_filter bits =
        format::foreign_format_named("parquet-bitset").decode(view(bytes).subspan(32), {});
    foreign_options options;
    options.n = items{100};
    options.p = rate{0.01};
    const any_filter unknown = milvus().decode(view(written(bits, milvus(), options)), {});
    EXPECT_EQ(told(unknown)["domains"], "int64 utf8");
    EXPECT_TRUE(unknown.may_contain(like_text));
    options.domains = "int64";
    EXPECT_EQ(to_hex(written(bits, milvus(), options)), to_hex(bytes));
    options.domains = "int32";
    EXPECT_THROW((void)written(bits, milvus(), options), bad_argument);
    const any_filter odd{parquet_filter{bloomery::bits{768}, hashes{8}}}; // three blocks
    EXPECT_THROW((void)written(odd, milvus()), incompatible);
}

TEST(Milvus, HeadersThatMilvusRefusesAreRefused) {
    const std::string good = written(milvus_made(10, 0.001), milvus());
    const auto with = [&](std::size_t at, char byte) {
        std::string bytes = good;
        bytes[at] = byte;
        return bytes;
    };
    EXPECT_NO_THROW((void)milvus().decode(view(good), {}));
    EXPECT_THROW((void)milvus().decode(view(with(0, 'X')), {}), bad_data);
    EXPECT_THROW((void)milvus().decode(view(with(4, 2)), {}), unsupported);  // version
    EXPECT_THROW((void)milvus().decode(view(with(6, 2)), {}), unsupported);  // algorithm
    EXPECT_THROW((void)milvus().decode(view(with(28, 4)), {}), unsupported); // domains
    EXPECT_THROW((void)milvus().decode(view(with(24, 0)), {}), bad_data);    // no block
    EXPECT_THROW((void)milvus().decode(view(with(24, 3)), {}), bad_data);    // no power of two
    EXPECT_THROW((void)milvus().decode(view(with(26, '\x40')), {}), bad_data);
    EXPECT_THROW((void)milvus().decode(view(with(27, '\x01')), {}), bad_data); // beyond the limit
    for (const std::size_t at : {29U, 30U, 31U}) {
        EXPECT_THROW((void)milvus().decode(view(with(at, 1)), {}), bad_data);
    }
}

TEST(Milvus, SizesOfItsClients) {
    foreign_options options;
    EXPECT_THROW((void)milvus().create(options), bad_argument);
    options.n = items{10'000'000};
    EXPECT_EQ(milvus().create(options).byte_count(), 16U << 20U); // at 0.5 %, their default
    options.p = rate{0.0501};
    EXPECT_THROW((void)milvus().create(options), bad_argument);
    options.p = rate{0.00009};
    EXPECT_THROW((void)milvus().create(options), bad_argument);
    EXPECT_THROW((void)plan::milvus_bytes({10}, {std::numeric_limits<double>::quiet_NaN()}),
                 bad_argument);
    options = {};
    options.m = bits{1000};
    EXPECT_EQ(milvus().create(options).byte_count(), 128U);
    options.k = hashes{7};
    EXPECT_THROW((void)milvus().create(options), bad_argument);
}

TEST(Milvus, ItsKeysAreIntegersAndTexts) {
    any_filter ids = milvus_made(10, 0.001);
    EXPECT_EQ(format::encoding_for(ids, key_encoding::i64le), key_encoding::integer);
    EXPECT_EQ(format::encoding_for(ids, key_encoding::utf8), key_encoding::utf8);
    for (const key_encoding other : {key_encoding::i32le, key_encoding::i64be, key_encoding::f64le,
                                     key_encoding::java_long, key_encoding::utf16le}) {
        EXPECT_THROW((void)format::encoding_for(ids, other), bad_argument);
    }
    EXPECT_EQ(format::encoding_in(ids), std::nullopt);
    ids.insert(7);
    EXPECT_EQ(format::encoding_in(ids), key_encoding::integer);
    ids.insert("seven");
    EXPECT_EQ(format::encoding_in(ids), std::nullopt);
    const any_filter bits{parquet_filter{bloomery::bits{256}, hashes{8}}};
    EXPECT_EQ(format::encoding_for(bits, key_encoding::i64le), key_encoding::i64le);
    EXPECT_EQ(format::encoding_in(bits), std::nullopt);
}

} // namespace
} // namespace bloomery::testing
