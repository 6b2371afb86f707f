// A filter on a device has the bits of the same filter of the processor, and gives its answers: for
// each layout, hash, form of keys, and way.
#include <bloomery/filter/filter.hpp>
#include <bloomery/gpu/filter.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;

struct setting {
    layout_kind layout;
    bool wide;
    std::optional<gpu::way> way;
};

constexpr setting settings[]{
    {layout_kind::split_8x32, false, gpu::way::direct},
    {layout_kind::split_8x64, false, gpu::way::direct},
    {layout_kind::split_16x32, false, gpu::way::direct},
    {layout_kind::split_8x32, true, gpu::way::direct},
    {layout_kind::split_8x64, true, gpu::way::direct},
    {layout_kind::split_16x32, true, gpu::way::direct},
    {layout_kind::split_8x32, false, gpu::way::sorted},
    {layout_kind::split_8x64, false, gpu::way::sorted},
    {layout_kind::split_16x32, false, gpu::way::sorted},
    {layout_kind::split_8x32, true, gpu::way::sorted},
    {layout_kind::split_8x64, true, gpu::way::sorted},
    {layout_kind::split_16x32, true, gpu::way::sorted},
    {layout_kind::split_8x64, false, std::nullopt},
};

/// A filter of each setting with a number of blocks that is no power of two, and its twin.
struct twins {
    twins(const setting& how, const gpu::device& on, std::uint64_t seed = 99)
        : here(plan::shape{how.layout, plan::facts_of(how.layout).block_bits * std::uint64_t{4099},
                           plan::facts_of(how.layout).fixed_hashes},
               how.wide ? native_hash::seeded(seed).widened() : native_hash::seeded(seed), {}),
          there(here, on) {
        there.tune({how.way, how.way, std::nullopt});
    }

    /// Inserts half of the keys into both, and asks for all.
    template <class Keys>
    void check(const Keys& all, const gpu::keys& first, const gpu::keys& whole) {
        here.insert_many(std::span(all).first(first.count()));
        there.insert_many(first);
        EXPECT_EQ(there.to_host(), here);
        EXPECT_EQ(there.may_contain_many(whole), here.may_contain_many(all));
    }

    bloomery::filter here;
    gpu::filter there;
};

class Bits : public on_devices::each {};
ON_EACH_DEVICE(Bits);

constexpr std::size_t some = 30'011; // not a multiple of anything

template <class T>
std::vector<T> integers() {
    std::vector<T> keys;
    for (const std::uint64_t key : on_devices::some_keys(some, 7)) {
        keys.push_back(static_cast<T>(key));
    }
    return keys;
}

template <class T>
void check_integers(const gpu::device& on) {
    const std::vector<T> all = integers<T>();
    const gpu::device_array<T> there(on, std::span<const T>(all));
    for (const setting& how : settings) {
        SCOPED_TRACE(std::string(plan::name_of(how.layout)) + (how.wide ? ", wide" : ""));
        twins(how, on).check(all, there.span().first(some / 2), there);
        twins(how, on).check(all, std::span(all).first(some / 2), all);
    }
}

TEST_P(Bits, OfUnsignedIntegers) { check_integers<std::uint64_t>(device()); }
TEST_P(Bits, OfSignedIntegers) { check_integers<std::int64_t>(device()); }
TEST_P(Bits, OfShortUnsignedIntegers) { check_integers<std::uint32_t>(device()); }
TEST_P(Bits, OfShortSignedIntegers) { check_integers<std::int32_t>(device()); }

TEST_P(Bits, OfDigests) {
    std::vector<digest128> all;
    const std::vector<std::uint64_t> words = on_devices::some_keys(2 * some);
    for (std::size_t i = 0; i < some; ++i) {
        all.push_back({words[2 * i], words[2 * i + 1]});
    }
    const gpu::device_array<digest128> there(device(), std::span<const digest128>(all));
    for (const setting& how : settings) {
        const gpu::device_span<const digest128> on_device = there.span();
        twins(how, device())
            .check(all, gpu::keys::digests(on_device.first(some / 2)),
                   gpu::keys::digests(on_device));
        twins(how, device())
            .check(all, gpu::keys::digests(std::span<const digest128>(all).first(some / 2)),
                   gpu::keys::digests(std::span<const digest128>(all)));
    }
}

