// What cannot be done is refused with a typed error and a sentence, and nothing is changed.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/gpu/filter.hpp>

#include "devices.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using on_devices::some_keys;

template <class Error>
std::string sentence_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& refusal) {
        return refusal.what();
    } catch (const std::exception& other) {
        return std::string("another error: ") + other.what();
    }
    return "no error";
}

TEST(NoGpu, IsATypedErrorThatSaysWhatToDo) {
    if (gpu::device::count() != 0) {
        EXPECT_NO_THROW((void)gpu::device::first());
        EXPECT_TRUE(gpu::device::any().is_gpu());
        const std::string sentence =
            sentence_of<bad_argument>([] { (void)gpu::device::number(gpu::device::count()); });
        EXPECT_NE(sentence.find("numbered from 0"), std::string::npos) << sentence;
        return;
    }
    const std::string sentence = sentence_of<gpu::no_device>([] { (void)gpu::device::first(); });
    EXPECT_NE(sentence.find("use device::processor()"), std::string::npos) << sentence;
    EXPECT_FALSE(gpu::device::any().is_gpu());
    EXPECT_EQ(gpu::device::any().name(), "processor");
}

class Refusals : public on_devices::each {};
ON_EACH_DEVICE(Refusals);

TEST_P(Refusals, LayoutsThatAreNotSplit) {
    const bloomery::filter classic(bits{1000}, hashes{3});
    const std::string sentence =
        sentence_of<unsupported>([&] { (void)gpu::filter(classic, device()); });
    EXPECT_NE(sentence.find("\"classic\" cannot be on a GPU"), std::string::npos) << sentence;
    EXPECT_THROW((void)gpu::filter(plan::shape{layout_kind::blocked_512, 512, 5}, device()),
                 unsupported);
    EXPECT_THROW((void)gpu::filter(plan::shape{layout_kind::split_8x64, 500, 8}, device()),
                 bad_argument);
}

TEST_P(Refusals, OtherKindsAndKeyedHashes) {
    const any_filter growing = scalable_filter(items{100}, rate{0.01});
    const std::string sentence =
        sentence_of<unsupported>([&] { (void)gpu::filter(growing, device()); });
    EXPECT_NE(sentence.find("\"scalable\""), std::string::npos) << sentence;
    const any_filter foreign = guava_filter(bits{1000}, hashes{3});
    EXPECT_THROW((void)gpu::filter(foreign, device()), unsupported);
    EXPECT_THROW(
        (void)gpu::filter(items{100}, rate{0.01}, device(), native_hash::keyed(hash::sip_key{})),
        unsupported);
}

TEST_P(Refusals, FilesOfOtherFilters) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("bloomery-gpu-" + std::to_string(getpid())))
            .string();
    save(any_filter(bloomery::filter(bits{1000}, hashes{3})), path);
    const std::string sentence =
        sentence_of<unsupported>([&] { (void)gpu::filter::load(path, device()); });
    EXPECT_EQ(sentence.find(path + ": "), 0U) << sentence;
    std::filesystem::remove(path);
    EXPECT_THROW((void)gpu::filter::load(path, device()), io_error);
}

TEST_P(Refusals, MoreMemoryThanThereIs) {
    const std::string sentence = sentence_of<memory_refused>([&] {
        (void)gpu::filter(plan::shape{layout_kind::split_8x64, std::uint64_t{1} << 55U, 8},
                          device());
    });
    EXPECT_NE(sentence.find("plan a smaller"), std::string::npos) << sentence;
    // The device is still usable.
    gpu::filter small(items{1000}, rate{0.01}, device());
    small.insert_many(some_keys(1000));
    EXPECT_EQ(small.may_contain_many(some_keys(1000)).count(), 1000U);
}

TEST_P(Refusals, TooLittleRoomForAnswers) {
    gpu::filter filter(items{1000}, rate{0.01}, device());
    const std::vector<std::uint64_t> keys = some_keys(1000);
    const gpu::device_array<std::uint64_t> words(device(), 15);
    const gpu::device_array<bool> bytes(device(), 999);
    const std::string sentence =
        sentence_of<bad_argument>([&] { filter.may_contain_many(keys, words.span()); });
    EXPECT_EQ(sentence, "the answers for 1000 keys need 16 words, but there is room for 15: "
                        "allocate more");
    EXPECT_THROW(filter.may_contain_many(keys, bytes.span()), bad_argument);
    EXPECT_THROW(filter.try_insert_many(keys, words.span()), bad_argument);
    EXPECT_EQ(filter.bits_set(), 0U);
    EXPECT_THROW((void)filter.select(keys, gpu::presence::absent, words.span()), bad_argument);
}

