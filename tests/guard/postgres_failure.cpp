// A PostgreSQL source whose server goes away.
#include "cutting_proxy.hpp"
#include "postgres_help.hpp"
#include "visited.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using store::outcome_unknown;
using store::postgres;
using store::unavailable;

/// The URL with another port.
std::string through(std::uint16_t port) {
    std::string url = shared_postgres().url();
    const std::string own = std::to_string(shared_postgres().port());
    return url.replace(url.rfind(own), own.size(), std::to_string(port));
}

void postgres_failure_fill(postgres& store, int count) {
    texts names;
    for (int i = 0; i < count; ++i) names.push_back("key" + std::to_string(i));
    std::vector<store::entry> rows;
    for (const std::string& each : names) rows.push_back({each, "v"});
    store.load(rows);
}

TEST(PostgresFailure, IsNotNoticedWhereTheServerWasRestartedMeanwhile) {
    cli::local_postgres own({.settings = {"fsync = off"}});
    postgres store(own.url(), {"restarted", "id", "body"}, {.create = true});
    for (const bool crash : {false, true}) {
        store.put("k", "v");
        std::vector<std::thread> threads; // so that there are several connections
        for (int i = 0; i < 8; ++i) threads.emplace_back([&] { (void)store.get("k"); });
        for (std::thread& each : threads) each.join();
        crash ? own.kill9() : own.stop();
        own.start();
        EXPECT_EQ(store.get("k"), "v");
        crash ? own.kill9() : own.stop();
        own.start();
        EXPECT_FALSE(store.put("k", "w")) << "what was closed is not written to";
        EXPECT_EQ(keys_of(store), texts{"k"});
    }
}

TEST(PostgresFailure, SaysThatTheServerIsNotThereUntilItIs) {
    cli::local_postgres own({.settings = {"fsync = off"}});
    postgres store(own.url(), {"away", "id", "body"}, {.create = true});
    store.put("k", "v");
    own.kill9();
    const std::vector<std::string_view> asked{"k"};
    EXPECT_THROW((void)store.get("k"), unavailable);
    EXPECT_THROW((void)store.get_many(asked), unavailable);
    EXPECT_THROW((void)store.erase("k"), unavailable);
    EXPECT_THROW(store.scan([](store::keys) {}), unavailable);
    EXPECT_THROW((void)store.count(), unavailable);
    EXPECT_THROW((void)store.mark(), unavailable);
    EXPECT_THROW((void)store.scan_since("xid 3", [](store::keys) {}), unavailable);
    const std::vector<store::entry> rows{{"l", "v"}};
    EXPECT_THROW(store.load(rows), unavailable);
    try {
        store.put("k", "w");
        ADD_FAILURE() << "it was put";
    } catch (const outcome_unknown& why) {
        ADD_FAILURE() << "nothing was sent: " << why.what();
    } catch (const unavailable&) { // as it should be
    }
    EXPECT_THROW(postgres(own.url(), {"away", "id"}), unavailable);
    own.start();
    EXPECT_EQ(store.get("k"), "v");
}

