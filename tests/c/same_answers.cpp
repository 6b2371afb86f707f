// The C interface gives the same results as C++, bit for bit: every kind, layout and format.
#include <bloomery/bloomery.hpp>
#include <bloomery/detail/filter/request.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/native.hpp>

#include <bloomery.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

namespace {

constexpr std::size_t key_count = 3000; // three runs, the last one not whole

struct closing {
    void operator()(bloomery_filter* filter) const { bloomery_close(filter); }
};
using c_filter = std::unique_ptr<bloomery_filter, closing>;

c_filter made_in_c(const bloomery_options& options) {
    bloomery_filter* made = nullptr;
    EXPECT_EQ(bloomery_new_with(&options, &made), BLOOMERY_OK) << bloomery_last_error();
    return c_filter(made);
}

std::vector<std::byte> native_bytes(const any_filter& of) {
    std::vector<std::byte> all;
    format::encode_native(of,
                          [&](byte_view part) { all.insert(all.end(), part.begin(), part.end()); });
    return all;
}

std::vector<std::byte> c_bytes(const bloomery_filter* of, const char* format = nullptr) {
    bloomery_write_options options = bloomery_write_options_init();
    options.format = format;
    uint8_t* bytes = nullptr;
    size_t size = 0;
    EXPECT_EQ(bloomery_encode(of, &options, &bytes, &size), BLOOMERY_OK) << bloomery_last_error();
    const auto all = std::as_bytes(std::span(bytes, size));
    std::vector<std::byte> copy(all.begin(), all.end());
    bloomery_free_memory(bytes);
    return copy;
}

/// Texts one after another, as Arrow has them, and integers.
struct sample {
    std::string bytes;
    std::vector<int32_t> offsets{0};
    std::vector<std::string_view> texts;
    std::vector<std::uint64_t> integers;

    sample() {
        std::vector<std::size_t> lengths;
        for (std::size_t i = 0; i < key_count; ++i) {
            const std::string text = "key " + std::to_string(i * i);
            bytes += text;
            offsets.push_back(static_cast<int32_t>(bytes.size()));
            integers.push_back(i * 0x9e3779b97f4a7c15);
        }
        for (std::size_t i = 0; i < key_count; ++i) {
            const auto begin = static_cast<std::size_t>(offsets[i]);
            texts.push_back(std::string_view(bytes).substr(
                begin, static_cast<std::size_t>(offsets[i + 1]) - begin));
        }
    }
    [[nodiscard]] bloomery_keys text_keys() const {
        return bloomery_keys_offsets32(bytes.data(), offsets.data(), key_count);
    }
    [[nodiscard]] bloomery_keys integer_keys() const {
        return bloomery_keys_u64(integers.data(), key_count);
    }
};

const sample& keys() {
    static const sample made;
    return made;
}

/// The same keys into both, half of them in bulk; then all answers and all bytes are the same.
void expect_same(any_filter ours, bloomery_filter* theirs) {
    const auto half_texts = std::span(keys().texts).first(key_count / 2);
    const auto half_integers = std::span(keys().integers).first(key_count / 2);
    bloomery_keys texts = keys().text_keys();
    bloomery_keys integers = keys().integer_keys();
    texts.count = integers.count = key_count / 2;
    bitmap fresh;
    ours.try_insert_many(half_texts, fresh);
    std::vector<std::uint8_t> bits((key_count + 7) / 8);
    std::uint64_t count = 0;
    ASSERT_EQ(bloomery_try_insert_many(theirs, &texts, bits.data(), &count), BLOOMERY_OK);
    EXPECT_EQ(count, fresh.count());
    for (std::size_t i = 0; i < half_texts.size(); ++i) {
        ASSERT_EQ((bits[i / 8] >> i % 8 & 1) != 0, fresh[i]) << i;
    }
    ours.insert_many(half_integers);
    ASSERT_EQ(bloomery_insert_many(theirs, &integers), BLOOMERY_OK);
    for (const std::string_view text : {"one", "by", "one"}) {
        ours.insert(text);
        ASSERT_EQ(bloomery_insert(theirs, text.data(), text.size()), BLOOMERY_OK);
    }

    bitmap maybe;
    texts = keys().text_keys();
    ours.may_contain_many(keys().texts, maybe);
    ASSERT_EQ(bloomery_may_contain_many(theirs, &texts, bits.data(), &count), BLOOMERY_OK);
    EXPECT_EQ(count, maybe.count());
    for (std::size_t i = 0; i < key_count; ++i) {
        ASSERT_EQ((bits[i / 8] >> i % 8 & 1) != 0, maybe[i]) << i;
        bool one = false;
        ASSERT_EQ(
            bloomery_may_contain(theirs, keys().texts[i].data(), keys().texts[i].size(), &one),
            BLOOMERY_OK);
        ASSERT_EQ(one, maybe[i]) << i;
    }
    bloomery_statistics now = bloomery_statistics_init();
    ASSERT_EQ(bloomery_statistics_of(theirs, &now), BLOOMERY_OK);
    EXPECT_EQ(now.bits_set, ours.stats().bits_set);
    EXPECT_EQ(now.expected_rate, ours.stats().expected_rate);
}

} // namespace

