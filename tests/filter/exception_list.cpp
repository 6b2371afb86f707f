// The list itself: exact, in order, within its limits, and safe to read back.
#include <bloomery/detail/filter/exception_list.hpp>

#include "saved_state.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace bloomery {
namespace {

using testing::flattened;

listed_key text(const std::string& key, bool is_number = false) {
    return {std::as_bytes(std::span(key)), is_number};
}

/// The same list as a vector.
class exception_list_oracle {
public:
    explicit exception_list_oracle(const exception_options& options) : options_(options) {}
    status add(const std::string& key) {
        if (contains(key)) {
            return status::ok;
        }
        if (keys_.size() >= options_.most_entries) {
            if (!options_.evict_oldest || keys_.empty()) {
                ++refused;
                return status::full;
            }
            keys_.erase(keys_.begin());
        }
        keys_.push_back(key);
        return status::ok;
    }
    bool erase(const std::string& key) { return std::erase(keys_, key) != 0; }
    [[nodiscard]] bool contains(const std::string& key) const {
        return std::ranges::find(keys_, key) != keys_.end();
    }
    [[nodiscard]] std::size_t size() const { return keys_.size(); }
    std::uint64_t refused = 0;

private:
    exception_options options_;
    std::vector<std::string> keys_;
};

RC_GTEST_PROP(ExceptionList, IsAListOfKeys,
              (const std::vector<std::tuple<std::uint8_t, std::uint8_t>>& steps, std::uint8_t kind,
               std::uint8_t most)) {
    const exception_options options{most % 50U, (kind & 1) != 0, (kind & 2) != 0,
                                    hash::sip_key{1, 2}};
    exception_list list(options);
    exception_list_oracle expected(options);
    const auto key_of = [](unsigned n) { return std::string(n % 9, 'k') + std::to_string(n); };
    for (unsigned round = 0; round < 4; ++round) {
        for (const auto& [verb, what] : steps) {
            const std::string key = key_of(what + round);
            if (verb % 4 != 0) {
                RC_ASSERT(list.add(text(key)) == expected.add(key));
            } else {
                RC_ASSERT(list.erase(text(key)) == expected.erase(key));
            }
            RC_ASSERT(list.entry_count() == expected.size());
            RC_ASSERT(list.refused() == expected.refused);
        }
        const auto words = list.saved(filter_kind::bloom);
        list = exception_list::restored(words, options.key);
        RC_ASSERT(list.saved(filter_kind::bloom) == words);
        for (unsigned n = 0; n < 260; ++n) {
            RC_ASSERT(list.contains(text(key_of(n))) == expected.contains(key_of(n)));
        }
    }
}

TEST(ExceptionList, StaysSmallWhileKeysComeAndGo) {
    exception_options options;
    options.most_entries = 1000;
    options.evict_oldest = true;
    exception_list list(options);
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        ASSERT_EQ(list.add(text(std::to_string(i))), status::ok);
    }
    EXPECT_EQ(list.entry_count(), 1000U);
    EXPECT_LT(list.byte_count(), 100'000U);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        ASSERT_EQ(list.contains(text(std::to_string(198'000 + i))), i >= 1000) << i;
    }
}

TEST(ExceptionList, RefusesAndCountsAboveItsLimit) {
    exception_list list;
    for (std::uint64_t i = 0; i < 65'600; ++i) {
        ASSERT_EQ(list.add(text(std::to_string(i))), i < 65'536 ? status::ok : status::full);
    }
    EXPECT_EQ(list.refused(), 64U);
    EXPECT_EQ(list.entry_count(), 65'536U);
    list.clear();
    EXPECT_EQ(list.refused(), 0U);
    EXPECT_FALSE(list.contains(text("1")));
    EXPECT_FALSE(list.erase(text("1")));
}

TEST(ExceptionList, KeepsFingerprintsUnderASecretOfItsOwn) {
    exception_options options;
    options.fingerprints = true;
    exception_list a(options);
    exception_list b(options);
    EXPECT_FALSE(a.key() == b.key()) << "drawn at random";
    EXPECT_FALSE(a.comparable_with(b));
    a.add(text("x"));
    const auto words = a.saved(filter_kind::bloom);
    EXPECT_EQ(std::ranges::count(words, a.key().k0), 0) << "the secret is not saved";
    EXPECT_EQ(std::ranges::count(words, a.key().k1), 0);
    EXPECT_THROW((void)exception_list::restored(words), bad_argument);
    EXPECT_THROW((void)exception_list::restored(words, b.key()), bad_argument);
    EXPECT_TRUE(exception_list::restored(words, a.key()).contains(text("x")));
    // 128 bits, of the hash that is promised.
    const digest128 print = hash::siphash_128<1, 3>(text("x").bytes, a.key());
    EXPECT_EQ(words[7], 64U);
    EXPECT_EQ(words[8], print.low);
    EXPECT_EQ(words[9], print.high);
}

TEST(ExceptionList, RefusesEntriesThatNoListHas) {
    exception_list list;
    list.add(text("abc"));
    list.add(text("abd"));
    list.add(text("12345678", true));
    const auto good = list.saved(filter_kind::bloom);
    ASSERT_EQ(good.size(), 7U + 6);
    const auto refused = [&](std::size_t at, std::uint64_t value) {
        auto words = good;
        words.at(at) = value;
        EXPECT_THROW((void)exception_list::restored(words), bad_data) << at << " " << value;
    };
    refused(3, 2); // fewer than there are
    refused(5, 1); // a secret without fingerprints
    refused(6, 2);
    refused(6, 4);
    refused(7, 4 * 3 + 1); // dead
    refused(7, 4 * 3 + 2); // a number of three bytes
    refused(7, 4 * 2);     // shorter than its bytes
    refused(7, ~std::uint64_t{3});
    refused(10, good[8]); // twice
    auto words = good;
    words[2] = 4;
    EXPECT_THROW((void)exception_list::restored(words), unsupported);
}

TEST(ExceptionList, ComesBackFromItsWordsOrNotAtAll) {
    for (const bool fingerprints : {false, true}) {
        exception_options options;
        options.fingerprints = fingerprints;
        options.key = hash::sip_key{5, 6};
        options.most_entries = 40;
        exception_list list(options);
        for (std::uint64_t i = 0; i < 30; ++i) {
            list.add(text(std::string(i % 20, 'a') + std::to_string(i)));
            list.add(text("12345678", true));
        }
        list.erase(text("3"));
        const auto restore = [&](std::span<const std::uint64_t> words) {
            return exception_list::restored(words, options.key);
        };
        const std::size_t refused = testing::damage(list.saved(filter_kind::window), 4000, restore,
                                                    [](exception_list& made) {
                                                        for (std::uint64_t i = 0; i < 60; ++i) {
                                                            made.add(text(std::to_string(i)));
                                                            made.erase(text(std::to_string(i / 2)));
                                                        }
                                                        (void)made.in_intersection_with(made);
                                                        made.clear();
                                                    });
        EXPECT_GT(refused, 800U);
    }
}

} // namespace
} // namespace bloomery
