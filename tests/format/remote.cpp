// A native file that is queried page by page gives the answers of the filter that was saved.
#include <bloomery/detail/filter/kind_choice.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/remote.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace bloomery::testing {

namespace {

using format::remote_filter;
using format::remote_statistics;

using file = std::vector<std::byte>;

file file_of(const any_filter& of) {
    file made;
    format::encode_native(
        of, [&](byte_view part) { made.insert(made.end(), part.begin(), part.end()); });
    return made;
}

byte_view part_of(const file& all, format::file_range range) {
    return byte_view(all).subspan(range.offset, range.size);
}

std::uint64_t checksum_of(const file& all, const format::native_header& header,
                          std::uint64_t page) {
    return hash::load_le64(part_of(all, format::checksum_range(header, page)).data());
}

/// What a caller does: fetches the missing pages, and passes them on.
std::size_t fetch(remote_filter& into, const file& from, std::span<const digest128> digests) {
    const std::vector<std::uint64_t> pages = into.missing(digests);
    for (const std::uint64_t page : pages) {
        into.put(page, part_of(from, format::page_range(into.header(), page)),
                 checksum_of(from, into.header(), page));
    }
    return pages.size();
}

class Remote : public ::testing::TestWithParam<layout_kind> {
protected:
    Remote()
        : saved_(plan::for_rate(items{20'000}, rate{0.01}, GetParam()), native_hash::seeded(7),
                 {}) {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            saved_.insert(i);
        }
        file_ = file_of(any_filter::view_of(saved_));
    }
    filter saved_;
    file file_;
};

TEST_P(Remote, AnswersAsTheFilterThatWasSaved) {
    remote_filter remote(file_, file_.size());
    std::vector<digest128> digests;
    for (std::uint64_t key = 15'000; key < 30'000; ++key) {
        digests.push_back(remote.hash().integer(key));
    }
    fetch(remote, file_, digests);
    for (std::uint64_t key = 15'000; key < 30'000; ++key) {
        ASSERT_EQ(remote.may_contain(digests[key - 15'000]), saved_.may_contain(key)) << key;
    }
    EXPECT_TRUE(remote.missing(digests).empty());
}

TEST_P(Remote, NeedsOnePageForEachPlaceOfAKey) {
    remote_filter remote(file_, file_.size());
    const digest128 one = remote.hash()(bytes_of(std::string_view("a key")));
    const std::size_t pages = fetch(remote, file_, std::span(&one, 1));
    EXPECT_GE(pages, 1U);
    EXPECT_LE(pages, GetParam() == layout_kind::classic ? saved_.hash_count() : 1U);
    EXPECT_EQ(remote.page_count(), pages);
    remote.forget();
    EXPECT_EQ(remote.page_count(), 0U);
    EXPECT_THROW(static_cast<void>(remote.may_contain(one)), bad_argument);
}

TEST_P(Remote, RefusesAPageThatDoesNotMatchItsChecksum) {
    remote_filter remote(file_, file_.size());
    file_[format::native_header_bytes + 4096 + 5] ^= std::byte{1};
    const auto page = part_of(file_, format::page_range(remote.header(), 1));
    const std::uint64_t sum = checksum_of(file_, remote.header(), 1);
    EXPECT_THROW(remote.put(1, page, sum), bad_data);
    EXPECT_THROW(remote.put(0, page, checksum_of(file_, remote.header(), 0)), bad_data);
    EXPECT_THROW(remote.put(1, page.first(100), sum), bad_data);
    EXPECT_THROW(remote.put(1'000'000, page, sum), bad_argument);
}

TEST_P(Remote, CountsWhatTheFilterCounts) {
    const remote_filter remote(file_, file_.size());
    const format::native_header& header = remote.header();
    remote_statistics counted(header, 10);
    EXPECT_THROW(static_cast<void>(counted.result()), bad_argument);
    for (std::uint64_t page = 0; page < header.chunk_count(); ++page) {
        counted.add(part_of(file_, format::page_range(header, page)),
                    part_of(file_, format::checksum_range(header, page)));
    }
    const statistics now = counted.result();
    const statistics then = saved_.stats();
    EXPECT_EQ(now.bits_set, then.bits_set);
    EXPECT_EQ(now.items.items, then.items.items);
    EXPECT_NEAR(now.expected_rate / then.expected_rate, 1, 1e-9);
    double total = 0;
    for (const double share : counted.density()) {
        total += share;
        EXPECT_NEAR(share, now.fill_ratio, 0.1);
    }
    EXPECT_NEAR(total / 10, now.fill_ratio, 1e-3);
    EXPECT_THROW(remote_statistics(header, 0), bad_argument);
    EXPECT_THROW(remote_statistics(header, header.what.shape.bit_count + 1), bad_argument);
}

INSTANTIATE_TEST_SUITE_P(Layouts, Remote,
                         ::testing::Values(layout_kind::classic, layout_kind::blocked_512,
                                           layout_kind::split_8x32, layout_kind::split_8x64,
                                           layout_kind::split_16x32));

TEST(RemoteFile, RefusesWhatCannotBeQueriedPageByPage) {
    const auto open = [](const file& all) { remote_filter(all, all.size()); };
    const file counting = file_of(make_of_kind(parse_kind("counting"), items{100}, rate{0.01}));
    EXPECT_THROW(open(counting), unsupported);
    format::foreign_options guava;
    guava.n = items{100};
    guava.p = rate{0.01};
    EXPECT_THROW(open(file_of(format::foreign_format_named("guava").create(guava))), unsupported);
    file plain = file_of(filter(items{100}, rate{0.01}));
    EXPECT_NO_THROW(open(plain));
    plain.pop_back();
    EXPECT_THROW(open(plain), bad_data);
    plain.assign(4096, std::byte{0});
    EXPECT_THROW(open(plain), bad_data);
}

TEST(RemoteFile, NeedsTheSecretOfAKeyedFilter) {
    const hash::sip_key secret{1, 2};
    const file all = file_of(filter(items{100}, rate{0.01}, native_hash::keyed(secret)));
    EXPECT_THROW(remote_filter(all, all.size()), bad_argument);
    format::decode_options with;
    with.secret = secret;
    EXPECT_EQ(remote_filter(all, all.size(), with).hash().secret(), secret);
}

} // namespace
} // namespace bloomery::testing
