// A filter for endless streams: it remembers the last keys, or those of the last hour.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/saved_words.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/words.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// What a window does if more keys arrive within its time than it was made for.
enum class when_crowded : std::uint8_t {
    shorten,  ///< forgets early: keeps the rate, not the window (see window_shortened())
    overfill, ///< remembers all: keeps the window, not the rate (see stats())
};

/// Options of a window filter.
struct window_options {
    std::uint32_t generations = 8; ///< 8 or 16: the window is 1/7 or 1/15 longer than requested
    /// How long a key is remembered, in the unit of the clock given to `advance`; 0: the window is
    /// a number of keys and ignores time.
    std::uint64_t span = 0;
    bool refresh = true; ///< remember a key from its last occurrence, not its first
    when_crowded policy = when_crowded::shorten; ///< only with a span

    friend bool operator==(const window_options&, const window_options&) = default;
};

/// Remembers the keys of a stream's last n inserts, or of its last time span. `try_insert` queries
/// and adds in one call: it returns whether the key was definitely not seen within the window.
/// There are no false negatives within the window (but without `refresh`, a key that was a false
/// positive when it arrived was not written, and is forgotten early). Keys older than the window by
/// more than a seventh (with 8 generations) are forgotten.
///
/// G generations share the positions of a key: bit g of a cell belongs to generation g, so that one
/// probe queries all of them. When the newest is full, or its time is over, the oldest is cleared
/// and becomes the newest: one pass over all words, G - 1 times per window. With a span, a
/// generation is kept until its last key is older than that, or until its bit is needed.
///
/// The class reads no clock: call `advance` with the time, often enough and before inserting.
///
/// A moved-from filter denies every key; inserting into it throws bad_argument.
///
/// Threads: any number may call const members at once; a call that changes the filter needs
/// exclusive access. There is no merge, because the generations of two streams have no common
/// order. Costs are given for k probes and w words.
///
/// Its parameters in the spec:
///   0  generations            2  span
///   1  keys per generation    3  1 if it refreshes, + 2 if it may overfill
/// Its shape in the spec has the number of cells.
class BLOOMERY_EXPORT window_filter : public key_calls<window_filter> {
public:
    /// For a window of n keys at a rate of p; with a span, n is the largest number of keys expected
    /// in it. They may arrive evenly or all at once; a burst after a quiet period can overfill a
    /// generation from n / (G - 1) keys on. O(w). Throws bad_argument for n = 0, p outside (0, 1),
    /// and generations other than 8 and 16; memory_refused.
    window_filter(items n, rate p, const window_options& options = {},
                  const native_hash& hash = {});

    using key_calls<window_filter>::try_insert;
    using key_calls<window_filter>::may_contain;

    /// Adds a key; fresh if it was definitely not in the window. O(k), O(w) when a generation is
    /// full.
    [[nodiscard]] BLOOMERY_OWN_COPY insertion try_insert(digest128 key) {
        if (cell_count_ == 0) [[unlikely]] {
            storage::detail::refuse_moved_from();
        }
        const std::uint64_t seen = lanes_of(key);
        const bool known = (seen >> current_ & 1) != 0 || (seen != 0 && !options_.refresh);
        if (!known) {
            if (taken_ >= capacity_) {
                end_generation();
            }
            write(key);
        }
        return {seen == 0, status::ok};
    }
    /// False: the key was definitely not inserted within the window. True: it was, or not long
    /// before, or this is a false positive. O(k), 4.5 probes for a typical absent key.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept { return lanes_of(key) != 0; }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        each_cell(key, [this](std::uint64_t at) {
            __builtin_prefetch(storage_.data() + (at >> word_shift_), 0, 2);
            return true;
        });
    }

    /// Sets the time, in any unit and from any origin, as long as they stay the same. Forgets what
    /// is too old; the first call only sets the clock. A clock that goes backwards is ignored.
    /// Without a span this is a no-op. O(w) when a generation's time is over, O(1) otherwise.
    void advance(std::uint64_t now) noexcept;
    /// Ends the current generation and forgets the oldest. O(w).
    void rotate() noexcept;

    /// Whether it forgot keys early because too many arrived, since it was created or cleared.
    [[nodiscard]] bool window_shortened() const noexcept { return early_ != 0; }
    /// Removes all keys; keeps the time. O(w).
    void clear() noexcept;

    [[nodiscard]] const window_options& options() const noexcept { return options_; }
    /// The capacity of a generation in keys; G - 1 generations make a window.
    [[nodiscard]] std::uint64_t generation_capacity() const noexcept { return capacity_; }
    /// The number of keys in the current generation.
    [[nodiscard]] std::uint64_t generation_items() const noexcept { return taken_; }

    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// The cells and how many are in use, the estimated number of distinct keys, and the exact rate
    /// of the current cells. O(w + G 2^G).
    [[nodiscard]] statistics stats() const;
    /// The expected rate after n distinct keys: it rises until every generation is full. With
    /// overfilling: the rate with n keys spread evenly over the window. O(1).
    [[nodiscard]] double rate_at(items n) const;
    [[nodiscard]] std::vector<fact> facts() const;

    /// The current generation, its keys, when it began, the time, whether the clock was set, how
    /// many generations were forgotten early, how many ended generations a span keeps; when each of
    /// those ended, the oldest first; then the cells.
    [[nodiscard]] saved_words saved() const;
    /// Restores a filter from saved words. O(w). Throws bad_data for words that no filter saved,
    /// unsupported for parameters of a newer version, memory_refused.
    [[nodiscard]] static window_filter restored(const bloomery::spec& what, const design& made_for,
                                                const native_hash& hash,
                                                std::span<const std::uint64_t> words);

    /// Equal specs, clocks and cells. O(w).
    friend bool operator==(const window_filter& a, const window_filter& b);

