// A replica, and a server that reads an append-only file, end with the filters of the master,
// however their settings differ.
#include "append_only.hpp"
#include "module_server.hpp"
#include "random.hpp"
#include "sample_filters.hpp"
#include "wait.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

const std::string other_settings = "bf-error-rate 0.2 bf-initial-size 7 bf-expansion-factor 4 "
                                   "cf-bucket-size 4 cf-initial-size 64 cf-max-iterations 3 "
                                   "cf-expansion-factor 2 cf-max-expansions 2 "
                                   "bf-memory-usage-limit 700";

/// Random commands of all kinds on a few keys, some of which fail.
class commands {
public:
    explicit commands(std::uint64_t seed) : random_(seed) {}

    words next(redis_server& on) {
        switch (random_.below(24)) {
        case 0:
            return {"BF.RESERVE", bloom(),     pick({"0.01", "0.3", "1e-7"}),
                    number(),     "EXPANSION", pick({"0", "1", "2", "9"})};
        case 1:
            return {"BF.RESERVE", bloom(), "0.02", number(), "NONSCALING"};
        case 2:
            return {"BF.RESERVE", bloom(), "0.03", number(), "LAYOUT", "SPLIT"};
        case 3:
            return {"BF.RESERVE", bloom(), "0.004", number(), "NONSCALING", "LAYOUT", "SPLIT"};
        case 4:
        case 5:
            return {"BF.ADD", bloom(), item()};
        case 6:
        case 7:
            return items({"BF.MADD", bloom()});
        case 8:
            return items({"BF.INSERT", bloom(), "CAPACITY", number(), "ERROR", "0.05", "EXPANSION",
                          pick({"0", "1", "3"}), "ITEMS"});
        case 9:
            return items({"BF.INSERT", bloom(), pick({"NONSCALING", "NOCREATE"}), "ITEMS"});
        case 10:
            return {pick({"BF.MERGE", "BF.MERGE", "BF.INTERSECT"}), bloom(), bloom(), bloom()};
        case 11:
            return {"BF.CLEAR", bloom()};
        case 12:
            return {"CF.RESERVE",      cuckoo(),         number(),
                    "BUCKETSIZE",      pick({"1", "3"}), "MAXITERATIONS",
                    pick({"5", "30"}), "EXPANSION",      pick({"0", "1", "3"})};
        case 13:
            return {"CF.RESERVE", cuckoo(), number()};
        case 14:
            return {pick({"CF.ADD", "CF.ADDNX"}), cuckoo(), item()};
        case 15:
            return items(
                {pick({"CF.INSERT", "CF.INSERTNX"}), cuckoo(), "CAPACITY", number(), "ITEMS"});
        case 16:
            return items({pick({"CF.INSERT", "CF.INSERTNX"}), cuckoo(), "ITEMS"});
        case 17:
        case 18:
            return {"CF.DEL", cuckoo(), item()};
        case 19:
            return {"CF.COMPACT", cuckoo()};
        case 20:
            return chunk(on, "BF", bloom(), bloom());
        case 21:
            return chunk(on, "CF", cuckoo(), cuckoo());
        case 22:
            return {"COPY", bloom(), bloom(), "REPLACE"};
        default:
            return {"UNLINK", pick({bloom(), cuckoo()})};
        }
    }

private:
    std::string pick(const words& from) { return from[random_.below(from.size())]; }
    std::string bloom() { return 'b' + std::to_string(random_.below(6)); }
    std::string cuckoo() { return 'c' + std::to_string(random_.below(4)); }
    std::string number() { return std::to_string(4 + random_.below(200)); }
    std::string item() { return "item-" + std::to_string(random_.below(1000)); }
    words items(words before) {
        for (std::uint64_t n = 1 + random_.below(60); n > 0; --n) before.push_back(item());
        return before;
    }
    /// The header of one filter for the key of another.
    words chunk(redis_server& on, const std::string& family, const std::string& from,
                const std::string& to) {
        redis_value told = on.command({family + ".SCANDUMP", from, pick({"0", "0", "1"})});
        if (told.is_error() || told.elements.at(0).integer == 0) return {"PING"};
        return {family + ".LOADCHUNK", to, std::to_string(told.elements.at(0).integer),
                told.elements.at(1).text};
    }

    random_source random_;
};

/// A setting of the module, whether or not the server gives it a prefix.
void configure(redis_server& at, const std::string& name, const std::string& value) {
    at.run({"CONFIG", "SET", at.run({"CONFIG", "GET", "*" + name}).texts().at(0), value});
}

/// Settings come and go on the master while commands do.
void configure_anew(redis_server& at, random_source& random) {
    const auto pick = [&](const words& from) { return from[random.below(from.size())]; };
    configure(at, "bf-memory-usage-limit", pick({"0", "0", "500", "2000"}));
    configure(at, "bf-error-rate", pick({"0.01", "0.001", "0.9"}));
    configure(at, "bf-initial-size", pick({"10", "100"}));
    configure(at, "bf-expansion-factor", pick({"0", "1", "2", "3"}));
    configure(at, "cf-bucket-size", pick({"1", "2", "5"}));
    configure(at, "cf-initial-size", pick({"32", "64", "500"}));
    configure(at, "cf-max-iterations", pick({"1", "20"}));
    configure(at, "cf-expansion-factor", pick({"0", "1", "2", "3"}));
    configure(at, "cf-max-expansions", pick({"3", "32"}));
}

