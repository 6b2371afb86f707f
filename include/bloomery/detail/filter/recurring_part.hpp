// The second part of the recurring-minimum policy: counters for keys whose first ones are doubtful.
#pragma once

#include <bloomery/detail/filter/key_counters.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/places.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/storage/escaped_counters.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/storage/words.hpp>

#include <cstdint>
#include <span>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery::inline v0 {

/// Half as many counters as the filter has, and a Bloom filter with a bit per counter of the
/// filter, which marks the keys that are here. The probes of both continue after the filter's own.
class BLOOMERY_OWN_COPY recurring_part {
public:
    /// Empty. Throws memory_refused, bad_argument.
    recurring_part(const layout::place_rule& first, std::uint32_t counter_bits)
        : counters_({counters_for(first.place_count()), counter_bits},
                    {counters_for(first.place_count()), {first.hash_count()}, first.hash_count()}),
          marks_(first.place_count(), {first.hash_count()}, 2 * first.hash_count()),
          bits_(words_for(first.place_count())) {}

    [[nodiscard]] static constexpr std::uint64_t counters_for(std::uint64_t places) noexcept {
        return places - places / 2;
    }
    [[nodiscard]] static constexpr std::uint64_t words_for(std::uint64_t places) noexcept {
        return places / 64 + (places % 64 != 0 ? 1 : 0);
    }

    /// Whether a key was marked, or this is a false positive. O(k).
    [[nodiscard]] bool is_marked(digest128 key) const noexcept {
        return marks_.each(key, [this](std::uint64_t at) {
            return kernel::bit_at<kernel::access::alone>(bits_.data(), at);
        });
    }
    void mark(digest128 key) noexcept {
        marks_.each(key, [this](std::uint64_t at) {
            bits_.data()[at / 64] |= std::uint64_t{1} << (at % 64);
            return true;
        });
    }

    void clear() {
        counters_.counters().clear();
        std::fill_n(bits_.data(), bits_.word_count(), std::uint64_t{0});
    }

    [[nodiscard]] key_counters<storage::escaped_counters<>>& counters() noexcept {
        return counters_;
    }
    [[nodiscard]] const key_counters<storage::escaped_counters<>>& counters() const noexcept {
        return counters_;
    }
    [[nodiscard]] std::span<const std::uint64_t> marks() const noexcept {
        return {bits_.data(), bits_.word_count()};
    }
    [[nodiscard]] std::span<std::uint64_t> marks() noexcept {
        return {bits_.data(), bits_.word_count()};
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return counters_.counters().byte_count() + 8 * bits_.word_count();
    }

private:
    key_counters<storage::escaped_counters<>> counters_;
    layout::place_rule marks_;
    storage::heap_words<> bits_;
};

} // namespace bloomery::inline v0
