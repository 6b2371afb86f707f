// A table of PostgreSQL as a source: one key and many at once, threads, what is refused.
#include "postgres_help.hpp"
#include "refusal.hpp"
#include "visited.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using store::postgres;
using store::store_error;
using store::unavailable;

const texts odd_texts{"", "a", "'", "\u00e9", "\\", "\\N", "\\.", "\\\\x61", "a\nb\t{c,\"d}\r"};

TEST(Postgres, KeepsWhatIsPutAndForgetsWhatIsErased) {
    postgres store(shared_postgres().url(), {"kept", "id", "body"}, {.create = true});
    EXPECT_EQ(store.get("k"), std::nullopt);
    EXPECT_TRUE(store.put("k", "one"));
    EXPECT_FALSE(store.put("k", "two"));
    EXPECT_EQ(store.get("k"), "two");
    EXPECT_EQ(store.count(), 1U);
    EXPECT_TRUE(store.erase("k"));
    EXPECT_FALSE(store.erase("k"));
    EXPECT_EQ(store.get("k"), std::nullopt);
    EXPECT_EQ(store.count(), 0U);
    EXPECT_EQ(store.name(), "postgres 127.0.0.1:" + std::to_string(shared_postgres().port()) +
                                "/postgres public.kept.id");
}

TEST(Postgres, IsMadeByAllWhoOpenItAtOnce) {
    const std::string url = shared_postgres().url();
    for (int round = 0; round < 5; ++round) {
        const std::string table = "made_at_once" + std::to_string(round);
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&, i] {
                postgres store(url, {table, "id", "body"}, {.create = true});
                EXPECT_TRUE(store.put(std::to_string(i), "v"));
            });
        }
        threads.clear();
        EXPECT_EQ(other_client().run("SELECT count(*) FROM " + table), "8");
    }
}

