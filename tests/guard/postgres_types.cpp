// Keys and values of every type, in tables and columns of any name.
#include "postgres_help.hpp"
#include "visited.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using store::postgres;
using store::sql_keys;
using store::store_error;

const texts postgres_types_odd_texts{"",
                                     "a",
                                     "A",
                                     "'",
                                     "\"; DROP TABLE items",
                                     "07",
                                     " 7",
                                     "7 ",
                                     "7.0",
                                     "\u00e9",
                                     "e\u0301",
                                     "%",
                                     "_",
                                     "\\",
                                     "\\N",
                                     "\\.",
                                     "\xF0\x9F\x8C\xB8",
                                     "a\nb\t{c,\"d}\r"};

TEST(PostgresTypes, HoldsOddTextsAndAnyBytesAsValues) {
    postgres store = store_on("odd_texts");
    const std::string all_bytes = "\0\xff\n\\\0"s;
    for (const std::string& key : postgres_types_odd_texts)
        EXPECT_TRUE(store.put(key, key + all_bytes)) << key;
    for (const std::string& key : postgres_types_odd_texts)
        EXPECT_EQ(store.get(key), key + all_bytes) << key;
    texts sorted = postgres_types_odd_texts;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(keys_of(store), sorted);
    const std::string large(1U << 20U, 'x');
    EXPECT_TRUE(store.put("large", large));
    EXPECT_EQ(store.get("large"), large);
    EXPECT_EQ(store.get(large), std::nullopt);
    std::string too_large; // for an index, and not to be packed
    for (unsigned i = 1; too_large.size() < 1U << 20U; ++i) {
        too_large += std::to_string(i * 2654435761U);
    }
    EXPECT_THROW(store.put(too_large, "v"), store_error);
    for (const std::string& key : {"a\0b"s, "\xff"s, "\xed\xa0\x80"s}) {
        EXPECT_EQ(store.get(key), std::nullopt);
        EXPECT_FALSE(store.erase(key));
        EXPECT_THROW(store.put(key, "v"), store_error);
    }
    for (const std::string& key : postgres_types_odd_texts) EXPECT_TRUE(store.erase(key)) << key;
    EXPECT_EQ(keys_of(store), texts{"large"});
}

TEST(PostgresTypes, HoldsAnyBytesInAColumnOfBytes) {
    postgres store(shared_postgres().url(), {"odd_bytes", "id", "body"},
                   {.create = true, .keys = sql_keys::bytes});
    texts all = postgres_types_odd_texts;
    all.insert(all.end(), {"a\0b"s, "\0"s, "\xff\xfe"s});
    for (const std::string& key : all) EXPECT_TRUE(store.put(key, key));
    std::vector<std::string_view> asked(all.begin(), all.end());
    asked.push_back("absent");
    const auto values = store.get_many(asked);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(values[i], all[i]);
    EXPECT_EQ(values.back(), std::nullopt);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(keys_of(store), all);
    EXPECT_TRUE(store.erase("\0"s));
    EXPECT_EQ(store.get("\0"s), std::nullopt);
}

TEST(PostgresTypes, KnowsANumberByItsTextAlone) {
    postgres small = store_on("small_numbers", "smallint");
    postgres middle = store_on("middle_numbers", "integer");
    postgres large(shared_postgres().url(), {"large_numbers", "id", "body"},
                   {.create = true, .keys = sql_keys::integers});
    const std::vector<std::pair<postgres*, texts>> cases{
        {&small, {"-32768", "0", "32767"}},
        {&middle, {"-2147483648", "0", "2147483647"}},
        {&large, {"-9223372036854775808", "0", "9223372036854775807"}}};
    for (const auto& [store, numbers] : cases) {
        for (const std::string& key : numbers) EXPECT_TRUE(store->put(key, key));
        for (const std::string& key : numbers) EXPECT_EQ(store->get(key), key);
        EXPECT_EQ(keys_of(*store), numbers);
        for (const char* const key :
             {"00", "+0", " 0", "0 ", "0.0", "abc", "", "-0", "9223372036854775808"}) {
            EXPECT_EQ(store->get(key), std::nullopt) << key;
            EXPECT_FALSE(store->erase(key)) << key;
            EXPECT_THROW(store->put(key, "v"), store_error) << key;
        }
    }
    EXPECT_THROW(small.put("32768", "v"), store_error);
    EXPECT_EQ(middle.get("2147483648"), std::nullopt);
}

