// The contract of all filters, for those in Redis.
#include <bloomery/redis/filter.hpp>

#include "../contract/suite.hpp"
#include "via.hpp"

#include <string>

namespace bloomery::testing {
namespace {

redis::client contract_client() {
    static redis_server server;
    return client_of(server);
}
std::string another_name() {
    static int number = 0;
    return "contract-" + std::to_string(++number);
}

struct in_redis : usual_subject {
    static constexpr abilities can{
        .merge = false, .intersect = false, .share = false, .equality = false};
    using type = redis::redis_filter;
};
struct split_in_redis : in_redis {
    static constexpr const char* name = "split_redis_filter";
    static type make() {
        return type::create(contract_client(), another_name(), items{1000}, rate{0.001},
                            bytes{1024});
    }
};
struct redisson_in_redis : in_redis {
    static constexpr const char* name = "redisson_redis_filter";
    static constexpr double most_over_target = 1.5; // Redisson's formula ignores its double hashing
    static type make() {
        return type::create_redisson(contract_client(), another_name(), items{1000}, rate{0.001});
    }
};
struct any_in_redis : usual_subject {
    static constexpr const char* name = "any_of_redis_filter";
    static constexpr abilities can{
        .merge = false, .intersect = false, .share = false, .equality = false, .at_run_time = true};
    using type = any_filter;
    static type make() { return {std::in_place, split_in_redis::make()}; }
};

using redis_subjects = ::testing::Types<split_in_redis, redisson_in_redis, any_in_redis>;
INSTANTIATE_TYPED_TEST_SUITE_P(Redis, FilterContract, redis_subjects, subject_names);
const std::size_t redis_count = cover<split_in_redis, redisson_in_redis, any_in_redis>();

TEST(RedisContract, CoversTheTypes) { EXPECT_EQ(covered_types().size(), 3U); }

TEST(RedisContract, AMovedFromHandleReportsItForEveryCallThatNeedsTheFilter) {
    redis::redis_filter made = split_in_redis::make();
    const redis::redis_filter taken = std::move(made);
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
    EXPECT_THROW(made.clear(), bad_argument);
    EXPECT_THROW(made.drop(), bad_argument);
    EXPECT_THROW(made.rename("other"), bad_argument);
    EXPECT_THROW((void)made.copy("other"), bad_argument);
    EXPECT_THROW((void)made.pull(), bad_argument);
    EXPECT_THROW((void)made.stats(), bad_argument);
    EXPECT_THROW((void)made.spec(), bad_argument);
    EXPECT_THROW((void)made.facts(), bad_argument);
    EXPECT_THROW((void)made.time_left(), bad_argument);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_TRUE(redis::redis_filter::exists(contract_client(), taken.name()));
}

} // namespace
} // namespace bloomery::testing