private:
    window_filter(const native_hash& hash, const design& made_for, const window_options& options,
                  const plan::shape& cells, std::uint64_t capacity);

    template <class Visit>
    BLOOMERY_OWN_COPY void each_cell(digest128 key, Visit visit) const {
        auto walk = layout::native_scheme::walk(key);
        for (std::uint32_t i = 0; i < hash_count_; ++i) {
            if (!visit(layout::native_scheme::reduce(walk.next(), cell_count_))) {
                return;
            }
        }
    }
    [[nodiscard]] plan::shape cells() const noexcept {
        return {layout_kind::classic, cell_count_, hash_count_};
    }
    /// The offset of a cell's bits in its word.
    [[nodiscard]] std::uint32_t start_of(std::uint64_t at) const noexcept {
        return static_cast<std::uint32_t>(at & ((1U << word_shift_) - 1)) * options_.generations;
    }
    /// The generations in which a key may be, one bit each.
    [[nodiscard]] BLOOMERY_OWN_COPY std::uint64_t lanes_of(digest128 key) const noexcept {
        std::uint64_t lanes = (std::uint64_t{1} << options_.generations) - 1;
        each_cell(key, [&](std::uint64_t at) {
            lanes &= storage_.data()[at >> word_shift_] >> start_of(at);
            return lanes != 0;
        });
        return lanes;
    }
    BLOOMERY_OWN_COPY void write(digest128 key) noexcept {
        each_cell(key, [this](std::uint64_t at) {
            storage_.data()[at >> word_shift_] |= std::uint64_t{1} << (start_of(at) + current_);
            return true;
        });
        began_ = taken_ == 0 ? now_ : began_;
        if (++taken_ >= capacity_ && options_.span == 0) {
            rotate();
        }
    }
    void clear_lanes(std::uint64_t lanes) noexcept;
    /// Starts another generation, unless that would forget keys that must be kept.
    void end_generation() noexcept;
    /// Clears the generations that are too old at the given time.
    void forget(std::uint64_t now) noexcept;
    [[nodiscard]] std::uint32_t oldest() const noexcept {
        return (current_ + options_.generations - kept_) % options_.generations;
    }
    [[nodiscard]] std::uint64_t step() const noexcept;
    [[nodiscard]] std::vector<std::uint64_t> histogram() const;
    void restore_record(std::span<const std::uint64_t> record);

    window_options options_;
    zero_when_moved<std::uint64_t> cell_count_;
    std::uint32_t hash_count_;
    std::uint64_t capacity_;   ///< of a generation
    std::uint32_t word_shift_; ///< cells in a word, as a power of two
    std::uint32_t current_ = 0;
    std::uint64_t taken_ = 0; ///< by the current generation
    bool started_ = false;    ///< the clock was set
    std::uint64_t now_ = 0;
    std::uint64_t began_ = 0; ///< when the current generation got its first key
    std::uint64_t early_ = 0; ///< generations that were forgotten before their time
    /// With a span: how many generations before the current one are kept, and when each ended.
    std::uint32_t kept_ = 0;
    std::array<std::uint64_t, 16> ended_{};
    storage::heap_words<> storage_;
};

template <>
inline constexpr bool detail::is_compiled<window_filter> = true;

} // namespace bloomery::inline v0
