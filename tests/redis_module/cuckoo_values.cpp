// Cuckoo filters of the module as values of a server: saved, loaded, copied, moved.
#include "../../tools/redis-module/cuckoo_type.hpp"
#include "cuckoo_help.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bloomery::testing {
namespace {

class CuckooValues : public ::testing::Test {
protected:
    CuckooValues() {
        EXPECT_EQ(redis_module::register_cuckoo_type(nullptr), redis_module::ok);
        filter_ = cuckoo_shape{50, 3, 7, 2}.made();
        add_numbers(*filter_, 1000);
        filter_->erase(hash_of(17));
        type().rdb_save(file_.as_stream(), filter_.get());
    }
    static const redis_module::type_methods& type() { return fake_server::type("MBbloomCF"); }

    /// What a file holds, or an empty text if it is refused.
    static std::string loaded(fake_file file, int version = 4) {
        void* const value = type().rdb_load(file.as_stream(), version);
        if (value == nullptr) return {};
        std::string all = whole(*static_cast<const cuckoo_filter*>(value));
        type().free(value);
        return all;
    }
    static std::string digest_of(cuckoo_filter& of) {
        fake_digest digest;
        type().digest(digest.as_digest(), &of);
        return digest.bytes;
    }

    fake_server server_;
    std::unique_ptr<cuckoo_filter> filter_;
    fake_file file_;
};

TEST_F(CuckooValues, ComeBackFromAFile) {
    EXPECT_EQ(loaded(file_), whole(*filter_));
    EXPECT_EQ(loaded(file_, 5), "");
}

TEST_F(CuckooValues, AreRefusedWhereverTheFileEnds) {
    const std::int64_t before = fake_server::in_use();
    for (std::size_t size = 0; size < file_.values.size(); ++size) {
        fake_file cut = file_;
        cut.values.resize(size);
        EXPECT_EQ(loaded(cut), "");
    }
    EXPECT_EQ(fake_server::in_use(), before);
}

TEST_F(CuckooValues, AreRefusedWithOtherNumbersThanTheirBytes) {
    constexpr std::size_t items = 2;
    constexpr std::size_t deletes = 3;
    constexpr std::size_t iterations = 5;
    const std::int64_t before = fake_server::in_use();
    for (std::size_t i = 0; i < file_.values.size(); ++i) {
        fake_file other = file_;
        fake_file::value& value = other.values[i];
        if (value.is == fake_file::type::bytes) {
            value.bytes.pop_back();
            EXPECT_EQ(loaded(other), "") << i;
            value.bytes += "12";
            EXPECT_EQ(loaded(other), "") << i;
        } else if (i != items && i != deletes && i != iterations) {
            for (const std::uint64_t number : {std::uint64_t{0}, value.number * 2 + 1,
                                               value.number + (std::uint64_t{1} << 16U)}) {
                value.number = number;
                EXPECT_EQ(loaded(other), "") << i << ' ' << number;
            }
        }
    }
    EXPECT_EQ(fake_server::in_use(), before);
}

// Before version 4, all sub-filters were alike and had nothing to choose.
TEST_F(CuckooValues, OfOldFilesAreAsTheyWereThen) {
    const auto old = cuckoo_shape{.capacity = 64}.made();
    add_numbers(*old, 500);
    fake_file file;
    const auto save = redis_module::server.save_number;
    for (const std::uint64_t number : {old->filters(), std::size_t{32}, std::size_t{500}}) {
        save(file.as_stream(), number);
    }
    for (std::size_t i = 0; i < old->filters(); ++i) {
        const byte_view slots = old->bytes(i);
        redis_module::server.save_bytes(file.as_stream(),
                                        reinterpret_cast<const char*>(slots.data()), slots.size());
    }
    for (const int version : {0, 1, 2, 3}) EXPECT_EQ(loaded(file, version), whole(*old));
    EXPECT_EQ(loaded(file, 4), "");
}

TEST_F(CuckooValues, HaveADigestOfAllThatTheyAre) {
    const auto same = filter_->copy().filter;
    EXPECT_EQ(digest_of(*same), digest_of(*filter_));
    EXPECT_EQ(same->insert(hash_of("one more"), no_limit), cuckoo_outcome::done);
    EXPECT_NE(digest_of(*same), digest_of(*filter_));
    const auto other = cuckoo_shape{50, 3, 8, 2}.made();
    EXPECT_NE(digest_of(*other), digest_of(*cuckoo_shape{50, 3, 7, 2}.made()));
}

TEST_F(CuckooValues, AreCopiedOrNot) {
    const std::int64_t before = fake_server::in_use();
    std::size_t n = 0;
    for (;; ++n) {
        fake_server::refuse_from(n);
        void* const copy = type().copy(nullptr, nullptr, filter_.get());
        if (copy != nullptr) {
            EXPECT_EQ(whole(*static_cast<cuckoo_filter*>(copy)), whole(*filter_));
            type().free(copy);
            break;
        }
        ASSERT_EQ(fake_server::in_use(), before);
    }
    EXPECT_GE(n, filter_->filters() + 1);
    EXPECT_EQ(fake_server::in_use(), before);
}

TEST_F(CuckooValues, AreFreedInTheBackgroundWhenTheyAreLarge) {
    constexpr std::size_t threshold = 64; // the server's
    const auto effort = [](std::uint64_t capacity) {
        const auto filter = cuckoo_shape{.capacity = capacity}.made();
        return type().free_effort(nullptr, filter.get());
    };
    EXPECT_EQ(effort(1000), 1U);
    EXPECT_LE(effort(1'000'000), threshold);
    EXPECT_GT(effort(5'000'000), threshold);
}

TEST_F(CuckooValues, MoveInAnyNumberOfSteps) {
    const std::string before = whole(*filter_);
    for (const std::size_t each : {1U, 2U, 3U, 1000U}) {
        fake_defrag context;
        void* value = filter_.release();
        std::size_t calls = 0;
        bool more = true;
        while (more && calls < 100) {
            context.stop_after = context.moves + each;
            more = type().defrag(context.as_context(), nullptr, &value) != 0;
            ++calls;
        }
        filter_.reset(static_cast<cuckoo_filter*>(value));
        EXPECT_FALSE(more);
        EXPECT_GE(context.moves, filter_->filters());
        EXPECT_EQ(whole(*filter_), before);
        EXPECT_TRUE(filter_->contains(hash_of(3)));
    }
}

} // namespace
} // namespace bloomery::testing
