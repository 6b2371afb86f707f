// RedisBloom's own dumps and answers, made again from the keys.
#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/redis.hpp>

#include "damage.hpp"

#include <algorithm>

namespace bloomery::testing {
namespace {

using format::redisbloom_chunk;

const foreign_format& redisbloom() { return format::foreign_format_named("redisbloom"); }

foreign_options redisbloom_options_of(const json& one) {
    foreign_options options;
    options.n = items{one.at("capacity").get<std::uint64_t>()};
    options.p = rate{one.at("error_rate").get<double>()};
    options.growth = one.at("growth").get<unsigned>();
    options.redisbloom_options = one.at("options").get<unsigned>();
    return options;
}

std::string fact(const any_filter& of, std::string_view name) {
    for (const format::foreign_fact& one : redisbloom().facts(of)) {
        if (one.name == name) return one.value;
    }
    return "";
}

/// What BF.ADD's function returns: 1 for a new key, 0 for one that was seen, -2 for a full filter.
int added(any_filter& to, const std::string& key) {
    const insertion done = to.try_insert(key);
    return done.state == status::full ? -2 : done ? 1 : 0;
}

void expect_chunks(const json& one, const std::string& dump, std::size_t header_bytes) {
    std::vector<redisbloom_chunk> chunks =
        format::redisbloom_chunks(view(dump), one.at("chunk_limit").get<std::uint64_t>());
    ASSERT_EQ(chunks.size(), one.at("chunks_iter_len").size() + 1);
    EXPECT_EQ(chunks[0].iterator, 1U);
    EXPECT_EQ(chunks[0].bytes.size(), header_bytes);
    for (std::size_t i = 1; i < chunks.size(); ++i) {
        const json& theirs = one.at("chunks_iter_len").at(i - 1);
        EXPECT_EQ(chunks[i].iterator, theirs.at(0).get<std::uint64_t>());
        EXPECT_EQ(chunks[i].bytes.size(), theirs.at(1).get<std::size_t>());
    }
    std::ranges::reverse(chunks);
    chunks.push_back({0, {}});
    EXPECT_TRUE(std::ranges::equal(format::redisbloom_joined(chunks), view(dump)));
}

void redisbloom_check(const json& one, const peer& from) {
    const std::string header = from.file(one.at("header_file"));
    const std::string dump = header + from.file(one.at("bits_file"));
    const std::vector<std::string> keys = hex_keys(one.at("keys"));
    any_filter mine = redisbloom().create(redisbloom_options_of(one));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(added(mine, keys[i]), one.at("add_returned").at(i).get<int>()) << "key " << i;
    }
    EXPECT_EQ(written(mine, redisbloom()), dump);
    EXPECT_EQ(fact(mine, "Number of filters"), std::to_string(one.at("nfilters").get<int>()));
    EXPECT_EQ(fact(mine, "Number of items inserted"), std::to_string(one.at("size").get<int>()));
    expect_round_trip(dump, redisbloom());
    EXPECT_EQ(redisbloom().looks(view(dump)), format::likeness::sure);
    expect_answers(redisbloom().decode(view(dump), {}), hex_keys(one.at("probes")),
                   one.at("answers"));
    expect_chunks(one, dump, header.size());
    expect_damage_shows(dump, redisbloom());
}

TEST(RedisBloom, DumpsAndAnswers) {
    const peer from("redisbloom");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        redisbloom_check(one, from);
    }
}

any_filter redisbloom_made(std::uint64_t n, double p, unsigned bits = 5, unsigned growth = 2) {
    foreign_options options;
    options.n = items{n};
    options.p = rate{p};
    options.redisbloom_options = bits;
    options.growth = growth;
    return redisbloom().create(options);
}

void fill(any_filter& filter, int count) {
    for (int i = 0; i < count; ++i) filter.insert("key-" + std::to_string(i));
}

TEST(RedisBloom, BfInfoOfItsDocumentation) {
    any_filter filter = redisbloom_made(100, 0.01);
    filter.insert("observation1");
    EXPECT_EQ(fact(filter, "Capacity"), "100");
    EXPECT_EQ(fact(filter, "Size"), "240");
    EXPECT_EQ(fact(filter, "Number of filters"), "1");
    EXPECT_EQ(fact(filter, "Number of items inserted"), "1");
    EXPECT_EQ(fact(filter, "Expansion rate"), "2");
}

