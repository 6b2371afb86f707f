// Every kind of filter under every kernel: the same state, bit for bit, and the same answers.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/plan/sizing.hpp>

#include "payload.hpp"
#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {
namespace {

constexpr std::uint64_t key_count = 1500;
constexpr items n{2 * key_count};

struct sample {
    std::string name;
    any_filter (*make)();
    bool grows = true; ///< takes keys after it was made
};

void PrintTo(const sample& of, std::ostream* out) { *out << of.name; }

template <layout_kind Kind>
any_filter plain() {
    return make_filter(plan::for_rate(n, rate{0.01}, Kind));
}
template <std::uint32_t Bits, counter_layout Layout>
any_filter counting_of() {
    return counting_filter(n, rate{0.01}, {Bits, Layout});
}
template <class Filter>
any_filter of_kind() {
    return Filter(n, rate{0.01});
}
template <class Filter>
any_filter foreign() {
    return Filter(bits{1U << 16U}, hashes{5});
}

std::vector<std::uint64_t> numbers(std::uint64_t from) {
    testing::random_source random(from);
    std::vector<std::uint64_t> made(key_count + 3); // no multiple of any group of keys
    for (std::uint64_t& each : made) {
        each = random.next();
    }
    return made;
}

std::vector<sample> samples() {
    using enum layout_kind;
    return {
        {"classic", plain<classic>},
        {"blocked", plain<blocked_512>},
        {"split_8x32", plain<split_8x32>},
        {"split_8x64", plain<split_8x64>},
        {"split_16x32", plain<split_16x32>},
        {"fast_filter", of_kind<fast_filter>},
        {"wide_hash", [] { return any_filter(filter(n, rate{1e-10})); }},
        {"secret_hash", [] { return any_filter(filter(n, rate{0.01}, native_hash::keyed({}))); }},
        {"counting_flat", counting_of<4, counter_layout::flat>},
        {"counting_lines_of_2_bits", counting_of<2, counter_layout::blocked>},
        {"counting_lines", counting_of<4, counter_layout::blocked>},
        {"counting_lines_of_8_bits", counting_of<8, counter_layout::blocked>},
        {"spectral", of_kind<spectral_filter>},
        {"minimal_increase", of_kind<minimal_increase_filter>},
        {"recurring_minimum", of_kind<recurring_minimum_filter>},
        {"dynamic_count", of_kind<dynamic_count_filter>},
        {"dleft", of_kind<dleft_filter>},
        {"dleft_of_wide_cells", [] { return any_filter(dleft_filter(n, rate{1e-5})); }},
        {"accurate", of_kind<accurate_filter>},
        {"accurate_at_3_percent", [] { return any_filter(accurate_filter(n, rate{0.03})); }},
        {"accurate_of_2048_bits",
         [] { return any_filter(accurate_filter(n, rate{0.01}, {2048})); }},
        {"scalable", [] { return any_filter(scalable_filter(items{500}, rate{0.01})); }},
        {"window", of_kind<window_filter>},
        {"excepted", [] { return with_exceptions(filter(n, rate{0.01})); }},
        {"cascade", [] { return any_filter(build_cascade(numbers(1), numbers(2))); }, false},
        {"guava", foreign<guava_filter>},
        {"go", foreign<go_filter>},
        {"redisson", foreign<redisson_filter>},
        {"parquet",
         [] { return any_filter(std::in_place, parquet_filter(bits{1U << 16U}, hashes{8})); }},
        {"hadoop_counting",
         [] {
             return any_filter(std::in_place, hadoop_counting_filter(bits{1U << 16U}, hashes{5}));
         }},
    };
}

/// All that can be seen of a filter.
struct seen {
    std::vector<std::uint64_t> state;
    std::vector<std::vector<std::uint64_t>> answers;

    friend bool operator==(const seen&, const seen&) = default;
};

void note(seen& into, const bitmap& answers) {
    into.answers.emplace_back(answers.words().begin(), answers.words().end());
}

template <class Keys>
void ask(const any_filter& of, const Keys& keys, seen& into) {
    bitmap many;
    of.may_contain_many(keys, many);
    note(into, many);
    bitmap single;
    single.reset(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        single.set(i, of.may_contain(keys[i]));
    }
    EXPECT_EQ(single, many) << "many keys at once as one by one";
    if (of.can_count()) {
        std::vector<std::uint64_t>& counts = into.answers.emplace_back();
        for (const auto& key : keys) {
            counts.push_back(of.count(key));
        }
    }
}

seen all_of(const sample& of) {
    any_filter made = of.make();
    seen found;
    const std::vector<std::uint64_t> members = numbers(1);
    std::vector<std::string> texts;
    for (std::uint64_t i = 0; i < key_count; ++i) {
        texts.push_back("key " + std::to_string(i));
    }
    const std::vector<std::string_view> words(texts.begin(), texts.end());
    if (of.grows) {
        bitmap fresh;
        made.try_insert_many(members, fresh);
        note(found, fresh);
        made.insert_many(words);
        for (std::uint64_t i = 0; i < 50; ++i) {
            made.insert(words[i]);
        }
        made.insert_many(members); // so that counters are above 1
    }
    ask(made, members, found);
    ask(made, words, found);
    if (made.can_erase()) {
        for (std::size_t i = 0; i < members.size(); i += 2) {
            made.erase(members[i]);
        }
        ask(made, members, found);
    }
    ask(made, numbers(2), found);
    found.state = testing::flattened(made.saved());
    return found;
}

class KernelKinds : public ::testing::TestWithParam<sample> {};
INSTANTIATE_TEST_SUITE_P(Kinds, KernelKinds, ::testing::ValuesIn(samples()),
                         [](const auto& each) { return each.param.name; });

TEST_P(KernelKinds, AreTheSameUnderEveryKernel) {
    const kernel::id before = kernel::active();
    kernel::use(kernel::id::scalar);
    const seen expected = all_of(GetParam());
    EXPECT_FALSE(expected.state.empty());
    for (const kernel::id each : kernel::all) {
        if (kernel::is_usable(each)) {
            kernel::use(each);
            const seen found = all_of(GetParam());
            EXPECT_EQ(found.state, expected.state) << kernel::name_of(each);
            EXPECT_EQ(found.answers, expected.answers) << kernel::name_of(each);
        }
    }
    kernel::use(before);
}

} // namespace
} // namespace bloomery
