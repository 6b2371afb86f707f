// A filter without room for another key is discarded before the source gets the key.
#include <bloomery/filter/dleft.hpp>

#include "scene.hpp"

#include <gtest/gtest.h>

namespace bloomery {
namespace {

using namespace testing;
using full_guard = guard<dleft_filter, watched_cache, watched_source>;

guard_options tiny() {
    guard_options options;
    options.least_items = 64;
    options.policy = when_overfull::alarm;
    return options;
}

TEST(FullFilter, DeniesNothingAndStopsNoPut) {
    watched_source source;
    full_guard guarded(watched_cache{}, source, tiny());
    for (std::uint64_t i = 0; i < 2000; ++i) {
        guarded.put(key_of(i), value_of(i));
        ASSERT_EQ(guarded.get(key_of(i)), value_of(i)) << i;
    }
    wait_until("it was full, and made anew", in_time,
               [&] { return guarded.numbers().rebuilds >= 2 && guarded.numbers().ready; });
    for (std::uint64_t i = 0; i < 2000; ++i) {
        ASSERT_EQ(guarded.get(key_of(i)), value_of(i)) << i;
    }
}

TEST(FullFilter, DeniesNoKeyOfAPutWithAnUnknownOutcome) {
    watched_source source;
    full_guard guarded(watched_cache{}, source, tiny());
    source->after = [](source_call what, std::string_view /*key*/) {
        if (what == source_call::put) throw store::outcome_unknown("the connection was lost");
    };
    for (std::uint64_t i = 0; i < 2000; ++i) {
        EXPECT_THROW(guarded.put(key_of(i), value_of(i)), store::outcome_unknown);
        ASSERT_EQ(guarded.get(key_of(i)), value_of(i)) << i;
    }
}

TEST(FullFilter, DeniesNoKeyThatACatchUpBrings) {
    watched_source source;
    full_guard guarded(watched_cache{}, source, tiny());
    fill(source, 0, 2000);
    guarded.catch_up();
    for (std::uint64_t i = 0; i < 2000; ++i) {
        ASSERT_EQ(guarded.get(key_of(i)), value_of(i)) << i;
    }
}

} // namespace
} // namespace bloomery
