// A simulated power cut: what was not synced may be on the disk or not, page by page, each page as
// it was at some moment, and the page that was being written only in part. Nothing synced is lost.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/plan/sizing.hpp>

#include "in_place.hpp"
#include "native_forgery.hpp"
#include "random.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace {

/// What the next msync shall do instead of the system's. Gets the length, which begins at the
/// file's start.
std::function<int(std::size_t)> instead_of_msync; // NOLINT: the linker finds msync, nothing else

} // namespace

// The library's own call ends here: this program's symbol comes before that of the C library.
extern "C" int msync(void* from, std::size_t byte_count, int flags) {
    if (instead_of_msync) {
        return instead_of_msync(byte_count);
    }
    return static_cast<int>(::syscall(SYS_msync, from, byte_count, flags));
}

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using testing::random_source;

constexpr std::size_t page_bytes = 4096;

struct power_is_gone {};

std::string content(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The disk behind a file: it has what was synced, and of the rest what the system happened to have
/// written.
class disk {
public:
    disk(fs::path file, random_source& draw)
        : file_(std::move(file)), draw_(draw), content_(content(file_)) {
        instead_of_msync = [this](std::size_t byte_count) { return sync(byte_count); };
    }
    disk(const disk&) = delete;
    disk& operator=(const disk&) = delete;
    ~disk() { instead_of_msync = nullptr; }

    /// The system writes a few pages when it feels like it.
    void write_some_pages(bool torn = false) {
        const std::string now = content(file_);
        const std::size_t pages = (now.size() + page_bytes - 1) / page_bytes;
        for (std::uint64_t i = draw_.below(pages + 1); i > 0; --i) {
            write_page(now, draw_.below(pages), torn);
        }
    }

    /// From now on the power may go in the middle of a sync.
    void make_unsafe() { unsafe_ = true; }

    /// What is there when the machine starts again.
    [[nodiscard]] std::string after_power_cut() {
        cut();
        return content_;
    }

private:
    void write_page(const std::string& now, std::size_t page, bool torn) {
        const std::size_t end = std::min(now.size(), (page + 1) * page_bytes);
        // Disks write sectors of 512 bytes whole. We rely on less: on words.
        const std::size_t grain = draw_.below(2) == 0 ? 512 : 8;
        for (std::size_t at = page * page_bytes; at < end; at += grain) {
            if (!torn || draw_.below(2) == 0) {
                now.copy(content_.data() + at, std::min(grain, end - at), at);
            }
        }
    }

    void cut() {
        if (!is_off_) {
            write_some_pages(true);
        }
        is_off_ = true;
    }

    int sync(std::size_t byte_count) {
        if (is_off_ || (unsafe_ && draw_.below(3) == 0)) {
            cut();
            throw power_is_gone{}; // what the writer still does, the disk does not see
        }
        content(file_).copy(content_.data(), byte_count);
        return 0;
    }

    fs::path file_;
    random_source& draw_;
    std::string content_;
    bool unsafe_ = false;
    bool is_off_ = false;
};

/// The states in a file, as another run of the system would find them: under another boot id. One
/// that is torn stays so.
void reboot(std::string& file) {
    const auto bytes = std::as_writable_bytes(std::span(file));
    for (const std::size_t at : {testing::even_state_at, testing::odd_state_at}) {
        const bool is_open = hash::load_le64(bytes.data() + at + 8) == 2;
        if (is_open &&
            testing::state_checksum(bytes, at) == hash::load_le64(bytes.data() + at + 56)) {
            file[at + 24] = static_cast<char>(file[at + 24] ^ 1);
            testing::store(bytes, at + 56, testing::state_checksum(bytes, at));
        }
    }
}

bool holds(const any_filter& f, std::uint64_t count) {
    std::vector<std::uint64_t> keys(count);
    std::iota(keys.begin(), keys.end(), 0);
    bitmap maybe;
    f.may_contain_many(keys, maybe);
    return maybe.count() == count;
}

/// All bits of `part` are bits of `whole`.
bool is_within(std::span<const std::uint64_t> part, std::span<const std::uint64_t> whole) {
    return std::ranges::equal(part, whole, [](auto a, auto b) { return (a & ~b) == 0; });
}

/// A life of a writer, up to the cut. Returns how many keys were synced; `all` gets every key that
/// may be there.
std::uint64_t live(const fs::path& path, disk& under, random_source& draw, filter& all) {
    std::uint64_t inserted = 0;
    std::uint64_t synced = 0;
    try {
        any_filter f = map(path, map_mode::read_write);
        const std::uint64_t steps = draw.below(30);
        for (std::uint64_t step = 0; step < steps; ++step) {
            for (std::uint64_t i = draw.below(20); i > 0; --i) {
                f.insert(inserted);
                all.insert(inserted);
                ++inserted;
            }
            if (draw.below(3) == 0) {
                under.write_some_pages(draw.below(2) == 0);
            }
            if (draw.below(4) == 0) {
                f.sync();
                synced = inserted;
            }
        }
        under.make_unsafe();
        f.sync();
        synced = inserted;
        if (draw.below(2) == 0) {
            f.insert(inserted);
            all.insert(inserted);
        }
    } catch (const power_is_gone&) { // NOLINT(bugprone-empty-catch): this is the cut
    }
    return synced;
}

class PowerCut : public testing::InPlace, public ::testing::WithParamInterface<layout_kind> {};

TEST_P(PowerCut, LosesNothingThatWasSynced) {
    int recovered = 0;
    for (std::uint64_t cut = 0; cut < 50; ++cut) {
        random_source draw(cut * 5 + static_cast<std::uint64_t>(GetParam()));
        filter all(plan::for_rate(items{20'000}, rate{1e-6}, GetParam()), {}, {});
        save(all, path);
        std::string left;
        std::uint64_t synced = 0;
        {
            disk under(path, draw);
            synced = live(path, under, draw, all);
            left = under.after_power_cut();
        }
        reboot(left);
        fs::remove(path);
        std::ofstream(path, std::ios::binary) << left;

        ASSERT_TRUE(format::verify(path).damaged_chunks.empty()) << cut;
        ASSERT_TRUE(holds(map(path), synced)) << cut;
        ASSERT_TRUE(holds(load(path), synced)) << cut;
        {
            any_filter f = map(path, map_mode::read_write, {.recovered = [&] { ++recovered; }});
            ASSERT_TRUE(holds(f, synced)) << cut;
            ASSERT_TRUE(is_within(f.words(), all.words())) << cut << ": a bit nobody set";
            f.insert(123'456);
            f.sync();
        }
        const format::verification found = format::verify(path);
        ASSERT_TRUE(found.header.state.sealed && found.damaged_chunks.empty()) << cut;
        ASSERT_TRUE(holds(load(path, {.policy = after_crash::refuse}), synced)) << cut;
    }
    EXPECT_GT(recovered, 10) << "the cuts have to come while something is going on";
}

INSTANTIATE_TEST_SUITE_P(OfAWriter, PowerCut,
                         ::testing::Values(layout_kind::classic, layout_kind::blocked_512,
                                           layout_kind::split_8x32, layout_kind::split_8x64));

/// The first msync of a sync is for the bits, the second for the seal.
class FailingDisk : public testing::InPlace, public ::testing::WithParamInterface<int> {};

TEST_P(FailingDisk, IsReportedNowAndForEver) {
    save(filter(items{20'000}, rate{1e-6}), path);
    {
        any_filter f = map(path, map_mode::read_write);
        f.insert(1);
        f.sync();
        f.insert(2);
        instead_of_msync = [left = GetParam()](std::size_t /*byte_count*/) mutable {
            errno = EIO;
            return --left == 0 ? -1 : 0;
        };
        try {
            f.sync();
            FAIL();
        } catch (const io_error& e) {
            EXPECT_EQ(e.code(), std::errc::io_error);
            EXPECT_NE(std::string(e.what()).find("to the disk"), std::string::npos) << e.what();
        }
        instead_of_msync = nullptr;
        EXPECT_THROW(f.sync(), io_error) << "the system forgets what it could not write";
        EXPECT_THROW(f.insert(2), io_error) << "not even what is in";
        EXPECT_THROW(f.insert(3), io_error);
        EXPECT_TRUE(f.may_contain(1) && f.may_contain(2));
        EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
    }
    const bool bits_failed = GetParam() == 1;
    EXPECT_EQ(load_header(path).state.sealed, !bits_failed);
    bool recovered = false;
    any_filter f = map(path, map_mode::read_write, {.recovered = [&] { recovered = true; }});
    EXPECT_EQ(recovered, bits_failed);
    f.insert(3);
    f.sync();
    EXPECT_TRUE(f.may_contain(1) && f.may_contain(2) && f.may_contain(3));
    EXPECT_TRUE(load_header(path).state.sealed);
}

INSTANTIATE_TEST_SUITE_P(AtMsync, FailingDisk, ::testing::Values(1, 2));

} // namespace
} // namespace bloomery