TEST(Postgres, AnswersManyInTheirOrder) {
    postgres store = store_on("many");
    texts names;
    for (int i = 0; i < 25'000; ++i) names.push_back("key" + std::to_string(i));
    std::vector<store::entry> rows;
    for (std::size_t i = 0; i < names.size(); i += 2) rows.push_back({names[i], names[i]});
    store.load(rows);
    std::vector<std::string_view> asked(names.rbegin(), names.rend());
    asked.insert(asked.end(), {names[2], "\xff", names[2], ""});
    const auto values = store.get_many(asked);
    ASSERT_EQ(values.size(), asked.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t of = names.size() - 1 - i;
        const auto expected = of % 2 == 0 ? std::optional(names[of]) : std::nullopt;
        ASSERT_EQ(values[i], expected);
    }
    EXPECT_EQ(values[25'000], names[2]);
    EXPECT_EQ(values[25'001], std::nullopt);
    EXPECT_EQ(values[25'002], names[2]);
    EXPECT_EQ(values[25'003], std::nullopt);
    EXPECT_TRUE(store.get_many({}).empty());
}

TEST(Postgres, LoadsAllRowsOrNone) {
    postgres store = store_on("loaded");
    std::vector<store::entry> good;
    const std::string bytes = "\0\xff\\\n"s;
    for (const std::string& key : odd_texts) good.push_back({key, bytes});
    good.push_back({"null", std::nullopt});
    store.load(good);
    for (const std::string& key : odd_texts) EXPECT_EQ(store.get(key), bytes) << key;
    EXPECT_EQ(store.get("null"), "");
    EXPECT_EQ(other_client().run("SELECT count(*) FROM loaded WHERE body IS NULL"), "1");
    const std::vector<store::entry> twice{{"new", "1"}, {"a", "1"}};
    EXPECT_THROW(store.load(twice), store_error);
    const std::vector<store::entry> no_text{{"new", "1"}, {"\xff", "1"}};
    EXPECT_THROW(store.load(no_text), store_error);
    EXPECT_EQ(store.get("new"), std::nullopt);
    EXPECT_EQ(store.count(), good.size());
    store.load({});
}

TEST(Postgres, TellsOneOfManyThreadsThatItsKeyIsNew) {
    postgres store = store_on("raced", "text", "bytea", {.most_connections = 5});
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> made = 0;
        std::atomic<int> erased = 0;
        const std::string key = "key" + std::to_string(round);
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] { made += store.put(key, "v") ? 1 : 0; });
        }
        for (std::thread& each : threads) each.join();
        threads.clear();
        EXPECT_EQ(made, 1);
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] { erased += store.erase(key) ? 1 : 0; });
        }
        for (std::thread& each : threads) each.join();
        EXPECT_EQ(erased, 1);
    }
    EXPECT_LE(std::stoi(other_client().run(
                  "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%\"raced\"%'")),
              5 + 1);
}

TEST(Postgres, NamesWhatIsMissing) {
    const std::string url = shared_postgres().url();
    const auto opened = [&](const std::string& where, const store::sql_table& table) {
        return refusal<store_error>([&] { const postgres store(where, table); });
    };
    EXPECT_NE(opened(url, {"no_table", "id"}).find("no_table"), std::string::npos);
    EXPECT_NE(opened(url, {"no_schema.items", "id"}).find("no_schema.items"), std::string::npos);
    postgres store = store_on("missing");
    EXPECT_NE(opened(url, {"missing", "no_key"}).find("no_key"), std::string::npos);
    EXPECT_NE(opened(url, {"missing", "id", "no_value"}).find("no_value"), std::string::npos);
    EXPECT_THROW(postgres(url, {"missing", ""}), bad_argument);
    other_client().run("DROP TABLE missing");
    EXPECT_THROW((void)store.get("k"), store_error);
    EXPECT_THROW(store.put("k", "v"), store_error);
    EXPECT_THROW(store.scan([](store::keys) {}), store_error);
    EXPECT_THROW((void)store.mark(), store_error);
}

TEST(Postgres, TellsARefusalFromAServerThatIsNotThere) {
    const std::string url = shared_postgres().url();
    const std::string where = url.substr(url.find('@'));
    const auto is_there = [&](const std::string& to) {
        try {
            const postgres store(to, {"items", "id"});
        } catch (const unavailable& why) {
            EXPECT_EQ(std::string(why.what()).find('\n'), std::string::npos);
            return false;
        } catch (const store_error& why) {
            EXPECT_EQ(std::string(why.what()).find("28P01"), std::string::npos) << why.what();
            return true;
        }
        return true;
    };
    EXPECT_TRUE(is_there("postgresql://bloomery:wrong" + where));
    EXPECT_TRUE(is_there(url.substr(0, url.rfind('/')) + "/no_such_database"));
    EXPECT_FALSE(is_there("postgresql://127.0.0.1:1/postgres"));
    EXPECT_FALSE(is_there("host=/nowhere"));
    EXPECT_FALSE(is_there("nonsense"));
}

TEST(Postgres, WaitsNoLongerThanItIsTold) {
    postgres store = store_on("locked", "text", "bytea", {.statement_timeout = 200ms});
    store.put("k", "v");
    other_client other;
    other.run("BEGIN; LOCK TABLE locked");
    const std::string read = refusal<unavailable>([&] { (void)store.get("k"); });
    EXPECT_NE(read.find("timeout"), std::string::npos) << read;
    try {
        store.put("k", "w");
        ADD_FAILURE() << "it was put";
    } catch (const store::outcome_unknown& why) {
        ADD_FAILURE() << "it is known: " << why.what();
    } catch (const unavailable&) { // as it should be
    }
    other.run("ROLLBACK");
    EXPECT_EQ(store.get("k"), "v");
}

TEST(Postgres, WorksForAUserWhoMayDoLittle) {
    postgres store = store_on("granted");
    other_client().run(
        "CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT SELECT ON granted TO guest");
    store.put("k", "v");
    const std::string url = shared_postgres().url();
    postgres guest("postgresql://guest:guest" + url.substr(url.find('@')),
                   {"granted", "id", "body"});
    EXPECT_EQ(guest.get("k"), "v");
    EXPECT_EQ(guest.count(), 1U);
    const std::string mark = guest.mark();
    store.put("l", "v");
    EXPECT_EQ(since(guest, mark), texts{"l"});
    EXPECT_THROW(guest.put("k", "w"), store_error);
    EXPECT_EQ(guest.name().find("guest"), std::string::npos);
}

} // namespace
} // namespace bloomery::testing
