// Which kernel is chosen, and the message for an invalid choice.
#include <bloomery/error.hpp>
#include <bloomery/kernel/kernel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace bloomery::kernel {
namespace {

TEST(KernelChoice, ThePlainOneIsAlwaysThere) {
    EXPECT_TRUE(is_usable(id::scalar));
    EXPECT_TRUE(is_usable(best()));
    EXPECT_TRUE(is_usable(active()));
}

TEST(KernelChoice, NamesComeBack) {
    for (const id each : all) {
        EXPECT_EQ(named(name_of(each)), each);
    }
    EXPECT_FALSE(named("sse2"));
    EXPECT_FALSE(named(""));
}

TEST(KernelChoice, CanBeForcedButNotPastTheProcessor) {
    const id before = active();
    for (const id each : all) {
        if (is_usable(each)) {
            use(each);
            EXPECT_EQ(active(), each);
        } else {
            EXPECT_THROW(use(each), unsupported);
        }
    }
    use(before);
}

TEST(KernelChoice, ScalarMeansScalarForEveryFamily) {
    const id before = active();
    use(id::scalar);
    for (const family& each : families()) {
        EXPECT_EQ(each.code, id::scalar) << each.name;
    }
    use(before);
}

TEST(KernelChoice, AKernelTakesNoFunctionsThatItsProcessorsMayLack) {
    const id before = active();
    for (const id each : all) {
        if (is_usable(each)) {
            use(each);
            EXPECT_EQ(families()[0].code, std::min(each, id::avx512)) << name_of(each);
            for (const family& part : families()) {
                EXPECT_LE(part.code, each) << part.name;
                EXPECT_TRUE(is_usable(part.code)) << part.name;
            }
        }
    }
    use(before);
}

TEST(KernelChoice, ABadWishIsExplained) {
    ::setenv("BLOOMERY_KERNEL", "mmx", 1);
    const auto complaint = environment_complaint();
    ASSERT_TRUE(complaint);
    EXPECT_NE(complaint->find("'mmx'"), std::string::npos);
    EXPECT_NE(complaint->find("scalar"), std::string::npos) << *complaint;
    ::setenv("BLOOMERY_KERNEL", "scalar", 1);
    EXPECT_FALSE(environment_complaint());
    ::unsetenv("BLOOMERY_KERNEL");
    EXPECT_FALSE(environment_complaint());
}

} // namespace
} // namespace bloomery::kernel