TEST(PostgresFailure, InTheMiddleOfAReadIsMadeGood) {
    cutting_proxy proxy(shared_postgres().port());
    postgres direct = store_on("cut_reads");
    direct.put("k", std::string(100'000, 'x'));
    postgres store(through(proxy.port()), {"cut_reads", "id", "body"});
    EXPECT_EQ(store.get("k")->size(), 100'000U);
    proxy.cut_after(50'000);
    EXPECT_EQ(store.get("k")->size(), 100'000U);
    EXPECT_EQ(proxy.cuts(), 1);
    const std::vector<std::string_view> asked{"k", "l"};
    proxy.cut_after(10);
    EXPECT_EQ(store.get_many(asked)[0]->size(), 100'000U);
    EXPECT_EQ(proxy.cuts(), 2);
}

TEST(PostgresFailure, InTheMiddleOfAChangeLeavesItsOutcomeUnknown) {
    cutting_proxy proxy(shared_postgres().port());
    postgres direct = store_on("cut_writes");
    postgres store(through(proxy.port()), {"cut_writes", "id", "body"});
    store.put("a", "v");
    proxy.cut_after(1);
    EXPECT_THROW(store.put("k", "v"), outcome_unknown);
    EXPECT_EQ(proxy.cuts(), 1);
    wait_until("the change was made", 20s, [&] { return direct.get("k") == "v"; });
    EXPECT_FALSE(store.put("k", "w"));
    store.erase("a");
    proxy.cut_after(1);
    EXPECT_THROW(store.erase("k"), outcome_unknown);
    wait_until("the change was made", 20s, [&] { return !direct.get("k"); });
}

TEST(PostgresFailure, InTheMiddleOfAScanEndsIt) {
    cutting_proxy proxy(shared_postgres().port());
    postgres direct = store_on("cut_scans");
    postgres_failure_fill(direct, 50'000);
    const std::string mark = "xid 3" + direct.mark().substr(direct.mark().find(" table"));
    postgres store(through(proxy.port()), {"cut_scans", "id", "body"});
    EXPECT_EQ(keys_of(store).size(), 50'000U);
    proxy.cut_after(300'000);
    EXPECT_THROW(keys_of(store), unavailable);
    proxy.cut_after(300'000);
    EXPECT_THROW(since(store, mark), unavailable);
    EXPECT_EQ(proxy.cuts(), 2);
    EXPECT_EQ(since(store, mark).size(), 50'000U);
    struct enough {};
    EXPECT_THROW(store.scan([](store::keys) { throw enough{}; }), enough);
    EXPECT_EQ(keys_of(store).size(), 50'000U);
}

TEST(PostgresFailure, OfASessionThatWasEndedIsToldByWhatItDid) {
    other_client other;
    other_client operating; // what others do is seen once in a transaction
    postgres store = store_on("ended");
    store.put("k", "v");
    const auto end_waiting = [&] {
        wait_until("it waits", 20s, [&] {
            return operating.run(
                       "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
                       "wait_event_type = 'Lock' AND query LIKE '%\"ended\"%'") == "1";
        });
    };
    std::atomic<bool> is_unknown = false;
    other.run("BEGIN; LOCK TABLE ended");
    std::jthread writer([&] {
        try {
            store.put("k", "w");
        } catch (const outcome_unknown&) {
            is_unknown = true;
        }
    });
    end_waiting();
    writer.join();
    EXPECT_TRUE(is_unknown);
    std::optional<std::string> value;
    std::jthread reader([&] { value = store.get("k"); });
    end_waiting();
    other.run("ROLLBACK");
    reader.join();
    EXPECT_EQ(value, "v") << "a read is asked again";
}

TEST(PostgresFailure, LeavesNoWrongAnswerWhileTheServerIsKilledAgainAndAgain) {
    cli::local_postgres own({.settings = {"fsync = off"}});
    postgres store(own.url(), {"killed", "id", "body"}, {.create = true});
    std::atomic<bool> is_over = false;
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            const std::string key = "key" + std::to_string(t);
            int sure = 0; // the last value that was certainly put
            int tried = 0;
            while (!is_over) {
                try {
                    store.put(key, std::to_string(++tried));
                    sure = tried;
                } catch (const unavailable&) { // before, or after
                }
                try {
                    const int found = std::stoi(store.get(key).value_or("0"));
                    EXPECT_GE(found, sure);
                    EXPECT_LE(found, tried);
                    ++answered;
                } catch (const unavailable&) {
                }
            }
        });
    }
    for (int i = 0; i < 3; ++i) {
        const int before = answered;
        wait_until("it answers", 60s, [&] { return answered > before + 100; });
        own.kill9();
        own.start();
    }
    is_over = true;
    for (std::thread& each : threads) each.join();
}

} // namespace
} // namespace bloomery::testing
