// Whole filters on a device: sets, counts, files and copies.
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/gpu/filter.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using on_devices::some_keys;

class Whole : public on_devices::each {
protected:
    static constexpr std::size_t count = 50'000;
    static std::string path(const std::string& name) {
        return (std::filesystem::temp_directory_path() /
                ("bloomery-gpu-" + std::to_string(getpid()) + "-" + name))
            .string();
    }
    static std::string content(const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};
ON_EACH_DEVICE(Whole);

TEST_P(Whole, MergedAndIntersectedAsOnTheProcessor) {
    const auto a_keys = some_keys(count, 1);
    const auto b_keys = some_keys(count, 2);
    gpu::filter a(items{2 * count}, rate{0.01}, device());
    gpu::filter b(items{2 * count}, rate{0.01}, device());
    a.insert_many(a_keys);
    b.insert_many(b_keys);
    bloomery::filter a_here = a.to_host();
    const bloomery::filter b_here = b.to_host();
    gpu::filter common(a_here, device());

    a.merge(b);
    a_here.merge(b_here);
    EXPECT_EQ(a.to_host(), a_here);
    EXPECT_EQ(a.may_contain_many(a_keys).count(), count);
    EXPECT_EQ(a.may_contain_many(b_keys).count(), count);

    bloomery::filter common_here = common.to_host();
    common.intersect(b);
    common_here.intersect(b_here);
    EXPECT_EQ(common.to_host(), common_here);
    EXPECT_TRUE(common.made_for().intersected);

    common.clear();
    EXPECT_EQ(common.bits_set(), 0U);
    EXPECT_EQ(a.bits_set(), a_here.stats().bits_set);
    EXPECT_DOUBLE_EQ(a.fill_ratio(), a_here.fill_ratio());
    EXPECT_NEAR(a.stats().items.items, 2.0 * count, 0.02 * 2 * count);
}

TEST_P(Whole, FilesAreThoseOfTheProcessor) {
    const auto keys = some_keys(count, 3);
    for (const layout_kind layout :
         {layout_kind::split_8x32, layout_kind::split_8x64, layout_kind::split_16x32}) {
        const plan::shape shape = plan::for_rate(items{count}, rate{0.001}, layout);
        gpu::filter there(shape, device(), native_hash::seeded(5), {count, 0.001});
        bloomery::filter here(shape, native_hash::seeded(5), {count, 0.001});
        there.insert_many(keys);
        here.insert_many(keys);
        there.save(path("there"));
        save(here, path("here"));
        EXPECT_EQ(content(path("there")), content(path("here"))) << plan::name_of(layout);

        const gpu::filter loaded = gpu::filter::load(path("here"), device());
        EXPECT_EQ(loaded.spec(), here.spec());
        EXPECT_EQ(loaded.to_host(), here);
        EXPECT_EQ(loaded.may_contain_many(keys).count(), count);
        EXPECT_EQ(load<bloomery::filter>(path("there")), here);
    }
    std::filesystem::remove(path("there"));
    std::filesystem::remove(path("here"));
}

TEST_P(Whole, PlannedLikeAFilterOfTheProcessorWhereThatIsSplit) {
    for (const double p : {0.04, 0.01, 1e-3, 1e-6}) {
        EXPECT_EQ(gpu::filter::shape_for(items{1'000'000}, rate{p}),
                  plan::choose(items{1'000'000}, rate{p}))
            << p;
    }
    // Others are chosen to save memory; the smallest split layout takes more.
    for (const double p : {0.3, 1e-9}) {
        const plan::shape shape = gpu::filter::shape_for(items{1'000'000}, rate{p});
        EXPECT_NE(plan::facts_of(shape.layout).fixed_hashes, 0U) << p;
        EXPECT_LE(plan::expected_rate(shape, items{1'000'000}), p);
        for (const layout_kind layout :
             {layout_kind::split_8x32, layout_kind::split_8x64, layout_kind::split_16x32}) {
            EXPECT_LE(shape.bit_count, plan::for_rate(items{1'000'000}, rate{p}, layout).bit_count);
        }
    }
}

TEST_P(Whole, WithWideDigestsWhereAProcessorHasThem) {
    const gpu::filter vast(items{1000}, rate{1e-12}, device());
    EXPECT_EQ(vast.hash().id(), hash::hash_id::xxh3_128);
    EXPECT_EQ(vast.hash(), bloomery::filter(items{1000}, rate{1e-12}).hash());
    // Also if the shape is given.
    const plan::shape shape{layout_kind::split_8x64, 512 * 1000, 8};
    const design made_for{2'000'000'000, 0.01};
    EXPECT_EQ(gpu::filter(shape, device(), {}, made_for).hash(),
              bloomery::filter(shape, {}, made_for).hash());
}

TEST_P(Whole, TheRateHoldsAndNoKeyIsDenied) {
    // 16 bits per key in blocks of 32 bytes: 1.31e-3.
    constexpr std::size_t keys = 1'000'000;
    const plan::shape shape{layout_kind::split_8x32, keys * 16, 8};
    gpu::filter filter(shape, device());
    filter.insert_many(some_keys(keys, 1));
    EXPECT_EQ(filter.may_contain_many(some_keys(keys, 1)).count(), keys);
    const double p = plan::expected_rate(shape, items{keys});
    EXPECT_NEAR(p, 1.31e-3, 1e-5);
    constexpr std::size_t asked = 4'000'000;
    const auto found = static_cast<double>(filter.may_contain_many(some_keys(asked, 2)).count());
    EXPECT_NEAR(found, asked * p, 5 * std::sqrt(asked * p));
}

TEST_P(Whole, MovedToAnotherOwner) {
    const auto keys = some_keys(count);
    gpu::filter first(items{count}, rate{0.01}, device());
    first.insert_many(keys);
    gpu::filter second = std::move(first);
    EXPECT_EQ(second.may_contain_many(keys).count(), count);
    first = std::move(second);
    EXPECT_EQ(first.may_contain_many(keys).count(), count);
}

TEST_P(Whole, ARefSharesTheBits) {
    if (device().is_gpu()) {
        GTEST_SKIP() << "the processor cannot read this memory";
    }
    gpu::filter filter(items{1000}, rate{0.01}, device());
    const auto ref = filter.ref<layout_kind::split_8x64>();
    EXPECT_FALSE(ref.may_contain(std::uint64_t{7}));
    ref.insert(std::uint64_t{7});
    EXPECT_TRUE(filter.may_contain_many(std::vector<std::uint64_t>{7})[0]);
    EXPECT_TRUE(filter.to_host().may_contain(7));
    EXPECT_THROW((void)filter.ref<layout_kind::split_8x32>(), bad_argument);
}

} // namespace
