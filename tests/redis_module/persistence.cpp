// Filters survive what servers do to their keys: files, dumps, copies, moves.
#include "append_only.hpp"
#include "module_server.hpp"
#include "random.hpp"
#include "sample_filters.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

TEST(ModulePersistence, IsTestedOnFiltersThatGrewAndForgot) {
    module_server at;
    for (const sample_filter& one : make_samples(at, false)) {
        const redis_value told = at.run({one.family + ".INFO", one.key});
        const auto number = [&](std::size_t field) { return told.elements.at(field).integer; };
        const bool is_single =
            one.key == "empty" || one.key == "nonscaling" || one.key == "split-fixed";
        EXPECT_GE(number(5), is_single ? 1 : 3) << one.key;
        EXPECT_TRUE(one.family == "BF" || number(9) >= 100) << one.key << " has no deletes";
    }
}

TEST(ModulePersistence, Snapshots) {
    module_server at;
    const std::vector<sample_filter> all = make_samples(at);
    const words before = seen_of(at, all);
    at.run({"SAVE"});
    at.kill9();
    at.start();
    EXPECT_EQ(seen_of(at, all), before);
}

TEST(ModulePersistence, ReloadsInTheRunningServer) {
    module_server at;
    const std::vector<sample_filter> all = make_samples(at);
    const words before = seen_of(at, all);
    const std::string bytes = at.info("bf_filters", "bf_bloom_memory_bytes");
    ASSERT_FALSE(bytes.empty());
    at.run({"DEBUG", "RELOAD"});
    EXPECT_EQ(seen_of(at, all), before);
    EXPECT_EQ(at.info("bf_filters", "bf_bloom_memory_bytes"), bytes);
}

TEST(ModulePersistence, AppendOnlyFiles) {
    module_server at(written_at_once);
    const std::vector<sample_filter> all = make_samples(at, false);
    const words before = seen_of(at, all);
    at.kill9();
    at.start();
    EXPECT_EQ(seen_of(at, all), before);
}

TEST(ModulePersistence, RewrittenAppendOnlyFilesOfCommands) {
    module_server at({"appendonly yes", "appendfsync always", "aof-use-rdb-preamble no"});
    std::vector<sample_filter> all = make_samples(at);
    const words before = seen_of(at, all);
    rewrite_append_only_file(at);
    const std::string text = append_only_text(at);
    for (const char* const word : {"BF.LOADCHUNK", "CF.LOADCHUNK"}) {
        EXPECT_NE(text.find(word), std::string::npos) << word;
    }
    for (const char* const word : {"BF.INSERT", "BF.MADD", "BF.RESERVE", "CF.INSERT"}) {
        EXPECT_EQ(text.find(word), std::string::npos) << word;
    }
    at.kill9();
    at.start();
    EXPECT_EQ(seen_of(at, all), before);
    // What comes after a rewrite grows filters as it would have without one.
    for (sample_filter& one : all) {
        if (one.family != "BF" || one.key.find("fixed") != std::string::npos ||
            one.key == "nonscaling") {
            continue;
        }
        const words more = numbered("more-", 300);
        at.run(with_items({"BF.MADD", one.key}, more));
        one.items.insert(one.items.end(), more.begin(), more.end());
    }
    const words after = seen_of(at, all);
    at.kill9();
    at.start();
    EXPECT_EQ(seen_of(at, all), after);
}

TEST(ModulePersistence, RewrittenAppendOnlyFilesWithASnapshot) {
    module_server at(written_at_once);
    const std::vector<sample_filter> all = make_samples(at);
    const words before = seen_of(at, all);
    rewrite_append_only_file(at);
    EXPECT_EQ(append_only_text(at).substr(0, 5), "REDIS");
    at.kill9();
    at.start();
    EXPECT_EQ(seen_of(at, all), before);
}

TEST(ModulePersistence, DumpsAreRestored) {
    module_server at;
    const std::vector<sample_filter> all = make_samples(at);
    const words before = seen_of(at, all);
    for (const sample_filter& one : all) {
        const std::string payload = at.run({"DUMP", one.key}).text;
        at.run({"RESTORE", "other", "0", payload, "REPLACE"});
        EXPECT_EQ(digest_of(at, "other"), digest_of(at, one.key)) << one.key;
        EXPECT_EQ(at.run({"DUMP", "other"}).text, payload) << one.key;
        at.run({"DEL", one.key});
        at.run({"RESTORE", one.key, "0", payload});
    }
    EXPECT_EQ(seen_of(at, all), before);
}

