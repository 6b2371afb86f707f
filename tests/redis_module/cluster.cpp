// Filters in a cluster: all are there after slots moved, and after a master died.
#include "redis_cluster.hpp"
#include "sample_filters.hpp"
#include "test_paths.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t filter_count = 200;
constexpr std::size_t moved_slots = 2000;

struct clustered_filter {
    sample_filter what;
    std::uint16_t slot;
    std::string digest{};
};

/// A command for a key, sent to whoever has its slot.
redis_value run_on(redis_cluster& in, const clustered_filter& of, const words& command) {
    return in.node(in.master_of(of.slot)).run(command);
}

/// Filters of all kinds with some items each; a few of them have grown.
std::vector<clustered_filter> make_filters(redis_cluster& in) {
    const std::vector<words> kinds{{"BF.RESERVE", "", "0.01", "100"},
                                   {"BF.RESERVE", "", "0.001", "50", "LAYOUT", "SPLIT"},
                                   {"CF.RESERVE", "", "128"},
                                   {"BF.RESERVE", "", "0.02", "1000", "NONSCALING"}};
    std::vector<clustered_filter> all;
    for (std::size_t i = 0; i < filter_count; ++i) {
        words reserve = kinds[i % kinds.size()];
        const std::string key = "filter-" + std::to_string(i);
        const std::string family = reserve[0].substr(0, 2);
        reserve[1] = key;
        const redis_value slot = in.node(0).run({"CLUSTER", "KEYSLOT", key});
        all.push_back({{key, family, numbered(key + '-', 10 + 37 * i % 500)},
                       static_cast<std::uint16_t>(slot.integer)});
        run_on(in, all.back(), reserve);
        const words add = family == "BF" ? words{"BF.MADD", key} : words{"CF.INSERT", key, "ITEMS"};
        run_on(in, all.back(), with_items(add, all.back().what.items));
    }
    for (clustered_filter& one : all) {
        one.digest = digest_of(in.node(in.master_of(one.slot)), one.what.key);
    }
    return all;
}

/// How many are there, with all of their items and not a bit changed.
std::size_t count_whole(redis_cluster& in, const std::vector<clustered_filter>& all,
                        std::size_t asked = 0) {
    return static_cast<std::size_t>(std::ranges::count_if(all, [&](const clustered_filter& one) {
        redis_server& at = in.node(in.master_of(one.slot, asked));
        return answers(at, one.what, one.what.items) == std::string(one.what.items.size(), '1') &&
               digest_of(at, one.what.key) == one.digest;
    }));
}

/// So many slots of a node: those with filters first.
std::set<std::uint16_t> slots_to_move(redis_cluster& in, const std::vector<clustered_filter>& all,
                                      std::size_t from) {
    std::set<std::uint16_t> slots;
    for (const clustered_filter& one : all) {
        if (in.master_of(one.slot) == from) slots.insert(one.slot);
    }
    EXPECT_GE(slots.size(), 40U);
    // A node has its slots in a row.
    for (std::uint16_t slot = *slots.begin(); slots.size() < moved_slots; ++slot) {
        slots.insert(slot);
    }
    return slots;
}

TEST(ClusterModule, FiltersOutliveMovesAndAMaster) {
    redis_cluster cluster({"loadmodule " + module_file(), "cluster-node-timeout 20000"});
    const std::vector<clustered_filter> all = make_filters(cluster);
    std::map<std::size_t, int> spread;
    for (const clustered_filter& one : all) ++spread[cluster.master_of(one.slot)];
    ASSERT_EQ(spread.size(), 3U);
    ASSERT_EQ(count_whole(cluster, all), filter_count);

    for (const std::uint16_t slot : slots_to_move(cluster, all, 0)) {
        cluster.migrate_slot(slot, 0, 1);
    }
    cluster.wait_until_ok();
    EXPECT_GE(cluster.node(1).run({"DBSIZE"}).integer, spread[0] + spread[1]);
    EXPECT_EQ(count_whole(cluster, all), filter_count);

    wait_until("the replica has all that moved", 20s, [&] {
        return cluster.node(4).run({"DEBUG", "DIGEST"}).text ==
               cluster.node(1).run({"DEBUG", "DIGEST"}).text;
    });
    for (std::size_t i = 0; i < redis_cluster::size; ++i) {
        cluster.node(i).run({"CONFIG", "SET", "cluster-node-timeout", "2000"});
    }
    cluster.kill9(1);
    wait_until("its replica has taken over", 40s,
               [&] { return std::ranges::count(cluster.masters(), std::size_t{4}) == 1; });
    cluster.wait_until_ok();
    EXPECT_EQ(count_whole(cluster, all), filter_count);
    // What took over takes more.
    for (const clustered_filter& one : all) {
        if (cluster.master_of(one.slot) != 4 || one.what.family != "BF") continue;
        run_on(cluster, one, {"BF.ADD", one.what.key, one.what.key});
        EXPECT_EQ(run_on(cluster, one, {"BF.EXISTS", one.what.key, one.what.key}).integer, 1);
    }
}

} // namespace
} // namespace bloomery::testing
