#include "ranges.hpp"

#include <bloomery/detail/hash/bits.hpp>

#include "choice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <new>

namespace bloomery::inline v0::kernel {
namespace {

/// Blocks `first` up to `end`.
struct block_range {
    std::uint64_t first;
    std::uint64_t end;
};

/// The least low word whose block is `wanted` or a later one; `wanted` is less than `blocks`.
std::uint64_t least_low(std::uint64_t blocks, std::uint64_t wanted) noexcept {
    std::uint64_t below = 0; // the words up to here are in earlier blocks
    if (wanted == 0) {
        return 0;
    }
    for (std::uint64_t bit = std::uint64_t{1} << 63U; bit != 0; bit >>= 1U) {
        if (hash::fastrange(below | bit, blocks) < wanted) {
            below |= bit;
        }
    }
    return below + 1;
}

low_words low_words_of(std::uint64_t blocks, block_range range) noexcept {
    const std::uint64_t from = least_low(blocks, range.first);
    const std::uint64_t last = range.end == blocks ? std::numeric_limits<std::uint64_t>::max()
                                                   : least_low(blocks, range.end) - 1;
    return {from, last - from};
}

// Keys of both kinds, for templates.
struct hashed_batch {
    using key = digest128;
    static constexpr source from = source::hashed;
    digests keys;

    [[nodiscard]] const key* data() const noexcept { return keys.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return keys.size(); }
    void keep(const bulk_functions& with, std::size_t at, std::size_t count, low_words wanted,
              kept_keys<key>& into) const noexcept {
        with.keep_digests(keys.data() + at, count, wanted, into);
    }
    [[nodiscard]] static job work(const key* some, std::size_t count, bool ask,
                                  std::uint64_t* answers = nullptr) noexcept {
        return {some, nullptr, count, 0, answers, ask};
    }
};
struct integer_batch {
    using key = std::uint64_t;
    static constexpr source from = source::integers;
    integers all;

    [[nodiscard]] const key* data() const noexcept { return all.keys.data(); }
    [[nodiscard]] std::size_t size() const noexcept { return all.keys.size(); }
    void keep(const bulk_functions& with, std::size_t at, std::size_t count, low_words wanted,
              kept_keys<key>& into) const noexcept {
        with.keep_integers(all.keys.data() + at, count, all.seed, wanted, into);
    }
    [[nodiscard]] job work(const key* some, std::size_t count, bool ask,
                           std::uint64_t* answers = nullptr) const noexcept {
        return {nullptr, some, count, all.seed, answers, ask};
    }
};

/// This many keys are looked through at a time; as many that were kept are set at a time.
constexpr std::size_t piece = 1024;

/// Inserts the keys of a batch whose blocks are in a range. `into.words` may be such that only the
/// words of that range exist.
template <class Batch>
void insert_range(const target& into, const Batch& batch, block_range range) noexcept {
    const bulk_functions& with = functions_for(into);
    const auto set = with.at<verb::insert>(into.layout, Batch::from, access::alone);
    const std::uint64_t bits = plan::facts_of(into.layout).block_bits;
    const bool ask = is_far((range.end - range.first) * bits);
    if (range.end - range.first == into.block_count) {
        set(into, batch.work(batch.data(), batch.size(), ask));
        return;
    }
    const low_words wanted = low_words_of(into.block_count, range);
    std::array<typename Batch::key, 2 * piece + keep_overrun> room;
    kept_keys<typename Batch::key> kept{room.data(), 0};
    for (std::size_t at = 0; at < batch.size(); at += piece) {
        batch.keep(with, at, std::min(piece, batch.size() - at), wanted, kept);
        if (kept.count >= piece) {
            set(into, batch.work(room.data(), piece, ask));
            kept.count -= piece;
            std::copy_n(room.begin() + piece, kept.count, room.begin());
        }
    }
    if (kept.count != 0) {
        set(into, batch.work(room.data(), kept.count, ask));
    }
}

template <class Batch>
void insert_part_of(const target& into, const Batch& batch, std::size_t part,
                    std::size_t parts) noexcept {
    const std::uint64_t each = into.block_count / parts;
    const std::uint64_t more = into.block_count % parts; // the first parts get one block more
    const auto first = [=](std::uint64_t of) { return each * of + std::min(of, more); };
    const block_range range{first(part), first(part + 1)};
    if (range.first != range.end) {
        insert_range(into, batch, range);
    }
}

/// Whole cache lines of zeros, if there is memory.
class own_words {
public:
    explicit own_words(std::uint64_t count) noexcept
        : words_(static_cast<std::uint64_t*>(::operator new(
              static_cast<std::size_t>(count) * sizeof(std::uint64_t), line, std::nothrow))) {
        if (words_ != nullptr) {
            std::fill_n(words_, count, 0);
        }
    }
    ~own_words() { ::operator delete(words_, line); }
    own_words(const own_words&) = delete;
    own_words& operator=(const own_words&) = delete;

