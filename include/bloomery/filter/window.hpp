// A filter for streams that never end: it remembers the last keys, or those of the last hour.
#pragma once

#include <bloomery/filter/fact.hpp>
#include <bloomery/filter/key_calls.hpp>
#include <bloomery/filter/saved_words.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/words.hpp>
#include <bloomery/zero_when_moved.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace bloomery {

namespace plan {
struct window_plan_t;
} // namespace plan

/// What a window does when more keys come within its time than it was made for.
enum class when_crowded : std::uint8_t {
    shorten,  ///< forgets early: the rate holds, the window does not (window_shortened() tells)
    overfill, ///< remembers all: the window holds, the rate does not (stats() tells)
};

/// How a window moves on.
struct window_options {
    std::uint32_t generations = 8; ///< 8 or 16: a window is 1/7 or 1/15 longer than asked for
    /// How long a key is remembered, in the unit of the clock that `advance` is given; 0: the
    /// window is a number of keys and takes no notice of time.
    std::uint64_t span = 0;
    bool refresh = true; ///< a key that comes again is remembered from then on, not from the first
    when_crowded policy = when_crowded::shorten; ///< with a span only

    friend bool operator==(const window_options&, const window_options&) = default;
};

/// The keys of a stream's last n inserts, or of its last span of time. `insert` asks and adds in
/// one: it tells whether the key surely was not seen within the window. There is no false negative
/// within the window (but without `refresh`, a key that it falsely claimed when it came was not
/// written, and is denied early); what is a seventh (8 generations) older than it is forgotten.
///
/// G generations share the places of a key: bit g of a cell belongs to generation g, so that one
/// probe asks all of them. When the newest is full, or its time is over, the oldest is cleared and
/// becomes the newest: one pass over all words, which happens G - 1 times a window. With a span, a
/// generation is kept until its last key is older than that, or until its place is needed.
///
/// The class reads no clock: tell it the time by `advance`, before inserting, often enough.
///
/// A filter that was moved from denies every key; inserting into it throws bad_argument.
///
/// Threads: any number may call const members at once; a call that changes the filter must be
/// alone. It has no merge, because generations of two streams have no common order. Costs are
/// given for k probes and w words.
///
/// Its parameters in the spec:
///   0  generations          2  span
///   1  keys a generation    3  1 if it refreshes, + 2 if crowds overfill it
/// Its shape in the spec has the number of cells.
class window_filter : public key_calls<window_filter> {
public:
    /// For a window of n keys at a rate of p; with a span, n is the most keys expected in it. They
    /// may come evenly or all at once; a burst after a quiet time can be a crowd from n / (G - 1)
    /// keys on. O(w). Throws bad_argument for n = 0, p outside (0, 1), and generations other than 8
    /// and 16; memory_refused.
    window_filter(items n, rate p, const window_options& options = {},
                  const native_hash& hash = {});

    using key_calls<window_filter>::insert;
    using key_calls<window_filter>::may_contain;

    /// Adds a key and tells whether it surely was not in the window. O(k), O(w) when a generation
    /// is full.
    insertion insert(digest128 key) {
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
    /// False: the key surely was not inserted within the window. True: it was, or not long before,
    /// or the filter errs. O(k), 4.5 probes for a typical absent key.
    [[nodiscard]] bool may_contain(digest128 key) const noexcept { return lanes_of(key) != 0; }
    BLOOMERY_INLINE void prefetch(digest128 key) const noexcept {
        each_cell(key, [this](std::uint64_t at) {
            __builtin_prefetch(storage_.data() + (at >> word_shift_), 0, 2);
            return true;
        });
    }

    /// Tells the time, in any unit and from any origin, as long as they stay the same. Forgets what
    /// is too old; the first call only sets the clock. A clock that goes backwards is ignored.
    /// Without a span nothing happens. O(w) when a generation's time is over, O(1) otherwise.
    void advance(std::uint64_t now) noexcept;
    /// Ends the current generation and forgets the oldest. O(w).
    void rotate() noexcept;

    /// Whether a crowd made it forget keys before their time since it was made or cleared.
    [[nodiscard]] bool window_shortened() const noexcept { return early_ != 0; }
    /// Forgets every key; the clock stays. O(w).
    void clear() noexcept;

    [[nodiscard]] const window_options& options() const noexcept { return options_; }
    /// Keys that a generation takes; G - 1 of them make a window.
    [[nodiscard]] std::uint64_t generation_capacity() const noexcept { return capacity_; }
    /// Keys in the current generation.
    [[nodiscard]] std::uint64_t generation_items() const noexcept { return taken_; }

    [[nodiscard]] std::uint64_t byte_count() const noexcept { return storage_.word_count() * 8; }
    [[nodiscard]] bloomery::spec spec() const noexcept;
    /// Cells and how many are in use, the distinct keys that these tell of, and the exact rate of
    /// the cells as they are. O(w + G 2^G).
    [[nodiscard]] statistics stats() const;
    /// The rate to expect after n distinct keys: it rises until every generation is full. With
    /// overfilling: when n keys are in the window, evenly. O(1).
    [[nodiscard]] double fpp_at(items n) const;
    [[nodiscard]] std::vector<fact> facts() const;

    /// Current generation, its keys, when it began, the time, whether the clock was set, how many
    /// generations were forgotten early, how many ended ones a span keeps; when each of those
    /// ended, the oldest first; then the cells.
    [[nodiscard]] saved_words saved() const;
    /// The filter of saved words. O(w). Throws bad_data for what no filter saved, unsupported for
    /// parameters of a newer version, memory_refused.
    [[nodiscard]] static window_filter restored(const bloomery::spec& what, const design& made_for,
                                                const native_hash& hash,
                                                std::span<const std::uint64_t> words);

    /// Equal specs, clocks and cells. O(w).
    friend bool operator==(const window_filter& a, const window_filter& b);

private:
    window_filter(const native_hash& hash, const design& made_for, const window_options& options,
                  const plan::window_plan_t& planned);
    window_filter(const native_hash& hash, const design& made_for, const window_options& options,
                  const plan::shape& cells, std::uint64_t capacity);

    template <class Visit>
    void each_cell(digest128 key, Visit visit) const {
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
    /// Where the bits of a cell start in its word.
    [[nodiscard]] std::uint32_t start_of(std::uint64_t at) const noexcept {
        return static_cast<std::uint32_t>(at & ((1U << word_shift_) - 1)) * options_.generations;
    }
    /// The generations in which a key may be, a bit for each.
    [[nodiscard]] std::uint64_t lanes_of(digest128 key) const noexcept {
        std::uint64_t lanes = (std::uint64_t{1} << options_.generations) - 1;
        each_cell(key, [&](std::uint64_t at) {
            lanes &= storage_.data()[at >> word_shift_] >> start_of(at);
            return lanes != 0;
        });
        return lanes;
    }
    void write(digest128 key) noexcept {
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
    /// Takes another generation, or, if that would forget what must be kept, stays.
    void end_generation() noexcept;
    /// Clears the generations that are too old at that time.
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

} // namespace bloomery