TEST(CSameAnswers, OfEveryKind) {
    for (const char* kind :
         {"bloom", "counting", "counting,bits=8,layout=blocked", "spectral",
          "spectral,policy=minimal-increase", "spectral,policy=recurring-minimum", "dynamic-count",
          "dleft", "accurate", "accurate,block-bits=2048", "scalable,growth=3", "window"}) {
        SCOPED_TRACE(kind);
        bloomery_options options = bloomery_options_init();
        options.items = 4000;
        options.rate = 0.02;
        options.kind = kind;
        options.seed = 5;
        const c_filter theirs = made_in_c(options);
        filter_request request;
        request.n = items{4000};
        request.p = rate{0.02};
        request.kind = parse_kind(kind);
        request.hash = native_hash::seeded(5);
        const any_filter ours = make_filter(request);
        ASSERT_EQ(c_bytes(theirs.get()), native_bytes(ours));
        expect_same(ours, theirs.get());
    }
}

TEST(CSameAnswers, OfEveryLayout) {
    for (std::uint32_t at = 0; bloomery_layout_name(at) != nullptr; ++at) {
        SCOPED_TRACE(bloomery_layout_name(at));
        bloomery_options options = bloomery_options_init();
        options.items = 4000;
        options.rate = 0.001;
        options.layout = bloomery_layout_name(at);
        const c_filter theirs = made_in_c(options);
        const layout_kind layout = *plan::layout_named(bloomery_layout_name(at));
        const any_filter ours =
            make_filter(plan::for_rate(items{4000}, rate{0.001}, layout), {}, {4000, 0.001});
        expect_same(ours, theirs.get());
        any_filter filled = ours;
        filled.insert_many(keys().texts);
        const bloomery_keys texts = keys().text_keys();
        ASSERT_EQ(bloomery_clear(theirs.get()), BLOOMERY_OK);
        ASSERT_EQ(bloomery_insert_many(theirs.get(), &texts), BLOOMERY_OK);
        EXPECT_EQ(c_bytes(theirs.get()), native_bytes(filled));
    }
}

TEST(CSameAnswers, OfEveryFormat) {
    std::size_t tried = 0;
    for (const format::foreign_format* const format : format::foreign_formats()) {
        if (format->create == nullptr) continue;
        SCOPED_TRACE(format->name);
        const std::string name(format->name);
        bloomery_options options = bloomery_options_init();
        options.items = 4000;
        options.rate = 0.02;
        options.format = name.c_str();
        format::foreign_options said;
        said.n = items{4000};
        said.p = rate{0.02};
        const std::string with_funnel = name + ",funnel=utf8"; // which one format wants
        said.funnel = "utf8";
        bloomery_filter* made = nullptr;
        std::optional<any_filter> ours;
        try {
            ours = format->create(said);
        } catch (const error&) { // it wants other options than these
            EXPECT_NE(bloomery_new_with(&options, &made), BLOOMERY_OK);
            continue;
        }
        const c_filter theirs = made_in_c(options);
        ours->insert_many(std::span(keys().texts).first(100));
        bloomery_keys texts = keys().text_keys();
        texts.count = 100;
        ASSERT_EQ(bloomery_insert_many(theirs.get(), &texts), BLOOMERY_OK);
        if (format->encode != nullptr) {
            EXPECT_EQ(c_bytes(theirs.get(), with_funnel.c_str()),
                      format::encoded(*ours, *format, said));
        }
        ++tried;
    }
    EXPECT_GE(tried, 25U);
}

TEST(CSameAnswers, OfDigestsAndIntegers) {
    const filter ours{items{4000}, rate{0.01}};
    bloomery_filter* made = nullptr;
    ASSERT_EQ(bloomery_new(4000, 0.01, &made), BLOOMERY_OK);
    const c_filter theirs(made);
    const bloomery_keys integers = keys().integer_keys();
    std::vector<bloomery_digest> digests(key_count);
    ASSERT_EQ(bloomery_digest_many(theirs.get(), &integers, digests.data()), BLOOMERY_OK);
    for (std::size_t i = 0; i < key_count; ++i) {
        const auto expected = ours.digest(keys().integers[i]);
        ASSERT_TRUE(digests[i].low == expected.low && digests[i].high == expected.high) << i;
    }
}

TEST(CSameAnswers, OfAPlan) {
    bloomery_options options = bloomery_options_init();
    options.items = 1'000'000;
    options.rate = 0.001;
    bloomery_plan plan = bloomery_plan_init();
    ASSERT_EQ(bloomery_plan_for(&options, &plan), BLOOMERY_OK);
    const filter made{items{1'000'000}, rate{0.001}};
    EXPECT_EQ(plan.bits, made.spec().shape.bit_count);
    EXPECT_EQ(plan.hashes, made.spec().shape.hash_count);
    double rate_at = 0;
    ASSERT_EQ(bloomery_expected_rate(plan.layout, plan.bits, plan.hashes, 2'000'000, &rate_at),
              BLOOMERY_OK);
    EXPECT_EQ(rate_at, plan::expected_rate(made.spec().shape, items{2'000'000}));
}

} // namespace bloomery::testing
