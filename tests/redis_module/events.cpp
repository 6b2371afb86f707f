// Keyspace events of BF.*, and what INFO reports about all filters.
#include "exchanges.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>
#include <hiredis/hiredis.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

/// Hears all events of the keyspace of a server.
class listener {
public:
    explicit listener(module_server& at)
        : connection_(redisConnectUnix(at.socket().c_str()), redisFree) {
        at.run({"CONFIG", "SET", "notify-keyspace-events", "KEA"});
        if (!connection_ || connection_->err != 0) throw std::runtime_error("no connection");
        redisSetTimeout(connection_.get(), {10, 0});
        redisAppendCommand(connection_.get(), "PSUBSCRIBE __key*__:*");
        (void)next();
    }

    /// Those since the last call, as "KEY EVENT". A command is answered after its events were sent,
    /// so none is on its way that the answer to PING does not follow.
    std::vector<std::string> heard() {
        redisAppendCommand(connection_.get(), "PING");
        std::vector<std::string> all;
        while (true) {
            const reply one = next();
            if (one->elements != 4) return all;
            const std::string channel = one->element[2]->str;
            const std::string prefix = "__keyspace@0__:";
            if (channel.starts_with(prefix)) {
                all.push_back(channel.substr(prefix.size()) + ' ' + one->element[3]->str);
            }
        }
    }

private:
    struct free_reply {
        void operator()(redisReply* one) const { freeReplyObject(one); }
    };
    using reply = std::unique_ptr<redisReply, free_reply>;

    reply next() {
        void* read = nullptr;
        if (redisGetReply(connection_.get(), &read) != REDIS_OK) {
            throw std::runtime_error("the server says nothing");
        }
        return reply(static_cast<redisReply*>(read));
    }

    std::unique_ptr<redisContext, void (*)(redisContext*)> connection_;
};

using events = std::vector<std::string>;

TEST(BloomEvents, OfEachCommandThatChangesSomething) {
    struct row {
        std::string asked;
        events heard;
    };
    module_server at;
    listener ear(at);
    for (const row& one : std::vector<row>{
             {"BF.RESERVE f 0.01 100", {"f bloom.reserve"}},
             {"BF.RESERVE f 0.01 100", {}},
             {"BF.RESERVE g 0.01 0", {}},
             {"BF.ADD f a", {"f bloom.add"}},
             {"BF.ADD f a", {}},
             {"BF.MADD f a b c", {"f bloom.add"}},
             {"BF.MADD f a b c", {}},
             {"BF.INSERT f ITEMS d", {"f bloom.add"}},
             {"BF.INSERT f ITEMS d", {}},
             {"BF.INSERT h NOCREATE ITEMS d", {}},
             {"BF.ADD g a", {"g bloom.add"}},
             {"BF.INSERT h CAPACITY 1 NONSCALING ITEMS a b", {"h bloom.add"}},
             {"BF.ADD h b", {}},
             {"BF.EXISTS f a", {}},
             {"BF.MEXISTS f a b", {}},
             {"BF.CARD f", {}},
             {"BF.INFO f", {}},
             {"BF.DEBUG f", {}},
             {"BF.SCANDUMP f 0", {}},
             {"BF.LOADCHUNK f 2 x", {"f bloom.load"}},
             {"BF.LOADCHUNK f 0 x", {}},
             {"BF.MERGE f g", {"f bloom.merge"}},
             {"BF.MERGE m f g", {"m bloom.merge"}},
             {"BF.MERGE f f", {}},
             {"BF.MERGE f f f", {}},
             {"BF.MERGE f missing", {}},
             {"BF.INTERSECT i f g", {"i bloom.intersect"}},
             {"BF.INTERSECT i g", {"i bloom.intersect"}},
             {"BF.INTERSECT i i", {}},
             {"BF.INTERSECT i h", {}},
             {"BF.CLEAR f", {"f bloom.clear"}},
             {"BF.CLEAR f", {}},
             {"BF.CLEAR missing", {}},
             {"DEL f", {"f del"}},
         }) {
        (void)at.resp2.ask(one.asked);
        EXPECT_EQ(ear.heard(), one.heard) << one.asked;
    }
}

TEST(BloomEvents, OfBothNamesAndOnlyIfAskedFor) {
    module_server at;
    listener ear(at);
    at.run({"CONFIG", "SET", "notify-keyspace-events", "K$"});
    at.run({"BF.ADD", "f", "a"});
    EXPECT_EQ(ear.heard(), events{}) << "they are generic events, not those of strings";
    at.run({"CONFIG", "SET", "notify-keyspace-events", "Kg"});
    at.run({"BF.ADD", "f", "b"});
    EXPECT_EQ(ear.heard(), events{"f bloom.add"});
}

