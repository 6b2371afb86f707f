// Files as left by a writer that died, by a copying program or by an attacker.
#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>

#include "in_place.hpp"
#include "native_forgery.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using testing::numbers;
using testing::planned;

class LeftFile : public testing::InPlace {};

TEST_F(LeftFile, IsNotAddedToIfItsHeaderLiesAboutItsBits) {
    save(planned(layout_kind::split_8x64), path);
    {
        any_filter f = writer();
        f.insert_many(numbers(0, 1000));
    }
    std::string bytes;
    {
        std::ifstream in(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    const auto file = std::as_writable_bytes(std::span(bytes));
    testing::store(file, testing::odd_state_at + 16, 3); // of generation 3
    testing::mend_header(file);
    std::ofstream(path, std::ios::binary) << bytes;
    any_filter f = writer();
    EXPECT_THROW(f.insert_many(numbers(0, 1000)), bad_data);
}

TEST_F(LeftFile, IsReadableAfterItsWriterDied) {
    save(planned(layout_kind::classic), path);
    in_a_process_that_dies([&] {
        any_filter f = writer();
        f.insert_many(numbers(0, 1000));
        f.sync();
        f.insert_many(numbers(1000, 1500));
        ::_exit(0); // no destructor
    });
    EXPECT_FALSE(load_header(path).state.sealed);
    const auto all_in = [](const any_filter& f) {
        bitmap maybe;
        f.may_contain_many(numbers(0, 1500), maybe);
        return maybe.count() == 1500;
    };
    EXPECT_TRUE(all_in(map(path)));
    EXPECT_TRUE(all_in(load(path)));
    const format::verification found = format::verify(path);
    EXPECT_FALSE(found.being_written);
    EXPECT_GT(found.unsealed_chunks, 0U);
    EXPECT_TRUE(found.damaged_chunks.empty());

    const format::decode_options careful{.policy = after_crash::refuse};
    bool recovered = false;
    EXPECT_THROW(update(path, [](any_filter& /*f*/) {}, careful), unsealed);
    EXPECT_THROW(static_cast<void>(load(path, careful)), unsealed);
    EXPECT_THROW(static_cast<void>(map(path, map_mode::read_only, {careful})), unsealed);
    EXPECT_THROW(static_cast<void>(map(path, map_mode::read_write, {careful})), unsealed);
    {
        const any_filter f = writer(&recovered);
        EXPECT_TRUE(recovered);
        EXPECT_TRUE(all_in(f));
    }
    EXPECT_TRUE(load_header(path).state.sealed);
    EXPECT_TRUE(all_in(load(path, careful)));
    recovered = false;
    static_cast<void>(writer(&recovered));
    EXPECT_FALSE(recovered);
}

TEST_F(LeftFile, IsDamagedWhereItsDeadWriterNeverWas) {
    save(planned(layout_kind::split_8x64), path);
    std::uint64_t touched = 0;
    in_a_process_that_dies([&] {
        any_filter f = writer();
        f.insert(1);
        ::_exit(0);
    });
    const std::uint64_t chunks = load_header(path).chunk_count();
    ASSERT_EQ(format::verify(path).unsealed_chunks, 1U);
    std::vector<char> page(4096);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (; touched < chunks; ++touched) { // the touched chunk is the one that has a bit
        file.seekg(static_cast<std::streamoff>(4096 + touched * 4096));
        file.read(page.data(), 4096);
        if (std::ranges::any_of(page, [](char c) { return c != 0; })) {
            break;
        }
    }
    const std::uint64_t other = (touched + 1) % (chunks - 1);
    file.clear();
    file.seekp(static_cast<std::streamoff>(4096 + other * 4096));
    file.put('\x01');
    file.close();
    EXPECT_EQ(format::verify(path).damaged_chunks, std::vector<std::uint64_t>{other});
    EXPECT_THROW(static_cast<void>(writer()), bad_data);
    EXPECT_THROW(static_cast<void>(load(path)), bad_data);
    EXPECT_TRUE(map(path).may_contain(1)) << "a good page is answered";
}

TEST_F(LeftFile, HasNoHolesLeftForAFullDisk) {
    save(planned(layout_kind::classic, 10'000'000), path);
    const auto length = fs::file_size(path);
    fs::resize_file(path, 4096); // a copy with holes, as cp --sparse makes of an empty filter
    fs::resize_file(path, length - (length - 4096) % 4096);
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    if (static_cast<std::uint64_t>(status.st_blocks) * 512 >= length) {
        GTEST_SKIP() << "this file system has no holes";
    }
    save(planned(layout_kind::classic, 10'000'000), folder / "whole.bloom");
    std::ifstream whole(folder / "whole.bloom", std::ios::binary);
    whole.seekg(
        static_cast<std::streamoff>(4096 + load_header(folder / "whole.bloom").payload_bytes()));
    const std::string table{std::istreambuf_iterator<char>(whole), {}};
    fs::resize_file(path, length - table.size());
    std::ofstream(path, std::ios::app | std::ios::binary) << table;
    ASSERT_EQ(fs::file_size(path), length);
    {
        any_filter f = writer();
        f.insert(1);
    }
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_GE(static_cast<std::uint64_t>(status.st_blocks) * 512, length);
    EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
}

} // namespace
} // namespace bloomery
