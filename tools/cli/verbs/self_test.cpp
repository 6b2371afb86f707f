#include "verbs/self_test.hpp"

#include <bloomery/filter/filter.hpp>
#include <bloomery/plan/sizing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

/// Not a multiple of any vector or group of keys, so that the ends are tested too.
constexpr std::uint64_t key_count = 5003;

/// Puts the kernel back that was in use, also when the test fails.
class kernel_keeper {
public:
    kernel_keeper() noexcept : before_(kernel::active()) {}
    kernel_keeper(const kernel_keeper&) = delete;
    kernel_keeper& operator=(const kernel_keeper&) = delete;
    ~kernel_keeper() { kernel::use(before_); } // it was usable then, so it does not throw

private:
    kernel::id before_;
};

[[noreturn]] void fail(layout_kind layout, const std::string& what) {
    throw disagreement(fmt::format("the kernels do not agree: in the {} layout {}; please report "
                                   "this with the output of bloomery doctor, and set "
                                   "BLOOMERY_KERNEL=scalar until it is fixed",
                                   plan::name_of(layout), what));
}

filter filled_by(kernel::id writer, const plan::shape& shape,
                 std::span<const std::uint64_t> members) {
    kernel::use(writer);
    filter made(shape, {}, {});
    made.insert_many(members);
    return made;
}

/// All members are found, and the others get the answers that single calls give.
void expect_answers(const filter& from, kernel::id writer, kernel::id reader,
                    std::span<const std::uint64_t> members, std::span<const std::uint64_t> others) {
    kernel::use(reader);
    const layout_kind layout = from.layout().shape().layout;
    const std::size_t found = from.may_contain_many(members).count();
    if (found != members.size()) {
        fail(layout,
             fmt::format("{} misses {} of {} keys that {} inserted", kernel::name_of(reader),
                         members.size() - found, members.size(), kernel::name_of(writer)));
    }
    const bitmap answers = from.may_contain_many(others);
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (answers[i] != from.may_contain(others[i])) {
            fail(layout, fmt::format("{} and a single call give different answers for the key {}",
                                     kernel::name_of(reader), others[i]));
        }
    }
}

} // namespace

self_test_result test_kernels(std::span<const kernel::id> usable) {
    const kernel_keeper keeper;
    std::vector<std::uint64_t> members(key_count);
    std::vector<std::uint64_t> others(key_count);
    std::iota(members.begin(), members.end(), std::uint64_t{0});
    std::iota(others.begin(), others.end(), key_count);
    for (const plan::layout_facts& facts : plan::all_layouts) {
        const plan::shape shape = plan::for_rate(items{key_count}, rate{0.01}, facts.kind);
        const filter first = filled_by(usable.front(), shape, members);
        for (const kernel::id writer : usable) {
            const filter made = filled_by(writer, shape, members);
            if (!std::ranges::equal(made.words(), first.words())) {
                fail(facts.kind,
                     fmt::format("{} and {} set different bits for the same keys",
                                 kernel::name_of(usable.front()), kernel::name_of(writer)));
            }
            for (const kernel::id reader : usable) {
                expect_answers(made, writer, reader, members, others);
            }
        }
    }
    return {plan::all_layouts.size(), key_count};
}

} // namespace bloomery::cli
