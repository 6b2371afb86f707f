// A filter of ten million keys from a PostgreSQL, built in bounded memory, with progress.
#include <bloomery/guard/guard.hpp>
#include <bloomery/guard/store.hpp>

#include "postgres_help.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bloomery {
namespace {

constexpr std::uint64_t warm_up_rows = 10'000'000;

std::uint64_t most_memory() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

/// What the child found: the first sentence that is not so, or nothing.
std::string warm_up_in_child(const std::string& url, const std::filesystem::path& file) {
    const std::uint64_t before = most_memory();
    std::vector<std::uint64_t> steps;
    std::uint64_t expected_rows = 0;
    guard_options options;
    options.file = file;
    options.progress = [&](std::uint64_t done, std::uint64_t expected) {
        if (steps.size() < 100'000) steps.push_back(done);
        expected_rows = expected;
    };
    guard<filter, store::no_cache, store::postgres> guarded(
        store::no_cache{}, store::postgres(url, {"many", "id", "body"}), options);
    const guard_numbers now = guarded.numbers();
    const std::uint64_t used = most_memory() - before;
    if (used > now.filter_bytes + (64U << 20U)) {
        return "it took " + std::to_string(used) + " bytes for a filter of " +
               std::to_string(now.filter_bytes);
    }
    if (now.scanned != warm_up_rows || expected_rows != warm_up_rows ||
        steps.back() != warm_up_rows) {
        return "it scanned " + std::to_string(now.scanned);
    }
    if (steps.size() < 1000 || !std::ranges::is_sorted(steps)) {
        return "it told of its progress " + std::to_string(steps.size()) + " times";
    }
    if (now.item_capacity < warm_up_rows * 5 / 4) {
        return "there is no headroom";
    }
    for (std::uint64_t i = 1; i <= warm_up_rows; i += 997) {
        if (!guarded.get("row " + std::to_string(i))) return "a key is denied";
    }
    return guarded.numbers().refused == 0 ? "" : "a key was refused";
}

TEST(PostgresLong, WarmUpOfTenMillionKeysTakesTheFilterAndSixtyFourMegabytesAtMost) {
    const testing::temporary_folder folder;
    testing::other_client().run("CREATE UNLOGGED TABLE many AS SELECT 'row ' || i AS id, ''::bytea "
                                "AS body FROM generate_series(1, 10000000) AS i");
    testing::other_client().run("CREATE UNIQUE INDEX ON many (id)");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        std::string complaint;
        try {
            complaint = warm_up_in_child(testing::shared_postgres().url(), folder / "filter");
        } catch (const std::exception& e) {
            complaint = e.what();
        }
        (void)!::write(ends[1], complaint.data(), complaint.size());
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string complaint(1000, '\0');
    const ssize_t length = ::read(ends[0], complaint.data(), complaint.size());
    complaint.resize(static_cast<std::size_t>(std::max<ssize_t>(0, length)));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(complaint, "");
}

} // namespace
} // namespace bloomery