/// The same command in a script or a transaction, from time to time.
redis_value run_somehow(redis_server& at, words command, random_source& random) {
    switch (random.below(8)) {
    case 0:
        at.run({"MULTI"});
        at.command(command);
        return at.command({"EXEC"}).elements.at(0);
    case 1:
        command.insert(command.begin(), {"EVAL", "return redis.call(unpack(ARGV))", "0"});
        return at.command(command);
    default:
        return at.command(command);
    }
}

/// Makes `replica` one of `master` and waits for it.
void follow(redis_server& replica, redis_server& master) {
    replica.run({"REPLICAOF", "127.0.0.1", std::to_string(master.port())});
    wait_until("the replica follows", 20s,
               [&] { return replica.info("replication", "master_link_status") == "up"; });
}

void expect_same(redis_server& master, redis_server& replica) {
    ASSERT_EQ(master.run({"WAIT", "1", "9000"}).integer, 1);
    EXPECT_EQ(replica.run({"DEBUG", "DIGEST"}).text, master.run({"DEBUG", "DIGEST"}).text);
}

class ModuleReplication : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, ModuleReplication, ::testing::Range<std::uint64_t>(1, 4));

TEST_P(ModuleReplication, RandomCommandsMakeTheSameFilters) {
    module_server master(written_at_once);
    module_server replica({"appendonly yes"}, other_settings);
    follow(replica, master);
    commands some(GetParam());
    random_source random(GetParam());
    int done = 0;
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        if (i % 250 == 200) configure_anew(master, random);
        const words command = some.next(master);
        ++(run_somehow(master, command, random).is_error() ? refused : done);
        if (i % 50 == 49) {
            expect_same(master, replica);
            ASSERT_FALSE(HasFailure()) << "after " << i << " commands, the last " << command[0];
        }
    }
    EXPECT_GT(done, 700);
    EXPECT_GT(refused, 150);
    EXPECT_GT(master.run({"DBSIZE"}).integer, 4);
    // Neither reads its file with the settings that it was written with.
    const std::string digest = master.run({"DEBUG", "DIGEST"}).text;
    replica.kill9();
    replica.start();
    EXPECT_EQ(replica.run({"DEBUG", "DIGEST"}).text, digest);
    master.kill9();
    master.start();
    EXPECT_EQ(master.run({"DEBUG", "DIGEST"}).text, digest);
}

TEST(ModuleReplica, GetsWhatWasThereBeforeIt) {
    module_server master;
    const std::vector<sample_filter> all = make_samples(master);
    module_server replica({}, other_settings);
    follow(replica, master);
    expect_same(master, replica);
    EXPECT_EQ(seen_of(replica, all), seen_of(master, all));
    for (const sample_filter& one : all) {
        master.command(
            with_items({one.family + (one.family == "BF" ? ".MADD" : ".INSERT"), one.key, "ITEMS"},
                       numbered("later-", 500)));
    }
    expect_same(master, replica);
}

TEST(ModuleReplica, TakesWhatItsOwnLimitWouldRefuse) {
    module_server master;
    module_server replica({}, "bf-memory-usage-limit 300");
    follow(replica, master);
    const std::vector<sample_filter> all = make_samples(master);
    expect_same(master, replica);
    EXPECT_EQ(seen_of(replica, all), seen_of(master, all));
    // As a master it has its limit again.
    replica.run({"REPLICAOF", "NO", "ONE"});
    EXPECT_TRUE(replica.command({"BF.RESERVE", "mine", "0.01", "10000"}).is_error());
}

TEST(ModuleReplica, HasTheItemsThatTheLimitOfItsMasterLetThrough) {
    module_server master({}, "bf-memory-usage-limit 3000");
    module_server replica;
    follow(replica, master);
    for (const words& reserve : {words{"BF.RESERVE", "b", "0.01", "20"},
                                 words{"BF.RESERVE", "s", "0.01", "20", "LAYOUT", "SPLIT"},
                                 words{"CF.RESERVE", "c", "64", "EXPANSION", "2"}}) {
        master.run(reserve);
        const bool is_cuckoo = reserve[0] == "CF.RESERVE";
        int refused = 0;
        for (int i = 0; i < 40; ++i) {
            const words start =
                is_cuckoo ? words{"CF.INSERT", "c", "ITEMS"} : words{"BF.MADD", reserve[1]};
            const redis_value told =
                master.run(with_items(start, numbered(std::to_string(i) + '-', 100)));
            for (const redis_value& one : told.elements) {
                refused += one.is_error() || one.integer < 0 ? 1 : 0;
            }
        }
        EXPECT_GT(refused, 0) << reserve[1];
        EXPECT_LT(refused, 3900) << reserve[1];
        expect_same(master, replica);
    }
}

} // namespace
} // namespace bloomery::testing
