// The kinds that are more than bits, in files: read back unchanged, and refused if one bit was
// flipped or the end is missing.
#include <bloomery/bloomery.hpp>

#include "payload.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {
namespace {

struct kind_case {
    std::string name;
    std::function<any_filter()> make;
    bool is_closed = false; ///< takes no key in, and is not emptied

    friend std::ostream& operator<<(std::ostream& to, const kind_case& of) { return to << of.name; }
};

template <class Kind, class Options = int>
any_filter made(const Options& options = {}) {
    Kind filled = [&] {
        if constexpr (std::same_as<Options, int>) {
            return Kind(items{300}, rate{0.02});
        } else {
            return Kind(items{300}, rate{0.02}, options);
        }
    }();
    for (std::uint64_t key = 0; key < 300; ++key) {
        filled.insert(key);
    }
    filled.insert("a string");
    return filled;
}

any_filter with_three_exceptions(any_filter inner) {
    excepted<any_filter> made(std::move(inner));
    for (std::uint64_t key = 1'000'000; made.exceptions().entry_count() < 3 && key < 2'000'000;
         ++key) {
        made.report_false_positive(key);
    }
    return made;
}

any_filter some_cascade() {
    return build_cascade(std::views::iota(0, 300), std::views::iota(300, 5000),
                         {native_hash::seeded(5)});
}

std::vector<kind_case> all_kinds() {
    return {
        {"Counting", [] { return made<counting_filter>(); }},
        {"CountingBlocked",
         [] {
             return made<counting_filter>(
                 counting_options{.counter_bits = 8, .layout = counter_layout::blocked});
         }},
        {"Spectral", [] { return made<spectral_filter>(); }},
        {"MinimalIncrease", [] { return made<minimal_increase_filter>(); }},
        {"RecurringMinimum", [] { return made<recurring_minimum_filter>(); }},
        {"DynamicCount", [] { return made<dynamic_count_filter>(); }},
        {"Dleft", [] { return made<dleft_filter>(); }},
        {"Accurate", [] { return made<accurate_filter>(); }},
        {"Scalable", [] { return made<scalable_filter>(scalable_options{.least_items = 100}); }},
        {"Window", [] { return made<window_filter>(); }},
        {"Excepted", [] { return with_three_exceptions(made<filter>()); }},
        {"ExceptedCounting", [] { return with_three_exceptions(made<counting_filter>()); }},
        {"Cascade", [] { return some_cascade(); }, true},
        {"CascadeOfNoKey", [] { return build_cascade(std::vector<int>{}, std::vector{1, 2}); },
         true},
    };
}

std::vector<std::byte> encoded(const any_filter& of) {
    std::vector<std::byte> bytes;
    format::encode_native(
        of, [&](byte_view part) { bytes.insert(bytes.end(), part.begin(), part.end()); },
        {.comment = "a kind"});
    return bytes;
}

void kinds_expect_same(const any_filter& found, const any_filter& expected) {
    EXPECT_EQ(found.spec(), expected.spec());
    EXPECT_EQ(found.made_for(), expected.made_for());
    EXPECT_EQ(payload_of(found), payload_of(expected));
    for (std::uint64_t key = 0; key < 5000; ++key) {
        ASSERT_EQ(found.may_contain(key), expected.may_contain(key)) << key;
    }
}

class KindFile : public ::testing::TestWithParam<kind_case> {};

TEST_P(KindFile, IsReadAsItWasWritten) {
    const any_filter source = GetParam().make();
    const temporary_folder folder;
    const auto path = folder / "f.bloom";
    save(source, path, if_exists::refuse, {.comment = "a kind"});
    EXPECT_EQ(load_header(path).what, source.spec());
    EXPECT_EQ(load_header(path).comment, "a kind");
    kinds_expect_same(load(path), source);
    kinds_expect_same(map(path), source);
    kinds_expect_same(format::decode_native(encoded(source)), source);
    EXPECT_TRUE(format::verify(path).damaged_chunks.empty());
    std::vector<std::byte> piped = encoded(source);
    byte_view rest = piped;
    kinds_expect_same(format::decode_native([&](std::span<std::byte> into) {
                          const byte_view next = rest.first(std::min(rest.size(), into.size()));
                          std::ranges::copy(next, into.begin());
                          rest = rest.subspan(next.size());
                          return next.size();
                      }),
                      source);
}

TEST_P(KindFile, IsReplacedByAnUpdateAndNotChangedInItsPlace) {
    const temporary_folder folder;
    const auto path = folder / "f.bloom";
    save(GetParam().make(), path);
    EXPECT_THROW(static_cast<void>(map(path, map_mode::read_write)), unsupported);
    const auto add = [&] { update(path, [](any_filter& f) { f.insert("another"); }); };
    any_filter expected = GetParam().make();
    if (GetParam().is_closed) {
        EXPECT_THROW(add(), unsupported);
    } else {
        add();
        expected.insert("another");
    }
    kinds_expect_same(load(path), expected);
}

TEST_P(KindFile, IsCopiedAsAHandle) {
    const any_filter source = GetParam().make();
    any_filter copy = source;
    kinds_expect_same(copy, source);
    if (GetParam().is_closed) {
        EXPECT_THROW(copy.clear(), unsupported);
        return;
    }
    copy.clear();
    EXPECT_FALSE(copy.may_contain(std::uint64_t{7}));
    EXPECT_TRUE(source.may_contain(std::uint64_t{7}));
}

// The checksums see a flipped bit before the kind does; tests/fuzz/kinds.cpp is for what they pass.
TEST_P(KindFile, DamagedByOneBitOrItsEndIsRefused) {
    const any_filter source = GetParam().make();
    std::vector<std::byte> bytes = encoded(source);
    for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 1 + bit % 13) {
        bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
        try {
            const any_filter found = format::decode_native(bytes);
            EXPECT_EQ(payload_of(found), payload_of(source)) << bit;
        } catch (const bloomery::error& e) {
            EXPECT_NE(std::string_view(e.what()).find(' '), std::string_view::npos) << bit;
        }
        bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
    for (std::size_t length = 0; length < bytes.size(); length += 1 + length % 61) {
        EXPECT_THROW(static_cast<void>(format::decode_native(byte_view{bytes.data(), length})),
                     bloomery::error)
            << length;
    }
}

INSTANTIATE_TEST_SUITE_P(Native, KindFile, ::testing::ValuesIn(all_kinds()),
                         [](const auto& of) { return of.param.name; });

TEST(Kinds, TellWhatTheyCanDo) {
    const auto can = [](const any_filter& f) { return std::pair(f.can_erase(), f.can_count()); };
    EXPECT_EQ(can(made<counting_filter>()), std::pair(true, true));
    EXPECT_EQ(can(made<minimal_increase_filter>()), std::pair(false, true));
    EXPECT_EQ(can(made<dleft_filter>()), std::pair(true, true));
    EXPECT_EQ(can(made<scalable_filter>()), std::pair(false, false));
    EXPECT_EQ(can(made<window_filter>()), std::pair(false, false));
    EXPECT_EQ(can(filter(items{10}, rate{0.1})), std::pair(false, false));

    any_filter window = made<window_filter>();
    EXPECT_THROW(window.erase("a string"), unsupported);
    EXPECT_THROW(static_cast<void>(window.count("a string")), unsupported);
    EXPECT_THROW(window.merge(window), unsupported);
    EXPECT_THROW(window.intersect(window), unsupported);
    EXPECT_FALSE(window.compatible_with(window));
    EXPECT_THROW(static_cast<void>(window.words()), unsupported);

    any_filter counting = made<counting_filter>();
    EXPECT_EQ(counting.count("a string"), 1U);
    EXPECT_EQ(counting.erase("a string"), status::ok);
    EXPECT_EQ(counting.erase(counting.digest(std::uint64_t{7})), status::ok);
    EXPECT_FALSE(counting.compatible_with(made<spectral_filter>()));
    EXPECT_THROW(counting.merge(made<spectral_filter>()), incompatible);
    EXPECT_THROW(counting.intersect(made<counting_filter>()), unsupported);
}

TEST(Kinds, ACascadeAnswersAsAHandleAndCannotBeChanged) {
    any_filter made = some_cascade();
    bitmap maybe;
    const std::vector<std::uint64_t> keys{7, 300, 299, 4999};
    made.may_contain_many(keys, maybe);
    EXPECT_EQ(maybe.words()[0], 0b0101U);
    std::vector<digest128> hashed;
    made.digest_many(keys, hashed);
    made.may_contain_many(hashed, maybe);
    EXPECT_EQ(maybe.words()[0], 0b0101U);
    EXPECT_EQ(made.stats().items.items, 300);
    EXPECT_EQ(made.stats().expected_rate, 0);
    EXPECT_EQ(made.made_for().item_capacity, 300U);

    bitmap fresh;
    EXPECT_THROW(made.insert(std::uint64_t{1}), unsupported);
    EXPECT_THROW(made.insert_many(keys), unsupported);
    EXPECT_THROW(made.insert_many(hashed), unsupported);
    EXPECT_THROW(made.try_insert_many(keys, fresh), unsupported);
    made.try_insert_many(std::vector<std::uint64_t>{}, fresh);
    EXPECT_EQ(fresh.bit_count(), 0U);
    EXPECT_THROW(made.merge(some_cascade()), unsupported);
    EXPECT_THROW(made.intersect(some_cascade()), unsupported);
    EXPECT_NE(made.compatible_with(some_cascade()).reason.find("cascade cannot be combined"),
              std::string::npos);
    EXPECT_FALSE(made.can_erase() || made.can_count());
}

TEST(Kinds, ACascadeOfASecretIsReadWithIt) {
    const hash::sip_key secret{1, 2};
    const temporary_folder folder;
    const auto path = folder / "f.bloom";
    save(build_cascade(std::vector{1}, std::vector{2}, {native_hash::keyed(secret)}), path);
    EXPECT_THROW((void)load(path), bad_argument);
    EXPECT_THROW((void)load(path, {{}, hash::sip_key{3, 4}}), bad_argument);
    EXPECT_TRUE(load<cascade>(path, {{}, secret}).contains(1));
}

TEST(Kinds, ASecretOfExceptionsIsEnoughToLoadThem) {
    const hash::sip_key secret{1, 2};
    const filter keyed(items{10}, rate{0.5}, native_hash::keyed(secret));
    const filter plain(items{10}, rate{0.5});
    const auto written = [](const any_filter& f, bool keep_secret) {
        std::vector<std::byte> bytes;
        format::encode_native(
            f, [&](byte_view some) { bytes.insert(bytes.end(), some.begin(), some.end()); },
            {{}, keep_secret});
        return bytes;
    };
    const auto with = [](const std::optional<hash::sip_key>& key) {
        return format::decode_options{{}, key};
    };
    const exception_options prints{.fingerprints = true};
    const exception_options own{.fingerprints = true, .key = secret};
    EXPECT_NO_THROW((void)format::decode_native(written(excepted<filter>(keyed), true)));
    EXPECT_NO_THROW((void)format::decode_native(written(excepted<filter>(keyed, prints), true)));
    const auto of_keyed = written(excepted<any_filter>(keyed, prints), false);
    EXPECT_NO_THROW((void)format::decode_native(of_keyed, with(secret)));
    const auto of_plain = written(excepted<filter>(plain, own), false);
    EXPECT_NO_THROW((void)format::decode_native(of_plain, with(secret)));
    EXPECT_THROW((void)format::decode_native(of_plain), bad_argument);
    EXPECT_THROW((void)format::decode_native(of_plain, with(hash::sip_key{3, 4})), bad_argument);
}

TEST(Kinds, OfDifferentTypesDoNotMergeThoughTheirSpecsAreEqual) {
    const filter plain(items{10}, rate{0.5});
    any_filter typed = excepted<filter>(plain);
    const any_filter loaded = excepted<any_filter>(plain);
    EXPECT_FALSE(typed.compatible_with(loaded));
    EXPECT_THROW(typed.merge(loaded), incompatible);
}

TEST(Kinds, WithExceptionsDoWhatTheyDoWithout) {
    const any_filter plain = excepted<any_filter>(filter(items{10}, rate{0.5}));
    EXPECT_FALSE(plain.can_erase() || plain.can_count());
    const any_filter counting = excepted<any_filter>(counting_filter(items{10}, rate{0.5}));
    EXPECT_TRUE(counting.can_erase() && counting.can_count());
    const any_filter typed = excepted<counting_filter>(counting_filter(items{10}, rate{0.5}));
    EXPECT_TRUE(typed.can_erase() && typed.can_count());
    EXPECT_FALSE(any_filter(excepted<filter>(filter(items{10}, rate{0.5}))).can_erase());
}

TEST(Kinds, AFullOneThrows) {
    any_filter small =
        scalable_filter(items{10}, rate{0.01}, {.most_layers = 1, .least_items = 10});
    const auto fill = [&] {
        for (std::uint64_t key = 0; key < 1000; ++key) {
            small.insert(key);
        }
    };
    EXPECT_THROW(fill(), filter_full);
}

} // namespace
} // namespace bloomery::testing
