// Filters used where they lie: the same answers as in memory, one writer, any number of readers.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/mapped.hpp>
#include <bloomery/format/reader.hpp>
#include <bloomery/plan/sizing.hpp>

#include "native_forgery.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

namespace fs = std::filesystem;

filter planned(layout_kind layout, std::uint64_t n = 100'000) {
    return filter(plan::for_rate(items{n}, rate{0.01}, layout), {}, {n, 0.01});
}

std::vector<std::uint64_t> numbers(std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> all(to - from);
    std::ranges::generate(all, [&, at = from]() mutable { return at++; });
    return all;
}

class Mapped : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::endian::native == std::endian::big) {
            GTEST_SKIP() << "files are changed in their place on little-endian machines only";
        }
    }
    [[nodiscard]] any_filter writer(bool* recovered = nullptr) const {
        const auto tell = [recovered] {
            if (recovered != nullptr) {
                *recovered = true;
            }
        };
        return map(path, map_mode::read_write, {.recovered = tell});
    }

    /// Runs something in a process of its own, which ends without a word.
    template <class Work>
    static void in_a_process_that_dies(Work work) {
        const pid_t child = ::fork();
        if (child == 0) {
            work();
            ::_exit(0);
        }
        int status = 1;
        ::waitpid(child, &status, 0);
        ASSERT_EQ(status, 0);
    }

    testing::temporary_folder folder;
    fs::path path = folder / "f.bloom";
};

class MappedLayout : public Mapped, public ::testing::WithParamInterface<layout_kind> {};