TEST(PostgresTypes, FindsKeysOfOtherTypesByTheTextThatTheServerPrints) {
    other_client().run("CREATE DOMAIN code AS varchar(4); CREATE TYPE mood AS ENUM ('sad', 'ok'); "
                       "CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', "
                       "deterministic = false)");
    struct one_case {
        std::string type;
        std::string good;
        texts bad;
    };
    const std::vector<one_case> cases{
        {"uuid",
         "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
         {"A0EEBC99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc999c0b4ef8bb6d6bb9bd380a11", "x"}},
        {"numeric(10,2)", "1.50", {"1.5", "1.500", "x", "NaN "}},
        {"date", "2024-02-29", {"2024-2-29", "20240229", "2024-02-30", "x"}},
        {"char(4)", "ab", {"ab ", "ab  ", "abcde"}},
        {"varchar(4)", "abcd", {"abcde", "abcd "}},
        {"code", "abcd", {"abcde"}},
        {"mood", "ok", {"OK", "glad"}},
        {"text COLLATE no_case", "abc", {"ABC", "abC"}}};
    int number = 0;
    for (const one_case& each : cases) {
        postgres store = store_on("typed" + std::to_string(++number), each.type, "text");
        EXPECT_TRUE(store.put(each.good, "v")) << each.type;
        EXPECT_FALSE(store.put(each.good, "w")) << each.type;
        EXPECT_EQ(store.get(each.good), "w") << each.type;
        std::vector<std::string_view> asked(each.bad.begin(), each.bad.end());
        for (const std::string& key : each.bad) {
            EXPECT_EQ(store.get(key), std::nullopt) << each.type << ' ' << key;
            EXPECT_FALSE(store.erase(key)) << each.type << ' ' << key;
            EXPECT_THROW(store.put(key, "v"), store_error) << each.type << ' ' << key;
        }
        asked.push_back(each.good);
        const auto values = store.get_many(asked);
        for (std::size_t i = 0; i < each.bad.size(); ++i) EXPECT_EQ(values[i], std::nullopt);
        EXPECT_EQ(values.back(), "w") << each.type;
        EXPECT_EQ(keys_of(store), texts{each.good}) << each.type;
        EXPECT_TRUE(store.erase(each.good)) << each.type;
    }
}

TEST(PostgresTypes, ReadsValuesOfAnyTypeAndNone) {
    postgres numbers = store_on("number_values", "text", "integer");
    EXPECT_TRUE(numbers.put("k", "007"));
    EXPECT_EQ(numbers.get("k"), "7");
    EXPECT_THROW(numbers.put("k", "seven"), store_error);
    EXPECT_EQ(numbers.get("k"), "7");
    other_client().run("UPDATE number_values SET body = NULL");
    EXPECT_EQ(numbers.get("k"), "");
    postgres text = store_on("text_values", "text", "text");
    EXPECT_THROW(text.put("k", "\0"s), store_error);
    EXPECT_THROW(text.put("k", "\xff"), store_error);
    EXPECT_TRUE(text.put("k", ""));
    EXPECT_EQ(text.get("k"), "");
    postgres alone(shared_postgres().url(), {"keys_alone", "id"}, {.create = true});
    EXPECT_TRUE(alone.put("k", "this is lost"));
    EXPECT_FALSE(alone.put("k", "this too"));
    EXPECT_EQ(alone.get("k"), "");
    const std::vector<std::string_view> asked{"k", "l"};
    EXPECT_EQ(alone.get_many(asked), (std::vector<std::optional<std::string>>{"", std::nullopt}));
    EXPECT_TRUE(alone.erase("k"));
}

TEST(PostgresTypes, TakesOddNamesAndSchemas) {
    other_client().run("CREATE SCHEMA \"My \"\"Shop\"");
    postgres store(shared_postgres().url(), {"My \"Shop.it\"ems; x", "the \"key\"", "select"},
                   {.create = true});
    EXPECT_TRUE(store.put("k", "v"));
    EXPECT_FALSE(store.put("k", "v"));
    EXPECT_EQ(store.get("k"), "v");
    EXPECT_EQ(keys_of(store), texts{"k"});
    const std::string mark = store.mark();
    EXPECT_TRUE(store.put("l", "v"));
    EXPECT_EQ(since(store, mark), texts{"l"});
    const std::vector<store::entry> rows{{"m", "v"}};
    store.load(rows);
    EXPECT_EQ(store.count(), 3U);
}

TEST(PostgresTypes, AsksTheIndexWhateverTheType) {
    other_client other;
    for (const std::string type : {"text", "varchar(20)", "bytea", "bigint", "smallint", "uuid"}) {
        const std::string table = "indexed_" + type.substr(0, 4);
        const auto scans = [&](const std::string& kind) {
            return std::stoi(other.run("SELECT " + kind + " FROM pg_stat_user_tables WHERE " +
                                       "relname = '" + table + "'"));
        };
        store_on(table, type);
        const int before = scans("seq_scan");
        const std::string key = type == "uuid" ? "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" : "7";
        const std::vector<std::string_view> asked{key, key};
        {
            // Of so small a table, the index is used only if nothing else may be.
            postgres store(shared_postgres().url() + "?options=-cenable_seqscan%3Doff",
                           {table, "id", "body"});
            EXPECT_TRUE(store.put(key, "v"));
            for (int i = 0; i < 10; ++i) { // the plan may change after five
                EXPECT_EQ(store.get(key), "v");
                EXPECT_EQ(store.get_many(asked)[1], "v");
            }
            EXPECT_TRUE(store.erase(key));
        }
        // Sessions tell what they did when they end.
        wait_until("it was told", 20s, [&] { return scans("idx_scan") >= 21; });
        EXPECT_EQ(scans("seq_scan"), before) << type;
    }
}

} // namespace
} // namespace bloomery::testing
