// A filter with one answer for every key: what some systems read from a file without bits.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/hash/foreign.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/layout/foreign_schemes.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/layout/classic.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

namespace bloomery::inline v0::format {

/// Always answers "maybe", or always "definitely not", like a filter of a single bit. Nothing can
/// be added to it, because its file has no room for a bit; it keeps the file's bytes.
class constant_filter {
public:
    /// What any_filter calls it where it refuses a verb.
    static constexpr const char* noun =
        "a filter without bits, which gives every key the same answer,";
    using layout_type = layout::classic<layout::leveldb_scheme>;
    using hash_type = hash::leveldb_filter_hash;
    using digest_type = digest64;

    /// `like` names the scheme and the hash of the format's other filters.
    constant_filter(bool answer, byte_view file, const spec& like)
        : word_(answer ? 1 : 0), file_(file.begin(), file.end()),
          spec_{filter_kind::constant, like.scheme, like.hash, like.seed,
                plan::shape{layout_kind::classic, 1, 1}} {}

    [[nodiscard]] byte_view file() const noexcept { return file_; }

    template <class Key>
    [[nodiscard]] digest64 digest(const Key& /*key*/) const noexcept {
        return {0};
    }
    [[nodiscard]] bool may_contain(digest64 /*key*/) const noexcept { return word_ != 0; }
    template <class Keys>
    void may_contain_many(const Keys& keys, bitmap& maybe) const {
        maybe.reset(std::ranges::size(keys));
        for (std::size_t at = 0; at < maybe.bit_count(); ++at) {
            maybe.set(at, word_ != 0);
        }
    }

    friend bool operator==(const constant_filter&, const constant_filter&) = default;
    [[nodiscard]] bloomery::spec spec() const noexcept { return spec_; }
    [[nodiscard]] design made_for() const noexcept { return {}; }
    [[nodiscard]] statistics stats() const { return statistics_of(spec_.shape, word_); }
    [[nodiscard]] double rate_at(items /*n*/) const noexcept { return word_ != 0 ? 1 : 0; }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return {&word_, 1}; }
    [[nodiscard]] layout_type layout() const noexcept {
        return layout_type(layout::trusted{}, spec_.shape);
    }
    [[nodiscard]] hash_type hash() const noexcept { return {}; }

private:
    std::uint64_t word_;
    std::vector<std::byte> file_;
    bloomery::spec spec_;
};

} // namespace bloomery::inline v0::format