    [[nodiscard]] std::uint64_t* get() const noexcept { return words_; }

private:
    static constexpr std::align_val_t line{64};

    std::uint64_t* words_;
};

/// Moves the bits of `own` into words that threads share.
void merge_and_clear(std::uint64_t* own, std::uint64_t* shared, std::uint64_t count) noexcept {
    for (std::uint64_t i = 0; i < count; ++i) {
        // Words without a new bit are not even read: those of a file may not be checked yet.
        if (own[i] != 0) {
            if ((own[i] & ~load_shared(shared + i)) != 0) {
                or_shared(shared + i, own[i]);
            }
            own[i] = 0;
        }
    }
}

/// Whether most of some keys, from all over the batch, are in the array. Such keys cost no atomic
/// operation.
template <class Batch>
bool are_mostly_in(const target& into, const Batch& batch) noexcept {
    constexpr std::size_t samples = 4;
    constexpr std::size_t each = 64;
    const auto ask =
        functions_for(into).at<verb::contains>(into.layout, Batch::from, among_threads);
    std::size_t found = 0;
    for (std::size_t i = 0; i < samples; ++i) {
        const std::size_t at = batch.size() / samples * i;
        std::uint64_t answers = 0;
        ask(into,
            batch.work(batch.data() + at, std::min(each, batch.size() - at), false, &answers));
        found += static_cast<std::size_t>(std::popcount(answers));
    }
    return found > samples * each / 2;
}

/// The batch is looked through once per range: with more ranges than this, atomic operations are
/// faster.
constexpr std::uint64_t most_ranges = 8;

template <class Batch>
bool insert_merging(const target& into, const Batch& batch) noexcept {
    if (into.layout == layout_kind::classic || into.block_count == 0) {
        return false;
    }
    const std::uint64_t block_words = plan::facts_of(into.layout).block_bits / 64;
    const std::uint64_t blocks =
        std::clamp<std::uint64_t>(cache_byte_count() / 2 / 8 / block_words, 1, into.block_count);
    if (batch.size() / block_words < into.block_count || // less than a key per word
        into.block_count / blocks >= most_ranges || are_mostly_in(into, batch)) {
        return false;
    }
    const own_words own(blocks * block_words);
    if (own.get() == nullptr) {
        return false;
    }
    for (std::uint64_t first = 0; first < into.block_count; first += blocks) {
        const block_range range{first, std::min(first + blocks, into.block_count)};
        target part = into;
        // Where block 0 would be if `own` began with the first block of the range. As a number,
        // because no array is there.
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        part.words = reinterpret_cast<std::uint64_t*>(
            reinterpret_cast<std::uintptr_t>(own.get()) -
            static_cast<std::uintptr_t>(first * block_words * sizeof(std::uint64_t)));
        insert_range(part, batch, range);
        merge_and_clear(own.get(), into.words + first * block_words,
                        (range.end - range.first) * block_words);
    }
    return true;
}

} // namespace

void insert_part(const target& into, digests keys, std::size_t part, std::size_t parts) noexcept {
    insert_part_of(into, hashed_batch{keys}, part, parts);
}
void insert_part(const target& into, integers keys, std::size_t part, std::size_t parts) noexcept {
    insert_part_of(into, integer_batch{keys}, part, parts);
}

bool insert_by_merging(const target& into, digests keys) noexcept {
    return insert_merging(into, hashed_batch{keys});
}
bool insert_by_merging(const target& into, integers keys) noexcept {
    return insert_merging(into, integer_batch{keys});
}

} // namespace bloomery::inline v0::kernel
