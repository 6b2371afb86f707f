// Bloom filters of the module as values: what no server can show on purpose, such as memory that
// runs out or moves.
#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/redis.hpp>

#include "../../tools/redis-module/bloom_type.hpp"
#include "../../tools/redis-module/native_object.hpp"
#include "../../tools/redis-module/redisbloom_object.hpp"
#include "fake_server.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace redis_module;

constexpr std::uint64_t unlimited = ~std::uint64_t{0};

std::vector<std::string> numbered_from(const std::string& prefix, int from, int to) {
    std::vector<std::string> all;
    for (int i = from; i < to; ++i) all.push_back(prefix + std::to_string(i));
    return all;
}

/// Adds in runs; stops where the filter does.
std::vector<outcome> add(bloom_object& to, const std::vector<std::string>& keys,
                         std::uint64_t limit = unlimited) {
    const fake_items items(keys);
    std::vector<outcome> all;
    for (std::size_t at = 0; at < keys.size(); at += longest_run) {
        const auto run =
            std::span(items.texts()).subspan(at, std::min(longest_run, keys.size() - at));
        std::vector<outcome> some(run.size());
        some.resize(to.add(run, some.data(), limit));
        all.insert(all.end(), some.begin(), some.end());
        if (some.size() < run.size()) break;
    }
    return all;
}

std::size_t count_present(const bloom_object& in, const std::vector<std::string>& keys) {
    const fake_items items(keys);
    std::size_t found = 0;
    for (std::size_t at = 0; at < keys.size(); at += longest_run) {
        const auto run =
            std::span(items.texts()).subspan(at, std::min(longest_run, keys.size() - at));
        run_bits maybe{};
        in.ask(run, maybe.data());
        for (std::size_t i = 0; i < run.size(); ++i) found += bit_of(maybe.data(), i) ? 1U : 0U;
    }
    return found;
}

std::string digest_of(const bloom_object& of) {
    fake_digest digest;
    of.digest(digest.as_digest());
    return digest.bytes;
}

std::unique_ptr<bloom_object> made(bool native, std::uint64_t capacity, double rate) {
    if (native) return native_object::make(capacity, rate, {});
    return redisbloom_object::make(capacity, rate, {});
}

/// Both kinds.
class BloomValues : public ::testing::TestWithParam<bool> {
protected:
    fake_server server_;
};

INSTANTIATE_TEST_SUITE_P(, BloomValues, ::testing::Values(false, true),
                         [](const auto& of) { return of.param ? "Native" : "RedisBloom"; });

// The library has RedisBloom's filters too, made and tested on their own.
TEST(RedisBloomValues, HoldTheBitsOfTheLibrarysLayers) {
    const fake_server server;
    for (const std::uint64_t capacity : {1ULL, 10ULL, 1000ULL, 300'000ULL}) {
        const auto module = redisbloom_object::make(capacity, 0.01, {});
        redisbloom_layers library(items{capacity}, rate{0.01}, layer_rules{});
        const auto keys = numbered_from(
            "k", 0, static_cast<int>(std::min<std::uint64_t>(capacity, 9999) * 7 + 3));
        const auto became = add(*module, keys);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            ASSERT_EQ(became[i] == outcome::fresh, library.try_insert(keys[i])) << keys[i];
        }
        ASSERT_EQ(module->layer_count(), library.layers().size());
        const saved_words words = library.saved();
        for (std::size_t i = 0; i < module->layer_count(); ++i) {
            EXPECT_TRUE(std::ranges::equal(module->bits(i), std::as_bytes(words.arrays[i]))) << i;
        }
    }
}

// A count is only shown, so RedisBloom loads any that can be counted, and its own tests do. Two
// such filters may have more together, and then stay as they are.
TEST(RedisBloomValues, MayClaimMoreItemsThanBits) {
    const fake_server server;
    filter_layer layer = first_layer(items{100}, rate{0.01}, {});
    const auto load = [&](std::uint64_t size) {
        layer.size = size;
        return redisbloom_object::from_header(format::encode_redisbloom_header({}, {&layer, 1}),
                                              unlimited);
    };
    const std::uint64_t most = (std::uint64_t{1} << 61U) - 1;
    EXPECT_EQ(load(most)->facts().items, most);
    EXPECT_THROW(load(most + 1), bad_data);
    const auto one = load(most);
    const auto other = load(1);
    EXPECT_THROW(one->merge(*other, unlimited), refusal);
    EXPECT_THROW(other->merge(*one, unlimited), refusal);
    EXPECT_EQ(one->facts().items, most);
    EXPECT_EQ(other->facts().items, 1U);
    EXPECT_NO_THROW(load(most - 1)->merge(*other, unlimited));
}

TEST_P(BloomValues, RunsAnswerAsSingleItemsDo) {
    const auto many = made(GetParam(), 500, 0.01);
    const auto one = made(GetParam(), 500, 0.01);
    std::mt19937 random(3);
    std::vector<std::string> keys;
    keys.reserve(6000);
    for (int i = 0; i < 6000; ++i) keys.push_back(std::to_string(random() % 4000));
    std::vector<outcome> singly;
    singly.reserve(keys.size());
    for (const std::string& key : keys) singly.push_back(add(*one, {key}).at(0));
    EXPECT_EQ(add(*many, keys), singly);
    EXPECT_EQ(digest_of(*many), digest_of(*one));
    EXPECT_EQ(count_present(*many, keys), keys.size());
}