TEST_P(MappedLayout, HasTheBitsThatMemoryWouldHave) {
    filter expected = planned(GetParam());
    save(expected, path);
    const auto first = numbers(0, 60'000);
    const auto second = numbers(50'000, 100'000);
    {
        any_filter f = writer();
        f.insert_many(first);
        bitmap fresh;
        bitmap wanted;
        f.try_insert_many(second, fresh);
        expected.insert_many(first);
        expected.try_insert_many(second, wanted);
        EXPECT_EQ(fresh, wanted);
        EXPECT_EQ(f.insert(std::string_view("word")), expected.insert("word"));
        f.may_contain_many(second, fresh);
        EXPECT_EQ(fresh.count(), second.size());
        EXPECT_TRUE(std::ranges::equal(f.words(), expected.words()));
        EXPECT_EQ(f.stats().bits_set, expected.stats().bits_set);
    }
    EXPECT_EQ(load<filter>(path), expected);
    const any_filter f = map(path);
    bitmap maybe;
    bitmap wanted;
    const auto others = numbers(1'000'000, 1'100'000);
    f.may_contain_many(others, maybe);
    expected.may_contain_many(others, wanted);
    EXPECT_EQ(maybe, wanted);
    EXPECT_TRUE(f.may_contain(std::string_view("word")));
    EXPECT_EQ(f.stats().bits_set, expected.stats().bits_set);
    EXPECT_EQ(f.made_for(), expected.made_for());
}

TEST_P(MappedLayout, IsSealedByASync) {
    save(planned(GetParam()), path, if_exists::refuse, {"mine"});
    any_filter f = writer();
    f.insert(1);
    EXPECT_FALSE(load_header(path).state.sealed);
    EXPECT_GT(format::verify(path).unsealed_chunks, 0U);
    f.sync();
    EXPECT_TRUE(load_header(path).state.sealed);
    const format::verification found = format::verify(path);
    EXPECT_EQ(found.unsealed_chunks, 0U);
    EXPECT_TRUE(found.being_written);
    EXPECT_EQ(found.header.state.bits_set, load(path).stats().bits_set);
    EXPECT_EQ(found.header.comment, "mine");
    f.sync();
    EXPECT_EQ(load_header(path).state.generation, 3U) << "nothing changed, nothing to do";
    f.insert(1);
    f.insert(2);
    f.sync();
    EXPECT_EQ(load_header(path).state.generation, 5U);
}

TEST_P(MappedLayout, TakesInOtherFilters) {
    filter a = planned(GetParam());
    filter b = planned(GetParam());
    a.insert_many(numbers(0, 100));
    b.insert_many(numbers(100, 200));
    save(a, path);
    save(b, folder / "b.bloom");
    any_filter f = writer();
    f.merge(map(folder / "b.bloom"));
    filter both = a;
    both.merge(b);
    EXPECT_TRUE(std::ranges::equal(f.words(), both.words()));
    filter c = planned(GetParam());
    c.insert(12345);
    f.merge(any_filter(c));
    EXPECT_TRUE(f.may_contain(12345));
    any_filter in_memory(b);
    in_memory.merge(f);
    EXPECT_TRUE(in_memory.may_contain(12345));
    EXPECT_TRUE(in_memory.may_contain(0));
    EXPECT_THROW(f.merge(any_filter(planned(GetParam(), 5))), incompatible);
    f.sync();
    both.merge(c);
    EXPECT_EQ(load<filter>(path), both);
}

INSTANTIATE_TEST_SUITE_P(Layouts, MappedLayout,
                         ::testing::Values(layout_kind::classic, layout_kind::blocked_512,
                                           layout_kind::split_8x32, layout_kind::split_8x64,
                                           layout_kind::split_16x32));

TEST_F(Mapped, ForReadingTakesNoKeys) {
    save(planned(layout_kind::classic), path);
    any_filter f = map(path);
    EXPECT_THROW(f.insert(1), unsupported);
    EXPECT_THROW(f.insert_many(numbers(0, 5)), unsupported);
    EXPECT_THROW(f.merge(any_filter(planned(layout_kind::classic))), unsupported);
    EXPECT_NO_THROW(f.sync());
    EXPECT_EQ(load_header(path).state.generation, 1U);
}

// A child that ends, destructors and all, must not seal what its parent goes on changing.
TEST_F(Mapped, BelongsToTheProcessThatOpenedIt) {
    save(planned(layout_kind::classic), path);
    in_a_process_that_dies([&] {
        std::optional<any_filter> f = writer();
        f->insert(1);
        in_a_process_that_dies([&] {
            EXPECT_THROW(f->insert(1), unsupported) << "also where its parent may";
            EXPECT_THROW(f->insert(2), unsupported);
            EXPECT_THROW(f->sync(), unsupported);
            EXPECT_TRUE(f->may_contain(1));
            f.reset();
            ::_exit(HasFailure() ? 1 : 0);
        });
        for (std::uint64_t i = 0; i < 1000; ++i) {
            f->insert(i);
        }
        ::_exit(HasFailure() ? 1 : 0);
    });
    EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
    EXPECT_TRUE(map(path).may_contain(999));
}

// A sum that no header can have would make the file unreadable.
TEST_F(Mapped, IsNotAddedToIfItsHeaderLiesAboutItsBits) {
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

TEST_F(Mapped, OnlyGrows) {
    save(planned(layout_kind::classic), path);
    any_filter f = writer();
    EXPECT_THROW(f.clear(), unsupported);
    EXPECT_THROW(f.intersect(any_filter(planned(layout_kind::classic))), unsupported);
}

TEST_F(Mapped, IsSeenByReadersAtOnce) {
    save(planned(layout_kind::split_8x64), path);
    const any_filter reader = map(path);
    const any_filter another = map(path);
    any_filter f = writer();
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        f.insert(i);
        ASSERT_TRUE(reader.may_contain(i)) << i;
    }
    EXPECT_EQ(another.stats().bits_set, f.stats().bits_set);
}

TEST_F(Mapped, HasCopiesOfItsOwn) {
    save(planned(layout_kind::classic), path);
    any_filter f = writer();
    f.insert(1);
    any_filter copy(static_cast<const any_filter&>(f));
    copy.insert(2);
    f.insert(3);
    EXPECT_TRUE(copy.may_contain(1));
    EXPECT_FALSE(f.may_contain(2));
    EXPECT_FALSE(copy.may_contain(3));
}

TEST_F(Mapped, MayBeHeldAsAnyFilter) {
    save(planned(layout_kind::classic), path);
    {
        any_filter f = writer();
        f.insert(1);
    }
    EXPECT_TRUE(load_header(path).state.sealed) << "whoever ends last seals";
    EXPECT_TRUE(load(path).may_contain(1));
}

TEST_F(Mapped, HasOneWriterAtATime) {
    save(planned(layout_kind::classic), path);
    {
        const any_filter f = writer();
        try {
            static_cast<void>(map(path, map_mode::read_write, {.locked = if_locked::refuse}));
            FAIL();
        } catch (const io_error& e) {
            EXPECT_EQ(e.code(), std::errc::operation_would_block);
            EXPECT_NE(std::string(e.what()).find("another writer"), std::string::npos) << e.what();
        }
        EXPECT_NO_THROW(static_cast<void>(map(path)));
    }
    EXPECT_NO_THROW(
        static_cast<void>(map(path, map_mode::read_write, {.locked = if_locked::refuse})));
}

TEST_F(Mapped, WaitsForTheWriterBeforeItAndForTheFileItLeft) {
    save(planned(layout_kind::classic), path);
    std::thread later;
    std::atomic<bool> waiting = false;
    std::atomic<bool> done = false;
    {
        any_filter f = writer();
        f.insert(1);
        later = std::thread([&] {
            waiting = true;
            any_filter next = writer();
            done = true;
            next.insert(2);
        });
        while (!waiting) {
            std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_FALSE(done);
    }
    later.join();
    const any_filter f = load(path);
    EXPECT_TRUE(f.may_contain(1) && f.may_contain(2));
    {
        any_filter holder = writer();
        later = std::thread([&] { save(planned(layout_kind::split_8x64), path); });
        holder.insert(3);
    }
    later.join();
    EXPECT_EQ(load_header(path).what.shape.layout, layout_kind::split_8x64);
}

TEST_F(Mapped, IsReadableAfterItsWriterDied) {
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

TEST_F(Mapped, IsNotRefusedWhileItsWriterLives) {
    save(planned(layout_kind::classic), path);
    any_filter f = writer();
    f.insert(1);
    const format::decode_options careful{.policy = after_crash::refuse};
    EXPECT_TRUE(load(path, careful).may_contain(1));
    EXPECT_TRUE(map(path, map_mode::read_only, {careful}).may_contain(1));
}

// What a killed writer had not touched still has its checksum, in the same run of the system.
TEST_F(Mapped, IsDamagedWhereItsDeadWriterNeverWas) {
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

TEST_F(Mapped, MayBeReadWhileItIsWritten) {
    save(planned(layout_kind::classic), path);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        any_filter f = writer();
        for (std::uint64_t i = 0;; ++i) {
            f.insert(i);
            if (i % 100 == 0) {
                f.sync();
            }
        }
    }
    std::uint64_t ones = 0;
    for (int round = 0; round < 200; ++round) {
        EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
        const std::uint64_t now = load(path).stats().bits_set;
        EXPECT_GE(now, ones);
        ones = now;
        EXPECT_NO_THROW(static_cast<void>(map(path).words()));
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_GT(ones, 1000U);
}

TEST_F(Mapped, MayBeAskedByManyThreads) {
    filter f = planned(layout_kind::classic);
    const auto keys = numbers(0, 20'000);
    f.insert_many(keys);
    save(f, path);
    const any_filter shared = map(path);
    std::vector<std::thread> threads;
    std::vector<std::size_t> found(4);
    for (std::size_t t = 0; t < found.size(); ++t) {
        threads.emplace_back([&, t] {
            bitmap maybe;
            shared.may_contain_many(keys, maybe);
            found[t] = shared.stats().bits_set > 0 ? maybe.count() : 0;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(std::ranges::count(found, keys.size()), 4);
}

TEST_F(Mapped, HasNoHolesLeftForAFullDisk) {
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

TEST_F(Mapped, NeedsTheSecretOfAKeyedFilterUnlessItIsKept) {
    const hash::sip_key secret{1, 2};
    filter f(bits{1000}, hashes{3}, native_hash::keyed(secret));
    f.insert("key");
    save(f, path);
    EXPECT_THROW(static_cast<void>(map(path)), bad_argument);
    EXPECT_TRUE(
        map(path, map_mode::read_only, {{.secret = secret}}).may_contain(std::string("key")));
    save(f, path, if_exists::replace, {.keep_secret = true});
    EXPECT_TRUE(map(path).may_contain(std::string("key")));
    update(path, [](any_filter& changed) { changed.insert(std::string("other")); },
           {.secret = secret});
    EXPECT_TRUE(map(path).may_contain(std::string("other"))) << "an update keeps it kept";
}

} // namespace
} // namespace bloomery