TEST(ModulePersistence, CopiesAreOnTheirOwn) {
    module_server at;
    const std::vector<sample_filter> all = make_samples(at);
    const words before = seen_of(at, all);
    at.run({"SET", "copy", "not a filter"});
    for (const sample_filter& one : all) {
        const std::string digest = digest_of(at, one.key);
        ASSERT_EQ(at.run({"COPY", one.key, "copy"}).integer, 0) << "it is there already";
        ASSERT_EQ(at.run({"COPY", one.key, "copy", "REPLACE"}).integer, 1);
        EXPECT_EQ(digest_of(at, "copy"), digest) << one.key;
        const bool is_added = !at.command({one.family + ".ADD", "copy", "never seen"}).is_error();
        EXPECT_EQ(digest_of(at, "copy") != digest, is_added) << one.key;
        EXPECT_EQ(digest_of(at, one.key), digest) << one.key;
        at.run({"COPY", one.key, one.key, "DB", "1"});
        at.run({"SELECT", "1"});
        EXPECT_EQ(digest_of(at, one.key), digest) << one.key;
        at.run({"SELECT", "0"});
    }
    EXPECT_EQ(seen_of(at, all), before);
    at.run({"FLUSHALL", "SYNC"});
    EXPECT_EQ(at.info("bf_filters", "bf_bloom_objects"), "0");
    EXPECT_EQ(at.info("bf_filters", "bf_bloom_memory_bytes"), "0");
    EXPECT_EQ(at.info("bf_filters", "bf_cuckoo_objects"), "0");
    EXPECT_EQ(at.info("bf_filters", "bf_cuckoo_memory_bytes"), "0");
}

TEST(ModulePersistence, MovesToAnotherServer) {
    module_server from;
    module_server to({}, "bf-error-rate 0.2 bf-initial-size 7 cf-bucket-size 4");
    const std::vector<sample_filter> all = make_samples(from);
    const words before = seen_of(from, all);
    for (const sample_filter& one : all) {
        EXPECT_EQ(
            from.run({"MIGRATE", "127.0.0.1", std::to_string(to.port()), one.key, "0", "10000"})
                .text,
            "OK");
    }
    EXPECT_EQ(from.run({"DBSIZE"}).integer, 0);
    EXPECT_EQ(seen_of(to, all), before);
}

using piece_list = std::vector<std::pair<std::string, std::string>>;

/// All pieces of a filter, each with the iterator that loads it; the header first.
piece_list pieces_of(redis_server& from, const sample_filter& of) {
    piece_list all;
    std::string iterator = "0";
    while (true) {
        const redis_value told = from.run({of.family + ".SCANDUMP", of.key, iterator});
        iterator = std::to_string(told.elements.at(0).integer);
        if (iterator == "0") return all;
        all.emplace_back(iterator, told.elements.at(1).text);
    }
}

TEST(ModulePersistence, PiecesInAnyOrderMakeTheSameFilter) {
    module_server from;
    module_server to({}, "bf-error-rate 0.2 bf-initial-size 7 cf-bucket-size 4");
    const std::vector<sample_filter> all = make_samples(from);
    random_source random(8);
    for (const sample_filter& one : all) {
        SCOPED_TRACE(one.key);
        piece_list pieces = pieces_of(from, one);
        ASSERT_GE(pieces.size(), one.key.starts_with("large") ? 3U : 2U);
        for (std::size_t i = pieces.size() - 1; i > 1; --i) {
            std::swap(pieces[i], pieces[1 + random.below(i)]);
        }
        for (const auto& [iterator, bytes] : pieces) {
            ASSERT_LE(bytes.size(), std::size_t{16} << 20U);
            to.run({one.family + ".LOADCHUNK", one.key, iterator, bytes});
        }
    }
    EXPECT_EQ(seen_of(to, all), seen_of(from, all));
    // A piece that comes twice changes nothing.
    const piece_list again = pieces_of(from, all.front());
    to.run({"BF.LOADCHUNK", all.front().key, again.back().first, again.back().second});
    EXPECT_EQ(seen_of(to, all), seen_of(from, all));
}

TEST(ModulePersistence, FreedInTheBackground) {
    module_server at;
    const std::vector<sample_filter> all = make_samples(at);
    for (const sample_filter& one : all) at.run({"UNLINK", one.key});
    at.run({"BF.RESERVE", "last", "0.001", "10000000"});
    at.run({"FLUSHALL", "ASYNC"});
    wait_until("all filters are gone", 20s, [&] {
        return at.info("bf_filters", "bf_bloom_memory_bytes") == "0" &&
               at.info("bf_filters", "bf_cuckoo_memory_bytes") == "0";
    });
    EXPECT_EQ(at.run({"PING"}).text, "PONG");
}

} // namespace
} // namespace bloomery::testing