TEST_P(BloomValues, GrowOnlyWithMemoryAndLoseNothingWithout) {
    const auto filter = made(GetParam(), 1000, 0.01);
    const auto in = numbered_from("a", 0, 900);
    ASSERT_EQ(add(*filter, in).size(), in.size());
    server_.refuse_from(0);
    const auto became = add(*filter, numbered_from("b", 0, 400));
    server_.refuse_nothing();
    ASSERT_EQ(became.size(), 400U); // it goes on with the others
    EXPECT_GE(std::ranges::count(became, outcome::no_memory), 280);
    EXPECT_EQ(filter->layer_count(), 1U);
    EXPECT_EQ(count_present(*filter, in), in.size());
    for (const outcome one : add(*filter, numbered_from("b", 0, 400))) {
        EXPECT_TRUE(one == outcome::fresh || one == outcome::present);
    }
    EXPECT_EQ(filter->layer_count(), 2U);
}

TEST_P(BloomValues, KeepTheMemoryLimit) {
    const auto filter = made(GetParam(), 1000, 0.01);
    const auto became = add(*filter, numbered_from("a", 0, 1500), filter->facts().bytes + 100);
    EXPECT_GT(std::ranges::count(became, outcome::over_limit), 400);
    EXPECT_EQ(filter->layer_count(), 1U);
}

TEST_P(BloomValues, AllocationsThatFailLeakNothing) {
    const auto filter = made(GetParam(), 100, 0.01);
    add(*filter, numbered_from("a", 0, 1000));
    fake_file file;
    filter->save(file.as_stream());
    const std::string before = digest_of(*filter);
    const std::int64_t in_use = fake_server::in_use();
    for (std::size_t refused = 0; refused < 40; ++refused) {
        const auto attempt = [&](auto what) {
            fake_server::refuse_from(refused);
            try {
                what();
            } catch (const std::bad_alloc&) { // as it should
            }
            fake_server::refuse_nothing();
        };
        attempt([&] { (void)filter->copy(); });
        attempt([&] { (void)made(GetParam(), 100, 0.01); });
        const auto other = made(GetParam(), 333, 0.01);
        attempt([&] { other->merge(*filter, unlimited); });
    }
    EXPECT_EQ(fake_server::in_use(), in_use);
    EXPECT_EQ(digest_of(*filter), before);
}

TEST_P(BloomValues, MoveLayerByLayer) {
    const auto filter = made(GetParam(), 100, 0.01);
    const auto keys = numbered_from("a", 0, 3000);
    add(*filter, keys);
    ASSERT_GT(filter->layer_count(), 3U);
    const std::string before = digest_of(*filter);
    fake_defrag defrag;
    std::size_t next = 0;
    std::size_t turns = 0;
    while (next < filter->layer_count()) {
        defrag.stop_after = defrag.moves + 1; // one layer a turn
        next = filter->defrag(defrag.as_context(), next);
        ++turns;
    }
    EXPECT_EQ(turns, filter->layer_count());
    EXPECT_EQ(digest_of(*filter), before);
    EXPECT_EQ(count_present(*filter, keys), keys.size());
}

TEST_P(BloomValues, AsTheServerMovesThem) {
    ASSERT_EQ(register_bloom_types(nullptr), ok);
    const type_methods& type = fake_server::type(GetParam() ? "bloomery-" : "MBbloom--");
    const auto keys = numbered_from("a", 0, 3000);
    auto filter = made(GetParam(), 100, 0.01);
    add(*filter, keys);
    const std::string before = digest_of(*filter);
    void* value = filter.release();
    fake_defrag defrag;
    int turns = 0;
    do {
        defrag.stop_after = defrag.moves + 3;
        ++turns;
    } while (type.defrag(defrag.as_context(), nullptr, &value) != 0);
    const auto& moved = *static_cast<const bloom_object*>(value);
    EXPECT_GT(turns, 1);
    EXPECT_EQ(digest_of(moved), before);
    EXPECT_EQ(count_present(moved, keys), keys.size());
    type.free(value);
}

TEST_P(BloomValues, SurviveAFileAndRefuseEveryPieceOfOne) {
    ASSERT_EQ(register_bloom_types(nullptr), ok);
    const type_methods& type = fake_server::type(GetParam() ? "bloomery-" : "MBbloom--");
    const int version = GetParam() ? 1 : 4;
    const auto filter = made(GetParam(), 50, 0.01);
    add(*filter, numbered_from("a", 0, 500));
    fake_file file;
    type.rdb_save(file.as_stream(), filter.get());
    const std::int64_t in_use = fake_server::in_use();

    void* const loaded = type.rdb_load(file.as_stream(), version);
    ASSERT_NE(loaded, nullptr);
    EXPECT_EQ(digest_of(*static_cast<bloom_object*>(loaded)), digest_of(*filter));
    type.free(loaded);

    for (std::size_t size = 0; size < file.values.size(); ++size) {
        fake_file part;
        part.values.assign(file.values.begin(),
                           file.values.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(type.rdb_load(part.as_stream(), version), nullptr) << size;
    }
    file.next = 0;
    EXPECT_EQ(type.rdb_load(file.as_stream(), version + 1), nullptr);
    EXPECT_EQ(fake_server::in_use(), in_use);
}

} // namespace
} // namespace bloomery::testing
