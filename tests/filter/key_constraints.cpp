// Types that are not keys are refused at compile time, by constraints that a program can test.
#include <bloomery/bloomery.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bloomery {
namespace {

template <class Filter, class Key>
concept inserts = requires(Filter& f, const Key& key) { f.insert(key); };
template <class Filter, class Key>
concept tries = requires(Filter& f, const Key& key) { f.try_insert(key); };
template <class Filter, class Key>
concept asks = requires(const Filter& f, const Key& key) { f.may_contain(key); };
template <class Filter, class Key>
concept inserts_many = requires(Filter& f, std::vector<Key>& keys) { f.insert_many(keys); };
template <class Filter, class Key>
concept asks_many =
    requires(const Filter& f, std::vector<Key>& keys, bitmap& to) { f.may_contain_many(keys, to); };

template <class Filter, class Key>
constexpr bool takes = inserts<Filter, Key> && asks<Filter, Key> && inserts_many<Filter, Key> &&
                       asks_many<Filter, Key>;
template <class Filter, class Key>
constexpr bool refuses = !inserts<Filter, Key> && !tries<Filter, Key> && !asks<Filter, Key> &&
                         !inserts_many<Filter, Key> && !asks_many<Filter, Key>;

template <class Filter>
constexpr bool tells_keys_apart =
    takes<Filter, std::string> && takes<Filter, int> && refuses<Filter, double> &&
    refuses<Filter, std::nullptr_t> && refuses<Filter, int*>;

static_assert(tells_keys_apart<filter> && tells_keys_apart<line_filter>);
static_assert(tells_keys_apart<guava_filter> && tells_keys_apart<hadoop_counting_filter>);
static_assert(tells_keys_apart<counting_filter> && tells_keys_apart<window_filter>);
static_assert(tells_keys_apart<scalable_filter> && tells_keys_apart<dleft_filter>);
static_assert(tells_keys_apart<excepted<filter>> && tells_keys_apart<any_filter>);
static_assert(takes<filter, digest128> && refuses<filter, digest64>, "a digest of another width");
static_assert(takes<line_filter, digest64> && refuses<line_filter, digest128>);

TEST(NullKeys, AreRefusedAndChangeNothing) {
    filter f(items{100}, rate{0.01});
    const char* const none = nullptr;
    EXPECT_THROW(f.insert(none), bad_argument);
    EXPECT_THROW((void)f.may_contain(none), bad_argument);
    EXPECT_EQ(f.stats().bits_set, 0U);
    any_filter any = f;
    EXPECT_THROW(any.insert(none), bad_argument);
    counting_filter counting(items{100}, rate{0.01});
    EXPECT_THROW(counting.insert(none), bad_argument);
}

} // namespace
} // namespace bloomery
