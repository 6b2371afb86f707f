// Filters that support erase: an erased key is refused, and no other key.
#include "scene.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

namespace bloomery::testing {
namespace {

template <class Filter>
struct GuardOfFilterThatForgets : ::testing::Test {
    using guard_type = guard<Filter, watched_cache, watched_source>;

    static void expect_all(guard_type& here, std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t i = from; i < to; ++i) {
            ASSERT_TRUE(here.get(key_of(i))) << i;
        }
    }

    watched_source source;
};
using forgetting =
    ::testing::Types<counting_filter, dynamic_count_filter, dleft_filter, accurate_filter>;
TYPED_TEST_SUITE(GuardOfFilterThatForgets, forgetting);

TYPED_TEST(GuardOfFilterThatForgets, RefusesAnErasedKeyWithoutTheList) {
    fill(this->source, 0, 500);
    typename TestFixture::guard_type here(watched_cache{}, this->source);
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    guard_numbers now = here.numbers();
    EXPECT_EQ(now.leftovers, 0U);
    EXPECT_EQ(now.estimated_items, 400U);
    for (std::uint64_t i = 0; i < 100; ++i) {
        EXPECT_FALSE(here.get(key_of(i)));
    }
    now = here.numbers();
    EXPECT_GE(now.refused, 90U);
    EXPECT_EQ(now.refused + now.false_positives, 100U);
    this->expect_all(here, 100, 500);
}

TYPED_TEST(GuardOfFilterThatForgets, CountsAKeyOnceHoweverOftenItIsUpdated) {
    fill(this->source, 0, 10);
    typename TestFixture::guard_type here(watched_cache{}, this->source);
    for (int i = 0; i < 100; ++i) {
        here.put("often", std::to_string(i));
        here.put(key_of(1), std::to_string(i));
    }
    EXPECT_EQ(here.get("often"), "99");
    EXPECT_TRUE(here.erase("often"));
    EXPECT_TRUE(here.erase(key_of(1)));
    const std::uint64_t asked = this->source->keys_asked;
    EXPECT_FALSE(here.get("often"));
    EXPECT_FALSE(here.get(key_of(1)));
    EXPECT_EQ(this->source->keys_asked, asked);
    EXPECT_EQ(here.numbers().refused, 2U);
}

TYPED_TEST(GuardOfFilterThatForgets, CountsAKeyThatTheSourceRefusedNotAtAll) {
    typename TestFixture::guard_type here(watched_cache{}, this->source);
    this->source->before = [](source_call what, std::string_view) {
        if (what == source_call::put) {
            throw store::store_error("no");
        }
    };
    EXPECT_THROW(here.put("new", "1"), store::store_error);
    this->source->before = {};
    EXPECT_FALSE(here.get("new"));
    EXPECT_EQ(here.numbers().refused, 1U);
}

TYPED_TEST(GuardOfFilterThatForgets, DoesNotForgetWhatWasNotThere) {
    fill(this->source, 0, 500);
    typename TestFixture::guard_type here(watched_cache{}, this->source, leaky());
    for (std::uint64_t i = 0; i < 5000; ++i) {
        EXPECT_FALSE(here.erase(stranger_of(i)));
    }
    this->expect_all(here, 0, 500);
}

TYPED_TEST(GuardOfFilterThatForgets, DeniesNoOtherKeyWhenItErasesDuringARebuild) {
    fill(this->source, 0, 500);
    guard_options options = leaky(); // keys share what is counted
    door stop;
    int batches = 0;
    options.on_step = [&](guard_step what) {
        if (what == guard_step::scanning && ++batches == 32 + 16) {
            stop.pass();
        }
    };
    typename TestFixture::guard_type here(watched_cache{}, this->source, options);
    std::thread builder([&] { here.rebuild(); });
    stop.await();
    for (std::uint64_t i = 0; i < 500; i += 2) {
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    for (std::uint64_t i = 0; i < 500; i += 4) {
        here.put(key_of(i), "again");
    }
    stop.open();
    builder.join();
    for (std::uint64_t i = 0; i < 500; ++i) {
        ASSERT_EQ(here.get(key_of(i)), this->source->data.get(key_of(i))) << i;
    }
    for (std::uint64_t i = 0; i < 500; i += 4) {
        EXPECT_TRUE(here.erase(key_of(i)));
    }
    for (std::uint64_t i = 0; i < 500; ++i) {
        ASSERT_EQ(here.get(key_of(i)), this->source->data.get(key_of(i))) << i;
    }
}

TYPED_TEST(GuardOfFilterThatForgets, TakesNothingFromAFilterThatCameWhileTheSourceErased) {
    fill(this->source, 0, 500);
    typename TestFixture::guard_type here(watched_cache{}, this->source, leaky());
    door stop;
    this->source->after = [&](source_call what, std::string_view) {
        if (what == source_call::erase) {
            stop.pass();
        }
    };
    std::thread eraser([&] { EXPECT_TRUE(here.erase(key_of(7))); });
    stop.await();
    here.rebuild(); // the new one was made without the key
    stop.open();
    eraser.join();
    EXPECT_FALSE(here.get(key_of(7)));
    for (std::uint64_t i = 0; i < 500; ++i) {
        ASSERT_EQ(here.get(key_of(i)), this->source->data.get(key_of(i))) << i;
    }
}

TYPED_TEST(GuardOfFilterThatForgets, TakesKeysBeyondItsCapacity) {
    guard_options options;
    options.least_items = 128;
    options.rebuild_pause = std::chrono::milliseconds(0);
    typename TestFixture::guard_type here(watched_cache{}, this->source, options);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        here.put(key_of(i), value_of(i));
    }
    wait_until("it was made anew", in_time, [&] { return here.numbers().rebuilds >= 2; });
    this->expect_all(here, 0, 2000);
}

TEST(GuardOfPlainFilter, RefusesToGrowWhatCannot) {
    guard_options options;
    options.policy = when_overfull::grow;
    const auto make = [&] {
        guard<counting_filter, store::no_cache, watched_source>({}, {}, options);
    };
    EXPECT_NE(refusal<bad_argument>(make).find("only a plain filter grows"), std::string::npos);
    options = {};
    options.headroom = -1;
    EXPECT_THROW(make(), bad_argument);
    options = {};
    options.planned = rate{1};
    EXPECT_THROW(make(), bad_argument);
}

} // namespace
} // namespace bloomery::testing
