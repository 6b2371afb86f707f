// A filter that grows: layers are added when they are needed and not before, and no key is lost.
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/plan/family.hpp>

#include "saved_state.hpp"
#include "verbs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>
#include <vector>

namespace bloomery {
namespace {

using testing::copy_of;
using testing::flattened;

static_assert(!testing::erases<scalable_filter> && !testing::counts<scalable_filter> &&
              !testing::intersects<scalable_filter>);

scalable_options scalable_small(std::uint32_t growth = 2, double tightening = 0.5,
                                bool fast = false) {
    scalable_options made;
    made.fast_layers = fast;
    made.growth = growth;
    made.tightening = tightening;
    made.least_items = 1;
    return made;
}

/// Inserts new keys until so many were taken.
void fill(scalable_filter& f, std::uint64_t taken, std::uint64_t& next) {
    while (f.items_taken() < taken) {
        f.insert(next++);
    }
}

TEST(Scalable, GrowsWhenALayerIsFullAndNotBefore) {
    for (const auto& options : {scalable_small(), scalable_small(2, 0.85), scalable_small(4, 0.8),
                                scalable_small(3, 0.3)}) {
        scalable_filter f({100}, {0.01}, options);
        std::uint64_t next = 0;
        for (std::size_t layers = 1; layers < 6; ++layers) {
            fill(f, f.item_capacity(), next);
            ASSERT_EQ(f.layer_count(), layers);
            const auto planned = plan::scalable_plan({f.item_capacity()}, {0.01}, {100},
                                                     options.growth, options.tightening);
            ASSERT_EQ(planned.layers.size(), layers);
            ASSERT_EQ(planned.item_capacity, f.item_capacity());
            ASSERT_EQ(planned.byte_count, f.byte_count());
            fill(f, f.items_taken() + 1, next);
            ASSERT_EQ(f.layer_count(), layers + 1);
        }
        for (std::uint64_t key = 0; key < next; ++key) {
            ASSERT_TRUE(f.may_contain(key));
        }
    }
}

TEST(Scalable, DoesNotAdvanceForDuplicates) {
    scalable_filter f({10}, {0.01}, scalable_small());
    EXPECT_EQ(f.try_insert("once"), (insertion{true, status::ok}));
    const scalable_filter before = f;
    for (int i = 0; i < 1'000'000; ++i) {
        ASSERT_EQ(f.try_insert("once"), (insertion{false, status::ok}));
    }
    EXPECT_EQ(f.layer_count(), 1U);
    EXPECT_EQ(f.items_taken(), 1U);
    EXPECT_EQ(f, before);
}

TEST(Scalable, StartsWithAThousandKeysAtLeast) {
    EXPECT_EQ(scalable_filter({1}, {0.01}).item_capacity(), 1000U);
    EXPECT_EQ(scalable_filter({5000}, {0.01}).item_capacity(), 5000U);
}

RC_GTEST_PROP(Scalable, NeverForgetsThroughAnyHistory,
              (const std::vector<std::uint16_t>& keys, std::uint8_t growth, std::uint8_t ratio)) {
    scalable_filter f({1 + keys.size() % 7}, {0.2},
                      scalable_small(2 + growth % 4U, 0.3 + ratio % 60 / 100.0));
    std::set<std::uint16_t> in;
    for (const std::uint16_t key : keys) {
        const bool claimed = f.may_contain(key);
        const std::uint64_t taken = f.items_taken();
        const insertion done = f.try_insert(key);
        RC_ASSERT(done.state == status::ok && done.fresh == !claimed);
        RC_ASSERT(f.items_taken() == taken + (claimed ? 0 : 1));
        in.insert(key);
        if (key % 16 == 0) {
            (void)f.reserve(items{key % 97U});
        } else if (key % 16 == 1) {
            f = copy_of(f);
        } else if (key % 64 == 2) {
            f.clear();
            in.clear();
            RC_ASSERT(f.layer_count() == 1U && f.items_taken() == 0U);
        }
    }
    for (const std::uint16_t key : in) {
        RC_ASSERT(f.may_contain(key));
    }
    RC_ASSERT(copy_of(f) == f);
}

TEST(Scalable, IsFullAtItsLimitsAndChangesNothing) {
    scalable_options three = scalable_small();
    three.most_layers = 3;
    scalable_options lean = scalable_small();
    lean.most_bytes = 200;
    for (const auto& options : {three, lean}) {
        scalable_filter f({10}, {0.01}, options);
        std::uint64_t next = 0;
        while (f.try_insert(next).state != status::full) {
            ++next;
        }
        EXPECT_EQ(f.items_taken(), f.item_capacity());
        EXPECT_LE(f.layer_count(), 3U);
        EXPECT_LE(f.byte_count(), options.most_bytes);
        const scalable_filter before = f;
        EXPECT_EQ(f.try_insert(next), (insertion{true, status::full}));
        EXPECT_EQ(f.try_insert(0), (insertion{false, status::ok})) << "it is in";
        EXPECT_EQ(f.reserve({10'000}), status::full);
        EXPECT_THROW(f.insert_many(std::vector{next}), filter_full);
        EXPECT_EQ(f, before);
    }
}

TEST(Scalable, StopsWhereLayersWouldBeTooStrict) {
    scalable_filter f({1}, {0x1p-50}, scalable_small());
    std::uint64_t next = 0;
    while (f.try_insert(next).state != status::full) {
        ++next;
    }
    EXPECT_EQ(f.layer_count(), 10U); // 2^-51 to 2^-60
}

TEST(Scalable, ReservesInOneLayer) {
    scalable_filter f({100}, {0.01}, scalable_small());
    EXPECT_EQ(f.reserve({50}), status::ok);
    EXPECT_EQ(f.item_capacity(), 100U) << "there is room";
    EXPECT_EQ(f.reserve({300}), status::ok);
    EXPECT_EQ(f.layer_count(), 1U) << "an empty layer is replaced";
    EXPECT_EQ(f.item_capacity(), 300U);
    std::uint64_t next = 0;
    fill(f, 200, next);
    EXPECT_EQ(f.reserve({100'000}), status::ok);
    EXPECT_EQ(f.layer_count(), 2U);
    fill(f, 100'200, next);
    EXPECT_EQ(f.layer_count(), 2U);
    EXPECT_LE(f.stats().expected_rate, 0.01);
    for (std::uint64_t key = 0; key < next; ++key) {
        ASSERT_TRUE(f.may_contain(key));
    }
    f.clear();
    EXPECT_EQ(f.item_capacity(), 100U);
}

TEST(Scalable, ReservingLittleOftenIsNoWorseThanGrowing) {
    scalable_filter grown({100}, {0.01}, scalable_small());
    scalable_filter reserved = grown;
    for (std::uint64_t key = 0; key < 20'000; ++key) {
        if (key % 50 == 0) {
            ASSERT_EQ(reserved.reserve({50}), status::ok) << key;
        }
        grown.insert(key);
        ASSERT_NE(reserved.try_insert(key).state, status::full) << key;
    }
    EXPECT_LE(reserved.layer_count(), grown.layer_count() + 1);
}

// Keys that are chosen to set as many bits as they can fill a layer before it has its keys.
TEST(Scalable, EndsALayerByItsFillToo) {
    for (const bool fast : {false, true}) {
        scalable_filter f({1000}, {0.01}, {.fast_layers = fast});
        const auto words = f.saved().arrays[0];
        const layout::native places(f.spec().shape);
        testing::random_source random(7);
        std::uint64_t tries = 0;
        while (f.layer_count() == 1 && f.items_taken() < 1000 && ++tries < 1'000'000) {
            const digest128 key{random.next(), random.next()};
            std::vector<std::uint64_t> own(words.size());
            places.insert(own.data(), key);
            bool clear = true;
            for (std::size_t i = 0; i < own.size(); ++i) {
                clear = clear && (own[i] & words[i]) == 0;
            }
            if (clear) {
                f.insert(key);
            }
        }
        EXPECT_EQ(f.layer_count(), 2U);
        EXPECT_LT(f.items_taken(), 950U);
        EXPECT_LE(f.stats().expected_rate, 0.01);
    }
}

TEST(Scalable, HoldsTheBitsOfFilters) {
    const layout_kind lanes = layout_kind::split_8x64;
    for (const auto& [p, fast, layout] : {std::tuple{rate{0.01}, false, layout_kind::classic},
                                          {rate{0.01}, true, lanes},
                                          {rate{1e-6}, true, layout_kind::split_16x32},
                                          {rate{1e-10}, true, layout_kind::classic}}) {
        scalable_filter f({5000}, p, scalable_small(2, 0.5, fast));
        std::uint64_t next = 0;
        fill(f, 15'000, next);
        const saved_words saved = f.saved();
        ASSERT_EQ(f.layer_count(), 2U);
        std::vector<filter> same;
        for (const std::size_t at : {1U, 5U}) {
            const plan::shape shape{static_cast<layout_kind>(saved.record[at + 1] >> 32U),
                                    saved.record[at],
                                    static_cast<std::uint32_t>(saved.record[at + 1])};
            EXPECT_EQ(shape.layout, layout);
            same.emplace_back(shape, native_hash(), design{});
        }
        std::uint64_t taken = 0;
        for (std::uint64_t key = 0; key < next; ++key) {
            const digest128 first = f.digest(key);
            const digest128 second = hash::digest_for_part(first, 1);
            if (same[0].may_contain(first) || same[1].may_contain(second)) {
                continue;
            }
            taken++ < 5000 ? same[0].insert(first) : same[1].insert(second);
        }
        EXPECT_TRUE(std::ranges::equal(saved.arrays[0], same[0].words()));
        EXPECT_TRUE(std::ranges::equal(saved.arrays[1], same[1].words()));
    }
}

// In any mixture of runs and single keys, across the moments when it grows.
RC_GTEST_PROP(Scalable, TakesRunsAsItTakesSingleKeys,
              (const std::vector<std::uint16_t>& lengths, std::uint64_t seed)) {
    testing::random_source random(seed);
    scalable_filter one({300}, {0.05}, scalable_small(2, 0.5, seed % 2 == 0));
    scalable_filter many = one;
    bitmap fresh;
    bitmap maybe;
    for (const std::uint16_t length : lengths) {
        std::vector<digest128> keys(length % 2000U);
        for (digest128& key : keys) {
            key = many.digest(random.next() % 5000);
        }
        many.may_contain_many(keys, maybe);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            RC_ASSERT(one.may_contain(keys[i]) == maybe[i]);
        }
        many.try_insert_many(keys, fresh);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            RC_ASSERT(one.try_insert(keys[i]).fresh == fresh[i]);
        }
        RC_ASSERT(one == many);
    }
}

TEST(Scalable, MergesLayerByLayer) {
    scalable_filter a({100}, {0.01}, scalable_small());
    scalable_filter b = a;
    std::uint64_t next = 0;
    fill(a, 250, next);
    fill(b, 250, next);
    scalable_filter both = a;
    both.merge(b);
    EXPECT_EQ(both.items_taken(), 500U);
    const auto bits_a = flattened(a.saved());
    const auto bits_b = flattened(b.saved());
    const auto bits = flattened(both.saved());
    for (std::size_t i = 1 + 4 * a.layer_count(); i < bits.size(); ++i) {
        ASSERT_EQ(bits[i], bits_a[i] | bits_b[i]);
    }
    for (std::uint64_t key = 0; key < next; ++key) {
        ASSERT_TRUE(both.may_contain(key));
    }
    EXPECT_EQ(copy_of(both), both);
    fill(both, both.items_taken() + 100, next);
    both.merge(both);
    EXPECT_EQ(copy_of(both), both);

    fill(b, 301, next);
    ASSERT_EQ(b.layer_count(), 3U);
    const scalable_filter before = a;
    EXPECT_FALSE(a.compatible_with(b));
    EXPECT_THROW(a.merge(b), incompatible);
    EXPECT_THROW(a.merge(scalable_filter({100}, {0.01}, scalable_small(), native_hash::seeded(1))),
                 incompatible);
    scalable_filter reserved({100}, {0.01}, scalable_small());
    scalable_filter grown({100}, {0.01}, scalable_small());
    reserved.insert(1);
    fill(grown, 101, next);
    (void)reserved.reserve({300});
    EXPECT_THROW(grown.merge(reserved), incompatible);
    EXPECT_EQ(a, before);
}

TEST(Scalable, TakesManyKeysAndHashesOfAnyWidth) {
    std::vector<std::uint64_t> keys(3000);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = i * 7;
    }
    for (const native_hash& hash :
         {native_hash(), native_hash::seeded(5).widened(), native_hash::keyed({1, 2})}) {
        scalable_filter one({100}, {0.01}, scalable_small(), hash);
        scalable_filter many = one;
        bitmap fresh;
        many.try_insert_many(keys, fresh);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            ASSERT_EQ(one.try_insert(keys[i]).fresh, fresh[i]);
        }
        EXPECT_EQ(one, many);
        EXPECT_EQ(copy_of(one), one);
        bitmap maybe;
        many.may_contain_many(keys, maybe);
        EXPECT_EQ(maybe.count(), keys.size());
    }
    EXPECT_EQ(scalable_filter({1}, {1e-10}).hash().id(), hash::hash_id::xxh3_128);
}

TEST(Scalable, KnowsItsRate) {
    scalable_filter f({1000}, {0.01});
    std::uint64_t next = 0;
    fill(f, 100'000, next);
    const statistics now = f.stats();
    EXPECT_NEAR(now.expected_rate, f.rate_at({100'000}), 0.0002);
    EXPECT_NEAR(now.items.items, static_cast<double>(next), 6.5 * now.items.standard_error + 900);
    EXPECT_LE(f.rate_at({100'000'000}), 0.01);
    EXPECT_EQ(f.rate_at({0}), 0);
    EXPECT_EQ(f.facts()[0].value, "7");
}

TEST(Scalable, RefusesWhatMakesNoFilter) {
    const auto make = [](auto change) {
        scalable_options options;
        change(options);
        return scalable_filter({1000}, {0.01}, options);
    };
    EXPECT_THROW(make([](auto& o) { o.growth = 1; }), bad_argument);
    EXPECT_THROW(make([](auto& o) { o.tightening = 0; }), bad_argument);
    EXPECT_THROW(make([](auto& o) { o.tightening = 1; }), bad_argument);
    EXPECT_THROW(make([](auto& o) { o.most_layers = 0; }), bad_argument);
    EXPECT_THROW(make([](auto& o) { o.most_layers = 65; }), bad_argument);
    EXPECT_THROW(make([](auto& o) { o.most_bytes = 100; }), bad_argument);
    EXPECT_THROW(scalable_filter({0}, {0.01}), bad_argument);
    EXPECT_THROW(scalable_filter({1}, {0}), bad_argument);
    EXPECT_THROW(scalable_filter({1}, {1}), bad_argument);
    EXPECT_THROW(scalable_filter({1}, {1e-19}), bad_argument);
}

TEST(Scalable, ComesBackFromItsWordsOrNotAtAll) {
    scalable_filter f({20}, {0.1}, scalable_small());
    std::uint64_t next = 0;
    fill(f, 100, next);
    const auto restore = [&](std::span<const std::uint64_t> words) {
        return testing::restored_from(f, words);
    };
    const std::size_t refused =
        testing::damage(flattened(f.saved()), 3000, restore, [](auto& made) {
            for (std::uint64_t key = 0; key < 300; ++key) {
                made.insert(key);
            }
            (void)made.stats();
            (void)made.rate_at({1000});
            (void)made.reserve({1000});
            made.merge(scalable_filter(made));
            made.clear();
        });
    EXPECT_GT(refused, 1400U);
}

TEST(Scalable, RefusesRecordsThatDoNotFitTheBits) {
    scalable_filter f({100}, {0.01}, scalable_small());
    std::uint64_t next = 0;
    fill(f, 150, next);
    const auto refused = [&](std::size_t at, std::uint64_t value) {
        testing::expect_refused(f, at, value);
    };
    for (const std::size_t taken : {4U, 8U}) {
        refused(taken, 0);
        refused(taken, 1);
        refused(taken, 5000);
        refused(taken, ~std::uint64_t{0});
    }
    refused(3, 0);
    refused(3, 100'000); // more keys than the layer's rate allows
    refused(2, 1);
    refused(2, 65);
    refused(0, 1);
    refused(0, 3);
    refused(2, f.saved().record[2] | std::uint64_t{5} << 32U); // a layout that there is not
    refused(2, f.saved().record[2] ^ std::uint64_t{4} << 32U); // one that makes other probes
}

TEST(Scalable, RefusesBitsPastTheEndOfALayer) {
    scalable_filter f({5000}, {1e-10}, scalable_small());
    f.insert(1);
    const auto words = flattened(f.saved());
    ASSERT_NE(f.spec().shape.bit_count % 64, 0U);
    testing::expect_refused(f, words.size() - 1, words.back() | std::uint64_t{1} << 63);
}

TEST(Scalable, HoldsItsRateInFastLayers) {
    scalable_filter f({1000}, {0.01}, {.fast_layers = true});
    std::uint64_t next = 0;
    fill(f, 100'000, next);
    EXPECT_LE(f.stats().expected_rate, 0.01);
    std::uint64_t wrong = 0;
    for (std::uint64_t key = 0; key < 1'000'000; ++key) {
        wrong += f.may_contain(~key) ? 1U : 0U;
    }
    // The standard deviation of a binomial count is below 100.
    EXPECT_NEAR(static_cast<double>(wrong) / 1e6, f.stats().expected_rate, 6.5e-4);
    EXPECT_EQ(copy_of(f), f);
    EXPECT_THROW(f.merge(scalable_filter({1000}, {0.01})), incompatible);
}

TEST(Scalable, RefusesParametersThatNoFilterHas) {
    const scalable_filter f({1000}, {0.01});
    const auto read = [&](auto change) {
        (void)testing::restored_with(f, flattened(f.saved()), change);
    };
    const auto refused = [&](std::size_t at, std::uint64_t value) {
        read([=](spec& s) { s.parameters.at(at) = value; });
    };
    EXPECT_THROW(refused(0, 0), bad_data);
    for (const double bad : {0.0, 1.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e-30}) {
        EXPECT_THROW(refused(1, std::bit_cast<std::uint64_t>(bad)), bad_data) << bad;
        if (bad != 1e-30) {
            EXPECT_THROW(refused(3, std::bit_cast<std::uint64_t>(bad)), bad_data) << bad;
        }
    }
    EXPECT_THROW(refused(2, 1), bad_data);
    EXPECT_THROW(refused(2, std::uint64_t{1} << 32), bad_data);
    EXPECT_THROW(refused(4, 0), bad_data);
    EXPECT_THROW(refused(4, 65), bad_data);
    EXPECT_THROW(refused(5, 8), bad_data);
    EXPECT_THROW(refused(6, 2), unsupported);
    EXPECT_THROW(refused(7, 1), unsupported);
    EXPECT_THROW(read([](spec& s) { ++s.shape.bit_count; }), bad_data);
}

} // namespace
} // namespace bloomery
