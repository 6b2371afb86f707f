// The filters that a column of a .parquet file has, one for each row group, asked together.
#pragma once

#include <bloomery/filter/foreign.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::inline v0::format {

/// Denies a key that every row group denies. For reading only.
class parquet_groups {
public:
    /// What any_filter calls it where it refuses a verb.
    static constexpr const char* noun = "the filters of several row groups";
    using hash_type = parquet_filter::hash_type;
    using digest_type = parquet_filter::digest_type;

    /// At least one filter.
    parquet_groups(std::string column, std::string type, std::vector<parquet_filter> groups)
        : column_(std::move(column)), type_(std::move(type)), groups_(std::move(groups)) {}

    [[nodiscard]] const std::string& column() const noexcept { return column_; }
    [[nodiscard]] const std::string& type() const noexcept { return type_; }
    [[nodiscard]] std::size_t count() const noexcept { return groups_.size(); }

    template <class Key>
    [[nodiscard]] digest_type digest(const Key& key) const {
        return groups_.front().digest(key);
    }
    [[nodiscard]] bool may_contain(digest_type key) const {
        for (const parquet_filter& one : groups_) {
            if (one.may_contain(key)) {
                return true;
            }
        }
        return false;
    }
    template <class Keys>
        requires keys_for<const Keys&, hash_type>
    void may_contain_many(const Keys& keys, bitmap& maybe) const {
        groups_.front().may_contain_many(keys, maybe);
        bitmap more;
        for (std::size_t i = 1; i < groups_.size(); ++i) {
            groups_[i].may_contain_many(keys, more);
            for (std::size_t word = 0; word * 64 < maybe.bit_count(); ++word) {
                maybe.data()[word] |= more.data()[word];
            }
        }
    }

    friend bool operator==(const parquet_groups&, const parquet_groups&) = default;
    [[nodiscard]] bloomery::spec spec() const noexcept {
        bloomery::spec what = groups_.front().spec();
        what.kind = filter_kind::scalable;
        what.shape.bit_count = byte_count() * 8;
        return what;
    }
    [[nodiscard]] design made_for() const noexcept { return {}; }
    /// The keys of all row groups, those that several have more than once, and the rate of a query
    /// for all of them.
    [[nodiscard]] statistics stats() const {
        std::uint64_t ones = 0;
        plan::cardinality items{};
        double variance = 0;
        double denied = 1;
        for (const parquet_filter& one : groups_) {
            const statistics now = one.stats();
            ones += now.bits_set;
            items.items += now.items.items;
            items.saturated = items.saturated || now.items.saturated;
            variance += now.items.standard_error * now.items.standard_error;
            denied *= 1 - now.expected_rate;
        }
        statistics all = statistics_of(spec().shape, ones);
        items.standard_error = std::sqrt(variance);
        all.items = items;
        all.expected_rate = 1 - denied;
        return all;
    }
    /// With the keys spread evenly over the row groups.
    [[nodiscard]] double rate_at(items n) const {
        double denied = 1;
        for (const parquet_filter& one : groups_) {
            denied *= 1 - one.rate_at(items{n.value / groups_.size()});
        }
        return 1 - denied;
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        std::uint64_t all = 0;
        for (const parquet_filter& one : groups_) {
            all += one.byte_count();
        }
        return all;
    }
    [[nodiscard]] hash_type hash() const noexcept { return {}; }

private:
    std::string column_;
    std::string type_;
    std::vector<parquet_filter> groups_;
};

} // namespace bloomery::inline v0::format