struct totals {
    std::string objects, layers, bytes;
    friend bool operator==(const totals&, const totals&) = default;
};

void PrintTo(const totals& of, std::ostream* to) {
    *to << of.objects << " objects, " << of.layers << " layers, " << of.bytes << " bytes";
}

totals totals_of(module_server& at) {
    return {at.info("bf_filters", "bf_bloom_objects"), at.info("bf_filters", "bf_bloom_filters"),
            at.info("bf_filters", "bf_bloom_memory_bytes")};
}

/// The server may free on a thread of its own.
bool become(module_server& at, const totals& wanted) {
    return comes_true(10s, [&] { return totals_of(at) == wanted; });
}

TEST(BloomTotals, FollowEachFilter) {
    module_server at;
    const totals none{"0", "0", "0"};
    EXPECT_EQ(totals_of(at), none);
    at.run({"BF.RESERVE", "f", "0.01", "100"});
    EXPECT_EQ(totals_of(at), (totals{"1", "1", "240"}));
    at.run({"BF.ADD", "f", "a"});
    EXPECT_EQ(totals_of(at), (totals{"1", "1", "240"}));
    at.run({"BF.RESERVE", "s", "0.01", "100", "LAYOUT", "SPLIT"});
    const std::int64_t split = fact(at, "s", "SIZE");
    EXPECT_EQ(totals_of(at), (totals{"2", "2", std::to_string(240 + split)}));
    at.run({"DEL", "s"});
    EXPECT_TRUE(become(at, {"1", "1", "240"}));
    add_numbers(at, "f", 0, 250);
    EXPECT_EQ(totals_of(at), (totals{"1", "2", std::to_string(fact(at, "f", "SIZE"))}));
    at.run({"COPY", "f", "g"});
    EXPECT_EQ(totals_of(at), (totals{"2", "4", std::to_string(2 * fact(at, "f", "SIZE"))}));
    at.run({"BF.CLEAR", "g"});
    EXPECT_EQ(totals_of(at), (totals{"2", "3", std::to_string(fact(at, "f", "SIZE") + 240)}));
    at.run({"BF.RESERVE", "u", "0.01", "77"});
    at.run({"BF.MERGE", "g", "u"});
    const std::int64_t all = fact(at, "f", "SIZE") + fact(at, "g", "SIZE") + fact(at, "u", "SIZE");
    EXPECT_EQ(totals_of(at), (totals{"3", "5", std::to_string(all)}));
    EXPECT_EQ(at.info("bf_filters", "bf_cuckoo_objects"), "0");
    at.run({"FLUSHALL"});
    EXPECT_TRUE(become(at, none));
}

TEST(BloomTotals, FallToNothingHoweverFiltersGo) {
    const totals none{"0", "0", "0"};
    module_server at;
    const auto fill = [&] {
        for (const std::string key : {"a", "b", "c", "d"}) {
            at.run({"BF.RESERVE", key, "0.01", "1000000"}); // large enough for the other thread
            at.run({"BF.RESERVE", key + "-split", "0.01", "1000", "LAYOUT", "SPLIT"});
        }
        EXPECT_EQ(totals_of(at).objects, "8");
    };
    for (const std::string how : {"DEL a b c d a-split b-split c-split d-split",
                                  "UNLINK a b c d a-split b-split c-split d-split", "FLUSHALL SYNC",
                                  "FLUSHALL ASYNC", "FLUSHDB ASYNC"}) {
        fill();
        EXPECT_NE(at.resp2.ask(how).front(), '-') << how;
        EXPECT_TRUE(become(at, none)) << how;
    }
    fill();
    for (const std::string key : {"a", "b", "c", "d"}) {
        at.run({"PEXPIRE", key, "1"});
        at.run({"SET", key + "-split", "x"});
    }
    EXPECT_TRUE(become(at, none));
    // A command that makes a filter and fails leaves nothing behind.
    EXPECT_TRUE(at.command({"BF.RESERVE", "f", "1e-300", "10", "LAYOUT", "SPLIT"}).is_error());
    EXPECT_TRUE(at.command({"BF.LOADCHUNK", "f", "1", "x"}).is_error());
    EXPECT_EQ(totals_of(at), none);
}

TEST(BloomTotals, AreASectionOfTheirOwn) {
    module_server at;
    at.run({"BF.ADD", "f", "a"});
    for (const std::string section : {"bf", "bf_filters", "modules", "everything"}) {
        EXPECT_EQ(at.info(section, "bf_bloom_objects"), "1") << section;
    }
    EXPECT_EQ(at.info("server", "bf_bloom_objects"), "");
}

} // namespace
} // namespace bloomery::testing
