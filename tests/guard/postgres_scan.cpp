// A scan of a large table: all keys, in bounded memory; and the stream that brings them.
#include "../../src/guard/postgres_copy.hpp"
#include "postgres_help.hpp"
#include "visited.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::string_literals;
using store::copy_reader;
using store::postgres;
using store::scan_batch;
using store::store_error;

/// The most memory that this process has had, in KiB.
long peak() {
    std::ifstream lines("/proc/self/status");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
    }
    return 0;
}

TEST(PostgresScan, VisitsTwoMillionKeysInLittleMemory) {
    postgres store = store_on("two_million", "bigint");
    other_client().run("INSERT INTO two_million SELECT i FROM generate_series(1, 2000000) i");
    EXPECT_EQ(store.count(), 2'000'000U);
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
    const auto add = [&](store::keys some) {
        EXPECT_LE(some.size(), 4096U);
        count += some.size();
        for (const std::string_view key : some) sum += std::stoull(std::string(key));
    };
    const long before = peak();
    store.scan(add);
    EXPECT_LT(peak() - before, 64 * 1024);
    EXPECT_EQ(count, 2'000'000U);
    EXPECT_EQ(sum, 2'000'001'000'000U);
    // A few of them, though the server reads them all.
    const std::string mark = store.mark();
    EXPECT_EQ(since(store, mark), texts{});
    other_client().run("UPDATE two_million SET body = '' WHERE id IN (7, 1999999)");
    EXPECT_EQ(since(store, mark), (texts{"1999999", "7"}));
}

TEST(PostgresScan, LeavesOutRowsWithoutAKey) {
    other_client().run("CREATE TABLE with_nulls (id bigint, body text); "
                       "INSERT INTO with_nulls VALUES (1, ''), (NULL, ''), (2, NULL), (2, '')");
    postgres store(shared_postgres().url(), {"with_nulls", "id", "body"});
    EXPECT_EQ(keys_of(store), (texts{"1", "2", "2"}));
    EXPECT_TRUE(store.get("2").has_value());
    EXPECT_THROW(store.put("3", ""), store_error) << "there is no unique index";
}

/// What a reader makes of a stream that comes in pieces of so many bytes.
texts read_in_pieces(const std::string& stream, std::size_t piece) {
    texts all;
    const store::key_visitor visit = [&](store::keys some) {
        all.insert(all.end(), some.begin(), some.end());
    };
    scan_batch batch(visit);
    copy_reader reader(batch);
    for (std::size_t at = 0; at < stream.size(); at += piece) {
        reader.read(std::string_view(stream).substr(at, piece));
    }
    batch.flush();
    if (!reader.is_done()) all.emplace_back("and no end");
    return all;
}

const std::string header = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"s;

TEST(PostgresCopy, IsReadInWhateverPiecesItComes) {
    const std::string rows = "\0\1\0\0\0\3abc\0\1\0\0\0\0\0\1\377\377\377\377\0\1\0\0\0\1\0"s;
    const std::string stream = header + rows + "\377\377";
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        EXPECT_EQ(read_in_pieces(stream, piece), (texts{"abc", "", "\0"s})) << piece;
    }
    EXPECT_EQ(read_in_pieces(header + rows, 5).back(), "and no end");
    const std::string extended = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\2xx\377\377"s;
    EXPECT_EQ(read_in_pieces(extended, 3), texts{});
}

TEST(PostgresCopy, IsRefusedIfItIsNone) {
    for (const std::string& stream :
         {"PGCOPY\n\377\r\nX\0\0\0\0\0\0\0\0"s, "PGCOPY\n\377\r\n\0\0\0\0\0\377\0\0\0"s,
          header + "\0\2"s, header + "\0\1\377\377\377\376"s, header + "\377\377more"s}) {
        EXPECT_THROW(read_in_pieces(stream, 1000), store_error);
        EXPECT_THROW(read_in_pieces(stream, 1), store_error);
    }
}

} // namespace
} // namespace bloomery::testing
