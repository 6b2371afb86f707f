// The contract of all filters, for those in Redis.
#include "../contract/contract.hpp"

#include <bloomery/redis/filter.hpp>

#include "via.hpp"

#include <string>

namespace bloomery::testing {
namespace {

redis_server* contract_server = nullptr;

std::string another_name() {
    static int number = 0;
    return "contract-" + std::to_string(++number);
}
redis::redis_filter split_in_redis() {
    return redis::redis_filter::create(client_of(*contract_server), another_name(), items{1000},
                                       rate{0.001}, bytes{1024});
}
redis::redis_filter redisson_in_redis() {
    return redis::redis_filter::create_redisson(client_of(*contract_server), another_name(),
                                                items{1000}, rate{0.001});
}
any_filter any_in_redis() { return any_filter(std::in_place, split_in_redis()); }

template <class F>
void check_in_redis(F (*make)()) {
    static_assert(filter_like<F> && filter_like<F, std::uint64_t> && filter_like<F, compound_key>);
    static_assert(measurable<F>);
    check_inserts<std::string>(make);
    check_inserts<std::uint64_t>(make);
    check_inserts<compound_key>(make);
    check_digests(make);
    F made = make();
    EXPECT_EQ(made.fill_ratio(), 0);
    made.insert("one");
    EXPECT_EQ(made.fill_ratio(), made.stats().fill_ratio);
    EXPECT_EQ(made.expected_rate(), made.stats().expected_rate);
    made.clear();
    EXPECT_FALSE(made.may_contain("one"));
}

TEST(RedisContract, HoldsForFiltersInRedis) {
    redis_server server;
    contract_server = &server;
    using redis::redis_filter;
    static_assert(!erasable<redis_filter> && !countable<redis_filter> && !mergeable<redis_filter> &&
                  !shareable<redis_filter>);
    check_in_redis(split_in_redis);
    check_in_redis(redisson_in_redis);
    check_in_redis(any_in_redis);
    any_filter handle = any_in_redis();
    EXPECT_FALSE(handle.can_share());
    EXPECT_THROW(handle.merge(any_in_redis()), unsupported);
    EXPECT_FALSE(handle == any_in_redis());
}

} // namespace
} // namespace bloomery::testing
