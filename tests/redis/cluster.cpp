// Filters in a cluster: spread over servers, moved under load, and still working when a master
// dies.
#include <bloomery/redis/client.hpp>
#include <bloomery/redis/filter.hpp>

#include "via.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using redis::client;
using redis::redis_filter;
using redis::slot_of;

constexpr plan::split_shape shape{64, 40'009, 7};
/// No node is to be taken for dead on a busy machine: that is another test.
const std::vector<std::string> calm{"cluster-node-timeout 20000"};
constexpr design made_for{200'000, 0.01};

/// A thread that inserts keys, a batch at a time, and asks for those of earlier batches.
class load {
public:
    load(const redis_filter& into, std::string tag)
        : tag_(std::move(tag)), thread_([this, into] { work(into); }) {}
    load(const load&) = delete;
    load& operator=(const load&) = delete;
    ~load() {
        if (thread_.joinable()) finish();
    }

    /// Batches that are done.
    [[nodiscard]] std::size_t done() const noexcept { return done_; }
    void finish() {
        is_over_ = true;
        thread_.join();
    }

    // After `finish`.
    [[nodiscard]] const std::vector<std::string>& stored() const { return stored_; }
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }

private:
    static constexpr std::size_t batch = 100;

    void work(redis_filter into) {
        while (!is_over_) {
            try {
                const auto keys = keys_of(tag_ + std::to_string(done_ + errors_.size()), batch);
                into.insert_many(keys);
                stored_.insert(stored_.end(), keys.begin(), keys.end());
                const std::size_t from = done_ / 2 * batch;
                const std::vector<std::string> earlier(stored_.begin() + static_cast<long>(from),
                                                       stored_.begin() +
                                                           static_cast<long>(from + batch));
                bitmap maybe;
                into.may_contain_many(earlier, maybe);
                if (maybe.count() != batch) errors_.emplace_back("a key is denied");
                ++done_;
            } catch (const error& told) {
                errors_.emplace_back(told.what());
            }
        }
    }

    std::string tag_;
    std::atomic<bool> is_over_ = false;
    std::atomic<std::size_t> done_ = 0;
    std::vector<std::string> stored_;
    std::vector<std::string> errors_;
    std::thread thread_; // last: it uses the others
};

void expect_all_there(redis_cluster& cluster, const load& after) {
    const auto fresh_eyes = redis_filter::open(client_of(cluster), "seen");
    bitmap maybe;
    fresh_eyes.may_contain_many(after.stored(), maybe);
    EXPECT_EQ(maybe.count(), after.stored().size());
    EXPECT_TRUE(after.errors().empty())
        << after.errors().size() << ", the first: " << after.errors().front();
}

TEST(ClusterFilter, SpreadsItsShardsOverAllMasters) {
    redis_cluster cluster(calm);
    const client via = client_of(cluster);
    EXPECT_EQ(via.masters().size(), 3U);
    auto made = redis_filter::create(via, "seen", shape, made_for);
    std::map<std::string, int> shards;
    for (std::uint64_t i = 0; i < shape.shard_count; ++i) {
        const std::uint16_t slot = slot_of(made.key_of_shard(i));
        const auto master = cluster.master_of(slot);
        EXPECT_EQ(via.master_of(slot).port, cluster.node(master).port());
        EXPECT_EQ(cluster.node(master).run({"EXISTS", made.key_of_shard(i)}).integer, 1);
        ++shards[via.master_of(slot).text()];
    }
    ASSERT_EQ(shards.size(), 3U);
    for (const auto& [server, count] : shards) EXPECT_GE(count, 10) << server;

    const std::vector<std::string> keys = keys_of("in", 20'000);
    made.insert_many(keys);
    bitmap maybe;
    redis_filter::open(client_of(cluster), "seen").may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.count(), keys.size());
    EXPECT_FALSE(made.try_insert(keys[7]));
    EXPECT_NEAR(made.stats().items.items, 20'000, 6.5 * made.stats().items.standard_error + 1);

    const auto copy = made.copy("copy");
    copy.may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.count(), keys.size());
    redis_filter(copy).drop();
    made.rename("known");
    made.may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.count(), keys.size());
    made.drop();
    for (const std::size_t master : cluster.masters()) {
        EXPECT_EQ(cluster.node(master).run({"DBSIZE"}).integer, 0);
    }
}

TEST(ClusterClient, TellsAWrongPasswordAndAServerThatIsInNone) {
    redis_server alone({.password = "secret"});
    redis::options how = options_for(alone);
    how.cluster = true;
    EXPECT_THROW(client{how}, redis::refused) << "it is in no cluster";
    how.password = "wrong";
    EXPECT_THROW(client{how}, redis::refused);
    alone.kill9();
    EXPECT_THROW(client{how}, redis::unreachable);
}

TEST(ClusterFilter, LosesNothingWhileSlotsMove) {
    redis_cluster cluster(calm);
    auto made = redis_filter::create(client_of(cluster), "seen", shape, made_for);
    std::set<std::uint16_t> slots{slot_of("seen")};
    for (std::uint64_t i = 0; i < shape.shard_count; ++i) {
        slots.insert(slot_of(made.key_of_shard(i)));
    }
    const std::size_t home = cluster.master_of(*slots.begin());
    std::erase_if(slots, [&](std::uint16_t slot) { return cluster.master_of(slot) != home; });
    ASSERT_GE(slots.size(), 10U);
    const std::size_t other = (home + 1) % 3;

    load one(made, "one");
    load two(made, "two");
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    for (int round = 0; round < 6 || std::min(one.done(), two.done()) < 50; ++round) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline);
        for (const std::uint16_t slot : slots) {
            cluster.migrate_slot(slot, round % 2 == 0 ? home : other,
                                 round % 2 == 0 ? other : home);
        }
    }
    one.finish();
    two.finish();
    EXPECT_FALSE(cluster.node(home).info("errorstats", "errorstat_ASK").empty())
        << "clients met slots in the middle of a move";
    EXPECT_FALSE(cluster.node(home).info("errorstats", "errorstat_MOVED").empty());
    expect_all_there(cluster, one);
    expect_all_there(cluster, two);
}

TEST(ClusterLong, GoesOnWhenAMasterDies) {
    redis_cluster cluster;
    auto made = redis_filter::create(client_of(cluster), "seen", shape, made_for);
    made.wait_for_replicas(1);
    load one(made, "one");
    load two(made, "two");
    wait_until("both inserted", 30s, [&] { return std::min(one.done(), two.done()) >= 20; });
    cluster.kill9(1);
    wait_until("its replica has taken over", 30s,
               [&] { return std::ranges::count(cluster.masters(), std::size_t{4}) == 1; });
    cluster.restart(1);
    const std::size_t before_one = one.done();
    const std::size_t before_two = two.done();
    wait_until("both go on", 30s,
               [&] { return one.done() >= before_one + 20 && two.done() >= before_two + 20; });
    one.finish();
    two.finish();
    cluster.wait_until_ok();
    expect_all_there(cluster, one);
    expect_all_there(cluster, two);
}

} // namespace
} // namespace bloomery::testing