TEST(RedisBloom, AFilterThatDoesNotGrowGetsFullAndStaysAsItWas) {
    foreign_options options;
    options.n = items{20};
    options.nonscaling = true;
    any_filter filter = redisbloom().create(options);
    EXPECT_THROW(fill(filter, 100), filter_full);
    EXPECT_EQ(fact(filter, "Number of items inserted"), "20");
    EXPECT_EQ(fact(filter, "Expansion rate"), "none");
    const std::string full = written(filter, redisbloom());
    EXPECT_THROW(filter.insert("one more"), filter_full);
    EXPECT_FALSE(filter.try_insert("key-0"));
    EXPECT_EQ(written(filter, redisbloom()), full);
    EXPECT_EQ(added(filter, "one more"), -2);
}

TEST(RedisBloom, BatchesAreOneKeyAfterAnother) {
    any_filter one_by_one = redisbloom_made(10, 0.1);
    any_filter at_once = one_by_one;
    std::vector<std::string> keys;
    for (int i = 0; i < 200; ++i) keys.push_back("key-" + std::to_string(i % 150));
    bitmap expected(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) expected.set(i, one_by_one.try_insert(keys[i]));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    bitmap fresh;
    at_once.try_insert_many(views, fresh);
    EXPECT_EQ(fresh, expected);
    EXPECT_EQ(written(at_once, redisbloom()), written(one_by_one, redisbloom()));
    any_filter hashed_ahead = redisbloom_made(10, 0.1);
    std::vector<digest128> digests;
    hashed_ahead.digest_many(views, digests);
    hashed_ahead.insert_many(digests);
    EXPECT_EQ(written(hashed_ahead, redisbloom()), written(one_by_one, redisbloom()));
}

TEST(RedisBloom, EveryCombinationOfOptionsReadsItselfBack) {
    for (unsigned bits = 0; bits < 16; ++bits) {
        SCOPED_TRACE(bits);
        // With 2 the capacity is a power of two of bits, and layers after the first are too large.
        any_filter filter = redisbloom_made((bits & 2U) != 0 ? 9 : 60, 0.02, bits, 3);
        fill(filter, 20);
        const std::string dump = written(filter, redisbloom());
        expect_round_trip(dump, redisbloom());
        const any_filter read = redisbloom().decode(view(dump), {});
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(read.may_contain("key-" + std::to_string(i)));
        EXPECT_FALSE(read.may_contain("absent"));
    }
}

TEST(RedisBloom, LayersSmallerThanAWordUseTheirBitsOnly) {
    any_filter filter = redisbloom_made(1, 0.4, 4); // rounded up to 2^2 bits, in 64
    filter.insert("key");
    const std::string dump = written(filter, redisbloom());
    expect_round_trip(dump, redisbloom());
    EXPECT_EQ(filter.spec().kind, filter_kind::scalable);
    EXPECT_EQ(filter.words()[0] >> 4U, 0U);
    std::string past = dump;
    past.back() = '\x01';
    EXPECT_THROW((void)redisbloom().decode(view(past), {}), bad_data);
}

TEST(RedisBloom, StatisticsCoverAllLayers) {
    any_filter filter = redisbloom_made(100, 0.05);
    fill(filter, 1000);
    const statistics now = filter.stats();
    EXPECT_EQ(filter.spec().kind, filter_kind::scalable);
    EXPECT_EQ(now.bit_count, filter.byte_count() * 8);
    EXPECT_THROW((void)filter.words(), unsupported); // which are several arrays
    EXPECT_NEAR(now.items.items, 1000, 10 * now.items.standard_error);
    EXPECT_GT(now.expected_rate, 0);
    EXPECT_LT(now.expected_rate, 0.05);
    EXPECT_LT(filter.rate_at(items{1000}), 0.05);
    EXPECT_LT(filter.rate_at(items{100}), filter.rate_at(items{10000}));
    EXPECT_LT(filter.rate_at(items{10000}), 0.05);
    EXPECT_EQ(filter.made_for().target_rate, 0.05);
    filter.clear();
    EXPECT_EQ(written(filter, redisbloom()), written(redisbloom_made(100, 0.05), redisbloom()));
}

TEST(RedisBloom, ASingleLayerIsAPlainFilter) {
    any_filter filter = redisbloom_made(100, 0.01);
    fill(filter, 50);
    const spec what = filter.spec();
    EXPECT_EQ(what.kind, filter_kind::bloom);
    storage::heap_words<> words(filter.words().size());
    std::ranges::copy(filter.words(), words.data());
    const any_filter plain = make_foreign(what, std::move(words), filter.made_for());
    EXPECT_TRUE(plain.may_contain("key-7"));
    // The number of keys is estimated, and may be off by one or two.
    const std::string dump = written(plain, redisbloom());
    EXPECT_EQ(dump.substr(73), written(filter, redisbloom()).substr(73));
    EXPECT_NEAR(std::stod(fact(redisbloom().decode(view(dump), {}), "Number of items inserted")),
                50, 3);
    EXPECT_THROW((void)written(make_foreign(what), redisbloom()), bad_argument);
    EXPECT_THROW((void)written(make_foreign(what, design{1000, 0.01}), redisbloom()), incompatible);
    EXPECT_THROW(filter.merge(plain), unsupported);
    EXPECT_THROW(filter.merge(any_filter(filter)), unsupported);
    EXPECT_THROW(filter.intersect(any_filter(filter)), unsupported);
}

