// What a server has acknowledged is there after a crash and a restart.
#include "append_only.hpp"
#include "module_server.hpp"
#include "pipeline.hpp"
#include "random.hpp"
#include "sample_filters.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

/// Numbered items for a few filters, and which of them the server said it took.
class load {
public:
    explicit load(std::uint64_t seed) : random_(seed) {
        for (const char* const key : {"plain", "steady", "split"}) all_.push_back({key, "BF", {}});
        for (const char* const key : {"cuckoo", "cuckoo-wide"}) all_.push_back({key, "CF", {}});
    }
    [[nodiscard]] const std::vector<sample_filter>& acknowledged() const { return all_; }
    /// What was sent last, and never acknowledged.
    [[nodiscard]] const sample_filter& last() const { return last_; }

    /// Sends commands, and reads the replies of some of them; the server has the rest in hand.
    void run(redis_server& on) {
        pipeline to(on);
        std::vector<std::pair<sample_filter*, words>> sent(500 + random_.below(1500));
        for (auto& [into, items] : sent) {
            into = &all_[random_.below(all_.size())];
            for (std::uint64_t n = 1 + random_.below(8); n > 0; --n) {
                items.push_back("item-" + std::to_string(next_++));
            }
            to.send(command(*into, items));
        }
        const std::size_t read = random_.below(sent.size());
        for (std::size_t i = 0; i < read; ++i) {
            ASSERT_EQ(to.next(), pipeline::reply::other);
            const auto& [into, items] = sent[i];
            into->items.insert(into->items.end(), items.begin(), items.end());
        }
        last_ = {sent.back().first->key, sent.back().first->family, sent.back().second};
    }

private:
    static words command(const sample_filter& into, const words& items) {
        if (into.family == "BF") {
            return items.size() == 1 ? words{"BF.ADD", into.key, items[0]}
                                     : with_items({"BF.MADD", into.key}, items);
        }
        return items.size() == 1 ? words{"CF.ADD", into.key, items[0]}
                                 : with_items({"CF.INSERT", into.key, "ITEMS"}, items);
    }

    random_source random_;
    std::size_t next_ = 0;
    std::vector<sample_filter> all_;
    sample_filter last_;
};

TEST(ModuleCrashLong, NothingThatWasAcknowledgedIsLost) {
    module_server at(written_at_once, "cf-initial-size 20000");
    at.run({"BF.RESERVE", "steady", "0.001", "5000", "EXPANSION", "1"});
    at.run({"BF.RESERVE", "split", "0.001", "100", "LAYOUT", "SPLIT"});
    at.run({"CF.RESERVE", "cuckoo-wide", "500", "BUCKETSIZE", "8", "EXPANSION", "2"});
    load some(2026);
    std::size_t held = 0;
    int interrupted = 0;
    for (int round = 0; round < 50; ++round) {
        SCOPED_TRACE(round);
        // Some die while they write their file anew, in either form.
        if (round % 5 == 0) {
            at.run({"CONFIG", "SET", "aof-use-rdb-preamble", round % 2 == 0 ? "yes" : "no"});
            at.run({"BGREWRITEAOF"});
        }
        some.run(at);
        at.kill9();
        at.start();
        const std::string last = answers(at, some.last(), some.last().items);
        interrupted += last.find('0') != std::string::npos ? 1 : 0;
        held = 0;
        for (const sample_filter& one : some.acknowledged()) {
            held += one.items.size();
            ASSERT_EQ(answers(at, one, one.items).find('0'), std::string::npos) << one.key;
        }
    }
    EXPECT_GT(held, 50'000U);
    EXPECT_GT(interrupted, 5) << "it had nearly always done all there was to do";
}

} // namespace
} // namespace bloomery::testing