TEST_P(Refusals, KeysOfTheProgramInAsynchronousCalls) {
    gpu::filter filter(items{1000}, rate{0.01}, device());
    const std::vector<std::uint64_t> keys = some_keys(10);
    const std::string sentence =
        sentence_of<bad_argument>([&] { filter.insert_many_async(keys, {}); });
    EXPECT_NE(sentence.find("in device memory"), std::string::npos) << sentence;
    EXPECT_EQ(filter.bits_set(), 0U);
}

TEST_P(Refusals, OffsetsOutsideOfTheBytesOrOutOfOrder) {
    gpu::filter filter(items{1000}, rate{0.01}, device());
    const std::vector<std::byte> bytes(10);
    const auto insert = [&](const std::vector<std::int32_t>& offsets) {
        filter.insert_many(gpu::keys::strings(std::span<const std::byte>(bytes),
                                              std::span<const std::int32_t>(offsets)));
    };
    const std::string sentence = sentence_of<bad_argument>([&] { insert({0, 3, 11}); });
    EXPECT_EQ(sentence, "the offsets of string 1, 3 and 11, are not in order or not within the 10 "
                        "bytes: check the offsets");
    EXPECT_THROW(insert({0, 5, 4}), bad_argument);
    EXPECT_THROW(insert({-1, 5}), bad_argument);
    EXPECT_EQ(filter.bits_set(), 0U);
    EXPECT_NO_THROW(insert({}));
    EXPECT_NO_THROW(insert({3}));
    EXPECT_EQ(filter.bits_set(), 0U);
    EXPECT_NO_THROW(insert({0, 0, 10}));
    EXPECT_GT(filter.bits_set(), 0U);
}

TEST_P(Refusals, RecordsOfAWrongLength) {
    const std::vector<std::byte> bytes(10);
    EXPECT_THROW((void)gpu::keys::records(std::span(bytes), 0), bad_argument);
    EXPECT_THROW((void)gpu::keys::records(std::span(bytes), 3), bad_argument);
    EXPECT_EQ(gpu::keys::records(std::span(bytes), 5).count(), 2U);
}

TEST_P(Refusals, FiltersThatDoNotMatch) {
    gpu::filter a(items{1000}, rate{0.01}, device());
    const gpu::filter b(items{2000}, rate{0.01}, device());
    EXPECT_THROW(a.merge(b), incompatible);
    EXPECT_THROW(a.intersect(b), incompatible);
    if (device().is_gpu()) {
        EXPECT_THROW(a.merge(gpu::filter(items{1000}, rate{0.01}, gpu::device::processor())),
                     bad_argument);
    }
}

TEST_P(Refusals, ArraysThatAreLargerThanAnyMemory) {
    constexpr std::size_t count = (std::size_t{1} << 61U) + 1; // its bytes do not fit into 64 bits
    EXPECT_THROW((gpu::device_array<std::uint64_t>(device(), count)), memory_refused);
    EXPECT_THROW(gpu::device_memory(device(), ~std::uint64_t{0}), memory_refused);
}

TEST_P(Refusals, WordsThatAreNotAligned) {
    gpu::filter filter(items{1000}, rate{0.01}, device());
    const gpu::device_array<std::byte> bytes(device(), 100);
    const gpu::device_span<const std::uint64_t> odd{
        reinterpret_cast<const std::uint64_t*>(bytes.data() + 1), 3};
    EXPECT_THROW(filter.insert_many(odd), bad_argument);
    EXPECT_EQ(filter.bits_set(), 0U);
}

TEST_P(Refusals, CopiesThatDoNotFit) {
    const gpu::device_array<std::uint64_t> memory(device(), 10);
    std::vector<std::uint64_t> here(11);
    EXPECT_THROW(memory.download(here), bad_argument);
    const gpu::device_memory bytes(device(), 10);
    const std::vector<std::byte> some(5);
    EXPECT_THROW(bytes.upload(some, 6), bad_argument);
    EXPECT_THROW(bytes.upload(some, ~std::uint64_t{0}), bad_argument);
    EXPECT_NO_THROW(bytes.upload(some, 5));
}

} // namespace