TEST(RedisBloom, LimitsOnLayersHoldForReadersAndForGrowth) {
    foreign_options options;
    options.n = items{1};
    options.growth = 1;
    options.limits.most_layers = 5;
    any_filter filter = redisbloom().create(options);
    EXPECT_THROW(fill(filter, 100), filter_full);
    EXPECT_EQ(fact(filter, "Number of filters"), "5");
    const std::string dump = written(filter, redisbloom());
    EXPECT_NO_THROW((void)redisbloom().decode(view(dump), options));
    options.limits.most_layers = 4;
    EXPECT_THROW((void)redisbloom().decode(view(dump), options), memory_refused);
    options.limits = {};
    options.limits.largest_filter_bytes = 16;
    EXPECT_THROW((void)redisbloom().decode(view(dump), options), memory_refused);
}

TEST(RedisBloom, RefusesWhatRedisBloomRefuses) {
    foreign_options options;
    EXPECT_THROW((void)redisbloom().create(options), bad_argument);
    EXPECT_THROW((void)redisbloom_made(0, 0.01), bad_argument);
    EXPECT_THROW((void)redisbloom_made(10, 1), bad_argument);
    EXPECT_THROW((void)redisbloom_made(10, 0.01, 16), bad_argument);
    EXPECT_THROW((void)redisbloom_made(10, 0.01, 5, 0), bad_argument);
    options.n = items{10};
    options.nonscaling = true;
    options.growth = 2;
    EXPECT_THROW((void)redisbloom().create(options), bad_argument);
}

TEST(RedisBloom, HeadersThatLieAreRefused) {
    const std::string dump = written(redisbloom_made(100, 0.01), redisbloom());
    const auto with = [&](std::size_t at, std::string_view bytes) {
        std::string changed = dump;
        changed.replace(at, bytes.size(), bytes);
        return changed;
    };
    using namespace std::string_view_literals;
    for (const std::string& lie : {
             with(8, "\0\0\0\0"sv),            // no layer
             with(8, "\xff\xff\xff\xff"sv),    // 200 GB of them
             with(20, "\0\0\0\0\0\0\0\x10"sv), // 2^60 bytes
             with(20, "\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\x80"sv),
             with(36, "\x01"sv),                            // a key that the sum does not have
             with(44, "\0\0\0\0\0\0\xf8\x7f"sv),            // an error rate that is not a number
             with(44, "\0\0\0\0\0\0\0\0"sv),                // none
             with(52, "\0\0\0\0\0\0\xf0\x7f"sv),            // infinitely many bits
             with(60, "\xff\xff\xff\xff"sv),                // hashes
             with(64, "\xff\xff\xff\xff\xff\xff\xff\xff"sv) // entries
         }) {
        EXPECT_THROW((void)redisbloom().decode(view(lie), {}), bad_data);
        EXPECT_EQ(redisbloom().looks(view(lie)), format::likeness::no);
    }
    EXPECT_THROW((void)redisbloom().decode(view(with(12, "\x15"sv)), {}), unsupported);
}

TEST(RedisBloom, ChunksThatDoNotFitAreRefused) {
    any_filter filter = redisbloom_made(50, 0.1);
    fill(filter, 300);
    const std::string dump = written(filter, redisbloom());
    const std::vector<redisbloom_chunk> chunks = format::redisbloom_chunks(view(dump), 64);
    const auto without = [&](std::size_t at) {
        std::vector<redisbloom_chunk> rest = chunks;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
        return rest;
    };
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        EXPECT_THROW((void)format::redisbloom_joined(without(i)), bad_data) << i;
        std::vector<redisbloom_chunk> twice = chunks;
        twice.push_back(chunks[i]);
        EXPECT_THROW((void)format::redisbloom_joined(twice), bad_data) << i;
        std::vector<redisbloom_chunk> moved = chunks;
        moved[i].iterator = i;
        EXPECT_THROW((void)format::redisbloom_joined(moved), bad_data) << i;
    }
    EXPECT_THROW((void)format::redisbloom_joined({}), bad_data);
    EXPECT_THROW((void)format::redisbloom_chunks(view(dump), 0), bad_argument);
    EXPECT_THROW((void)format::redisbloom_chunks(view(dump).first(dump.size() - 1)), bad_data);
}

} // namespace
} // namespace bloomery::testing
