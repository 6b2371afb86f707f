// Texts hashed in bulk have the digests of single texts, whatever their lengths: all alike, of both
// sides of the lengths between which XXH3 differs, and a change from one to the other in between.
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>

#include "random.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery {
namespace {

struct length_range {
    std::size_t least;
    std::size_t most;
};

/// Texts that end where their memory does, so that a sanitizer sees reads past them.
std::vector<std::string> random_texts(std::size_t count, length_range of) {
    testing::random_source random(of.least + of.most);
    std::vector<std::string> made;
    for (std::size_t i = 0; i < count; ++i) {
        std::string text(of.least + random.below(of.most - of.least + 1), ' ');
        for (char& each : text) {
            each = static_cast<char>(random.next());
        }
        text.shrink_to_fit();
        made.push_back(text);
    }
    return made;
}

std::vector<std::string> texts_of_many_lengths(std::size_t count) {
    std::vector<std::string> made;
    for (const length_range of : {length_range{0, 300},
                                  {17, 64},
                                  {20, 20},
                                  {23, 40},
                                  {40, 40},
                                  {0, 20},
                                  {33, 64},
                                  {64, 66},
                                  {15, 18}}) {
        for (std::string& each : random_texts(count, of)) {
            made.push_back(std::move(each));
        }
    }
    return made;
}

template <class Keys>
void expect_same_in_bulk(const Keys& keys, const filter& one_by_one) {
    filter bulk(one_by_one.layout().shape(), one_by_one.hash(), {});
    bulk.insert_many(keys);
    EXPECT_EQ(bulk, one_by_one);
    EXPECT_EQ(one_by_one.may_contain_many(keys).count(),
              static_cast<std::size_t>(std::ranges::distance(keys)));
}

TEST(KeyLengths, DoNotChangeDigestsInBulk) {
    const std::vector<std::string> keys = texts_of_many_lengths(1000);
    for (const native_hash& hash : {native_hash{}, native_hash::seeded(99), native_hash{}.widened(),
                                    native_hash::keyed(hash::sip_key{})}) {
        filter one_by_one(plan::for_rate(items{keys.size()}, rate{0.001}), hash, {});
        for (const std::string& key : keys) {
            one_by_one.insert(key);
        }
        expect_same_in_bulk(keys, one_by_one);
        expect_same_in_bulk(std::vector<std::string_view>(keys.begin(), keys.end()), one_by_one);
        expect_same_in_bulk(std::deque<std::string>(keys.begin(), keys.end()), one_by_one);
        expect_same_in_bulk(
            std::views::transform(keys, [](const std::string& key) { return key + ""; }),
            one_by_one);
        filter by_threads(one_by_one.layout().shape(), hash, {});
        by_threads.insert_many(keys, threads{2});
        EXPECT_EQ(by_threads, one_by_one);
        const any_filter any(one_by_one);
        std::vector<digest128> digests;
        any.digest_many(std::vector<std::string_view>(keys.begin(), keys.end()), digests);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            ASSERT_EQ(digests[i], one_by_one.digest(keys[i]));
        }
    }
}

} // namespace
} // namespace bloomery
