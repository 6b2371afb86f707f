// Converts a d-left filter to words and back.
#include <bloomery/error.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/plan/shape.hpp>

#include <algorithm>

namespace bloomery::inline v0 {
namespace {

constexpr std::uint64_t entry_words = 3; // bucket, remainder, count

void require_dleft(bool holds, const char* sentence) {
    if (!holds) {
        throw bad_data(sentence);
    }
}

detail::dleft_bucket bucket_of(const spec& what) {
    const auto& [tables, cells, remainder, counter, stash, rest0, rest1, rest2] = what.parameters;
    require_dleft(what.kind == filter_kind::dleft && what.shape.layout == layout_kind::classic &&
                      what.scheme == layout::scheme_id::native,
                  "this is not a d-left filter");
    if (tables != dleft_filter::tables || cells != dleft_filter::cells ||
        (rest0 | rest1 | rest2) != 0) {
        throw unsupported("this d-left filter has an unknown number of tables or cells, or "
                          "unknown parameters; a newer version of bloomery may read it");
    }
    require_dleft(remainder >= 8 && remainder <= 56,
                  "a remainder has 8 to 56 bits: the data is damaged");
    require_dleft(counter >= 2 && counter <= 8, "a counter has 2 to 8 bits: the data is damaged");
    require_dleft(stash <= dleft_filter::most_stash_entries,
                  "a stash has at most 1024 entries: the data is damaged");
    return {static_cast<std::uint32_t>(remainder), static_cast<std::uint32_t>(counter)};
}

/// The words of the buckets; the rest, at the front, is the stash.
std::uint64_t checked_words(const spec& what, const detail::dleft_bucket& bucket,
                            std::span<const std::uint64_t> words) {
    constexpr std::uint64_t each = dleft_filter::tables * dleft_filter::cells;
    const std::uint64_t cells = what.shape.bit_count;
    require_dleft(cells != 0 && cells % each == 0 && what.shape.hash_count == dleft_filter::tables,
                  "a d-left filter has four tables of whole buckets: the data is damaged");
    require_dleft(cells <= plan::max_bit_count / 64,
                  "that many cells do not fit into memory: the data is damaged");
    const std::uint64_t of_buckets = (cells / 8 * bucket.width() + 7) / 8;
    require_dleft(!words.empty() && words[0] <= what.parameters[4] &&
                      words.size() == 1 + entry_words * words[0] + of_buckets,
                  "the number of words does not match stash and buckets: the data is damaged");
    return of_buckets;
}

} // namespace

saved_words dleft_filter::saved() const {
    saved_words state;
    state.record.push_back(stash_.size());
    for (const auto& [of, count] : stash_.entries()) {
        state.record.insert(state.record.end(), {of.bucket, of.remainder, count});
    }
    state.arrays.emplace_back(words(), storage_.word_count());
    return state;
}

void dleft_filter::check_cells() const {
    const std::uint64_t end = tables * buckets_ * bucket_.width();
    require_dleft(end % 8 == 0 || words()[end / 8] >> (8 * (end % 8)) == 0,
                  "there is data past the last bucket: the data is damaged");
    for (std::uint64_t at = 0; at < end; at += bucket_.width()) {
        const detail::cell_mask used = bucket_.used(words(), at);
        for (std::uint32_t which = 0; which < cells; ++which) {
            require_dleft((used >> which & 1U) != 0 || bucket_.read(words(), at, which) == 0,
                          "an empty cell is not 0: the data is damaged");
        }
    }
    const char* const twice = "a key is in two cells: the data is damaged";
    each_cell([&](std::size_t table, std::uint64_t bucket, std::uint64_t cell) {
        const std::uint64_t remainder = bucket_.remainder_of(cell);
        const places at = places_of(fingerprint_at(table, bucket, remainder));
        std::uint32_t found = 0;
        for (std::size_t i = table; i < tables; ++i) { // those before have looked at this one
            found += detail::cells_in(bucket_.matches(words(), at[i], remainder));
        }
        require_dleft(found == 1, twice);
    });
    for (const auto& entry : stash_.entries()) {
        require_dleft(!find(places_of(entry.of), entry.of.remainder).found, twice);
    }
}

dleft_filter dleft_filter::restored(const bloomery::spec& what, const design& made_for,
                                    const native_hash& hash, std::span<const std::uint64_t> words) {
    const detail::dleft_bucket bucket = bucket_of(what);
    const std::uint64_t of_buckets = checked_words(what, bucket, words);
    dleft_filter made(what.shape.bit_count / (tables * cells), bucket,
                      static_cast<std::uint32_t>(what.parameters[4]), hash, made_for);
    std::ranges::copy(words.last(of_buckets), made.storage_.data());
    const auto entries = words.subspan(1, words.size() - 1 - of_buckets);
    for (std::size_t i = 0; i < entries.size(); i += entry_words) {
        const fingerprint of{entries[i], entries[i + 1]};
        const std::uint64_t count = entries[i + 2];
        require_dleft(of.bucket < made.buckets_ && of.remainder >> bucket.remainder_bits() == 0 &&
                          count != 0 && count <= made.most(),
                      "an entry of the stash is out of range: the data is damaged");
        require_dleft(made.stash_.empty() || made.stash_.entries().back().of < of,
                      "the stash is not in order: the data is damaged");
        made.stash_.add(of, count);
    }
    made.check_cells();
    return made;
}

} // namespace bloomery::inline v0
