// kill -9, a thousand times, at any moment of a writer's life: the file is always readable, and no
// insert that returned is lost.
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/plan/sizing.hpp>

#include "random.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <csignal>
#include <cstdio>
#include <numeric>
#include <vector>

namespace bloomery {
namespace {

/// Counts in memory that outlives the process which counts.
class shared_counter {
public:
    shared_counter()
        : page_(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          count_(new(page_) std::atomic<std::uint64_t>(0)) {}
    shared_counter(const shared_counter&) = delete;
    shared_counter& operator=(const shared_counter&) = delete;
    ~shared_counter() { ::munmap(page_, 4096); }
    std::atomic<std::uint64_t>& operator*() const { return *count_; }

private:
    void* page_;
    std::atomic<std::uint64_t>* count_;
};

/// Adds the numbers from `acknowledged` on, one by one and in batches, and counts those that are
/// in.
[[noreturn]] void write_for_ever(const std::filesystem::path& path,
                                 std::atomic<std::uint64_t>& acknowledged,
                                 std::atomic<std::uint64_t>& opened, std::uint64_t seed) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    testing::random_source draw(seed);
    any_filter f = map(path, map_mode::read_write);
    ++opened;
    for (;;) {
        const std::uint64_t first = acknowledged;
        std::vector<std::uint64_t> batch(1 + draw.below(40));
        std::iota(batch.begin(), batch.end(), first);
        if (draw.below(2) == 0) {
            f.insert_many(batch);
        } else {
            for (const std::uint64_t key : batch) {
                f.insert(key);
            }
        }
        acknowledged = first + batch.size();
        if (draw.below(8) == 0) {
            f.sync();
        }
    }
}

void expect_all_in(const any_filter& f, std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> keys(to - from);
    std::iota(keys.begin(), keys.end(), from);
    bitmap maybe;
    f.may_contain_many(keys, maybe);
    ASSERT_EQ(maybe.count(), keys.size());
}

// A sanitizer makes each of them ten times slower, and has seen all there is to see much earlier.
#if defined(__SANITIZE_ADDRESS__)
constexpr int rounds = 50;
#else
constexpr int rounds = 500;
#endif

class Kills : public ::testing::TestWithParam<layout_kind> {};

TEST_P(Kills, LoseNothing) {
    if (std::endian::native == std::endian::big) {
        GTEST_SKIP() << "files are changed in their place on little-endian machines only";
    }
    const testing::temporary_folder folder;
    const auto path = folder / "f.bloom";
    // Large enough that no key is in by chance: 500,000 keys, and a rate of one in a million.
    save(filter(plan::for_rate(items{500'000}, rate{1e-6}, GetParam()), {}, {}), path);
    const shared_counter acknowledged;
    const shared_counter opened;
    testing::random_source draw(2026);
    int found_open = 0;
    int went_on = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t before = *acknowledged;
        const std::uint64_t opened_before = *opened;
        const std::uint64_t seed = draw.next();
        const pid_t child = ::fork();
        if (child == 0) {
            write_for_ever(path, *acknowledged, *opened, seed);
        }
        // One kill in four may come while the file is being opened, and sealed after the last one;
        // one while it is being marked as open, which takes what the disk takes; two later.
        const std::uint64_t moment = draw.below(4);
        const auto come = [&] {
            return moment == 0 || (moment == 1 && *opened > opened_before) ||
                   *acknowledged > before;
        };
        for (int i = 0; !come() && i < 100'000; ++i) {
            ::usleep(100);
        }
        ::usleep(static_cast<useconds_t>(draw.below(4000)));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "it died by itself";

        found_open += load_header(path).state.sealed ? 0 : 1;
        went_on += *acknowledged > before ? 1 : 0;
        ASSERT_TRUE(format::verify(path).damaged_chunks.empty()) << round;
        ASSERT_NO_FATAL_FAILURE(expect_all_in(map(path), before, *acknowledged)) << round;
    }
    EXPECT_GT(found_open, rounds / 10) << "the kills have to come while something is going on";
    EXPECT_GT(went_on, rounds / 4);
    expect_all_in(load(path), 0, *acknowledged);
    const any_filter last = map(path, map_mode::read_write);
    expect_all_in(last, 0, *acknowledged);
    std::printf("%d of %d kills left the file open, %d came after an insert; %lu keys\n",
                found_open, rounds, went_on, static_cast<unsigned long>((*acknowledged).load()));
}

INSTANTIATE_TEST_SUITE_P(OfAWriter, Kills,
                         ::testing::Values(layout_kind::classic, layout_kind::split_8x64));

} // namespace
} // namespace bloomery