/// Strings of every length from 0 on, then of a URL's, and a few long ones.
struct strings {
    strings() {
        const auto content = on_devices::some_keys(1 << 16, 5);
        const std::string_view source(reinterpret_cast<const char*>(content.data()),
                                      content.size() * 8);
        std::size_t at = 0;
        for (std::size_t i = 0; i < some; ++i) {
            const std::size_t size = i < 600 ? i : i % 1000 == 0 ? 40'000 + i : 20 + i * 7 % 50;
            lengths.push_back(size);
            at = (at + 1237) % (source.size() - 80'000);
            bytes.append(source.substr(at, size));
        }
        std::size_t from = 0;
        for (const std::size_t size : lengths) {
            views.push_back(std::string_view(bytes).substr(from, size));
            from += size;
        }
    }
    template <class Offset>
    [[nodiscard]] std::vector<Offset> offsets() const {
        std::vector<Offset> all{0};
        for (const std::size_t size : lengths) {
            all.push_back(all.back() + static_cast<Offset>(size));
        }
        return all;
    }
    [[nodiscard]] std::span<const std::byte> as_bytes() const {
        return std::as_bytes(std::span(bytes));
    }
    std::string bytes;
    std::vector<std::size_t> lengths;
    std::vector<std::string_view> views;
};

template <class Offset>
void check_strings(const gpu::device& on) {
    const strings all;
    const std::vector<Offset> offsets = all.offsets<Offset>();
    const gpu::device_array<std::byte> bytes(on, all.as_bytes());
    const gpu::device_array<Offset> there(on, std::span<const Offset>(offsets));
    const gpu::device_span<const std::byte> on_device = bytes.span();
    const gpu::device_span<const Offset> offsets_there = there.span();
    const auto of = [&](std::size_t count) {
        return gpu::keys::strings(on_device, offsets_there.first(count + 1));
    };
    const auto of_program = [&](std::size_t count) {
        return gpu::keys::strings(all.as_bytes(),
                                  std::span<const Offset>(offsets).first(count + 1));
    };
    for (const setting& how : settings) {
        SCOPED_TRACE(std::string(plan::name_of(how.layout)) + (how.wide ? ", wide" : ""));
        twins(how, on).check(all.views, of(some / 2), of(some));
        twins(how, on).check(all.views, of_program(some / 2), of_program(some));
    }
}

TEST_P(Bits, OfStringsWithShortOffsets) { check_strings<std::int32_t>(device()); }
TEST_P(Bits, OfStringsWithLongOffsets) { check_strings<std::int64_t>(device()); }

TEST_P(Bits, OfRecordsOfAnyLength) {
    const strings source;
    for (const std::size_t length : {1U, 3U, 4U, 7U, 8U, 12U, 16U, 17U, 32U, 40U, 100U, 128U, 129U,
                                     240U, 241U, 1024U, 5000U}) {
        const std::size_t count = std::min<std::size_t>(2000, source.bytes.size() / length / 2 * 2);
        const std::span<const std::byte> bytes = source.as_bytes().first(length * count);
        std::vector<std::string_view> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(std::string_view(source.bytes).substr(i * length, length));
        }
        const gpu::device_array<std::byte> there(device(), bytes);
        const gpu::device_span<const std::byte> on_device = there.span();
        for (const bool wide : {false, true}) {
            SCOPED_TRACE(length);
            const setting how{layout_kind::split_8x64, wide, std::nullopt};
            twins(how, device())
                .check(all, gpu::keys::records(on_device.first(length * count / 2), length),
                       gpu::keys::records(on_device, length));
            twins(how, device())
                .check(all, gpu::keys::records(bytes.first(length * count / 2), length),
                       gpu::keys::records(bytes, length));
        }
    }
}

TEST_P(Bits, OfStringsThatBeginAnywhereInMemory) {
    const strings source;
    const gpu::device_array<std::byte> there(device(), source.as_bytes());
    const gpu::device_span<const std::byte> whole = there.span();
    for (const std::size_t shift : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 9U}) {
        constexpr std::size_t length = 23;
        constexpr std::size_t count = 999;
        std::vector<std::string_view> all;
        for (std::size_t i = 0; i < count; ++i) {
            all.push_back(std::string_view(source.bytes).substr(shift + i * length, length));
        }
        const gpu::device_span<const std::byte> on_device{whole.data + shift, count * length};
        twins({layout_kind::split_8x32, false, std::nullopt}, device())
            .check(all, gpu::keys::records(on_device.first(length * 500), length),
                   gpu::keys::records(on_device, length));
    }
}

TEST_P(Bits, OfBatchesOfAnySize) {
    const std::vector<std::uint64_t> all = on_devices::some_keys(5000, 11);
    const gpu::device_array<std::uint64_t> there(device(), std::span<const std::uint64_t>(all));
    for (const std::size_t count : {0U, 1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 129U,
                                    255U, 256U, 257U, 1023U, 1024U, 1025U, 4097U}) {
        for (const setting& how : settings) {
            twins both(how, device());
            both.here.insert_many(std::span(all).first(count));
            both.there.insert_many(there.span().first(count));
            ASSERT_EQ(both.there.to_host(), both.here) << count;
            ASSERT_EQ(both.there.may_contain_many(there.span().first(count)).count(), count);
            ASSERT_EQ(both.there.may_contain_many(there), both.here.may_contain_many(all)) << count;
        }
    }
}

} // namespace
