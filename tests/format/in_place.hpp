// What the tests of mapped files share: a file of their own, and processes that die.
#pragma once

#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/plan/sizing.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace bloomery::testing {

inline filter planned(layout_kind layout, std::uint64_t n = 100'000) {
    return filter(plan::for_rate(items{n}, rate{0.01}, layout), {}, {n, 0.01});
}

inline std::vector<std::uint64_t> numbers(std::uint64_t from, std::uint64_t to) {
    std::vector<std::uint64_t> all(to - from);
    std::ranges::generate(all, [&, at = from]() mutable { return at++; });
    return all;
}

/// A folder for files that are changed in their place.
class InPlace : public ::testing::Test {
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

    temporary_folder folder;
    std::filesystem::path path = folder / "f.bloom";
};

} // namespace bloomery::testing
