// Every way to damage a golden file by one bit or by its end: refused, or the same answers.
#include <bloomery/error.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>

#include "golden.hpp"
#include "payload.hpp"
#include "temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

/// A copy of a golden file, in memory and on the disk, to be damaged.
class Damage : public ::testing::TestWithParam<golden> {
protected:
    Damage() : bytes(GetParam().bytes()), good(format::decode_native(bytes, GetParam().options)) {
        fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        write(0, bytes);
    }
    ~Damage() override { ::close(fd); }

    void write(std::size_t at, byte_view part) const {
        ASSERT_EQ(::pwrite(fd, part.data(), part.size(), static_cast<off_t>(at)),
                  static_cast<ssize_t>(part.size()));
    }

    /// Whether what `read` gives is the filter that was written; refusing it is as good.
    template <class Read>
    [[nodiscard]] ::testing::AssertionResult harmless(Read read) const {
        try {
            const any_filter& found = read();
            if (found.spec() == good.spec() && payload_of(found) == payload_of(good)) {
                return ::testing::AssertionSuccess();
            }
            return ::testing::AssertionFailure() << "other bits";
        } catch (const bloomery::error& e) {
            if (std::string(e.what()).find(' ') != std::string::npos) {
                return ::testing::AssertionSuccess();
            }
            return ::testing::AssertionFailure() << "no sentence: " << e.what();
        }
    }

    temporary_folder folder;
    std::filesystem::path path = folder / "f.bloom";
    std::vector<std::byte> bytes;
    any_filter good;
    int fd = -1;
};

class SealedDamage : public Damage {};

TEST_P(Damage, OfAnySingleBitIsHarmless) {
    // Nothing can be said of the bits of a file that no writer sealed, but all of its header.
    const bool sealed = format::decode_native_header(bytes).state.sealed;
    const std::size_t end = sealed ? bytes.size() : format::native_header_bytes;
    const map_options mapping{GetParam().options};
    for (std::size_t bit = 0; bit < end * 8; ++bit) {
        std::byte& changed = bytes[bit / 8];
        const std::byte before = changed;
        changed ^= static_cast<std::byte>(1U << (bit % 8));
        write(bit / 8, {&changed, 1});
        ASSERT_TRUE(harmless([&] { return format::decode_native(bytes, mapping.decoding); }))
            << bit;
        ASSERT_TRUE(harmless([&] { return map(path, map_mode::read_only, mapping); })) << bit;
        changed = before;
        write(bit / 8, {&changed, 1});
    }
    EXPECT_EQ(payload_of(load(path, mapping.decoding)), payload_of(good));
}

TEST_P(Damage, OfItsEndIsRefused) {
    for (std::size_t length = bytes.size(); length-- > 0;) {
        ASSERT_EQ(::ftruncate(fd, static_cast<off_t>(length)), 0);
        ASSERT_THROW(static_cast<void>(map(path)), bad_data) << length;
        ASSERT_THROW(static_cast<void>(load(path)), bad_data) << length;
        ASSERT_THROW(static_cast<void>(format::verify(path)), bad_data) << length;
        ASSERT_THROW(static_cast<void>(format::decode_native(byte_view{bytes.data(), length})),
                     bad_data)
            << length;
    }
}

TEST_P(Damage, ByAnythingAfterItIsRefused) {
    write(bytes.size(), byte_view{bytes.data(), 1});
    EXPECT_THROW(static_cast<void>(map(path)), bad_data);
    EXPECT_THROW(static_cast<void>(load(path)), bad_data);
}

// A writer that is about to change a damaged chunk would give it a right checksum: it must refuse.
TEST_P(SealedDamage, IsNotSealedByAWriter) {
    if (std::endian::native == std::endian::big) {
        GTEST_SKIP() << "files are changed in their place on little-endian machines only";
    }
    bytes[format::native_header_bytes + 3] ^= std::byte{1};
    write(0, bytes);
    any_filter into = map(path, map_mode::read_write, {GetParam().options});
    const auto add_many = [&] {
        for (std::uint64_t i = 0; i < 1000; ++i) {
            into.insert(i);
        }
    };
    EXPECT_THROW(add_many(), bad_data);
    into.sync();
    EXPECT_EQ(format::verify(path).damaged_chunks, std::vector<std::uint64_t>{0});
}

std::vector<golden> sealed_golden() {
    std::vector<golden> files = all_golden();
    std::erase_if(files, [](const golden& file) {
        const format::native_header header = format::decode_native_header(file.bytes());
        return !header.state.sealed || header.what.kind != filter_kind::bloom;
    });
    return files;
}

INSTANTIATE_TEST_SUITE_P(Native, SealedDamage, ::testing::ValuesIn(sealed_golden()),
                         [](const auto& of) { return test_name(of.param.name); });
INSTANTIATE_TEST_SUITE_P(Native, Damage, ::testing::ValuesIn(all_golden()),
                         [](const auto& of) { return test_name(of.param.name); });

} // namespace
} // namespace bloomery::testing
