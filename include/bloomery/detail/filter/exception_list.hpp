// An exact list of keys, or of their fingerprints, in order of insertion.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/zero_when_moved.hpp>
#include <bloomery/filter/spec.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace bloomery::inline v0 {

/// Options of a list of exceptions.
struct exception_options {
    std::uint64_t most_entries = 65'536;
    bool evict_oldest = false; ///< when the list is full; otherwise it refuses, and counts refusals
    /// Keeps 128 bits of a keyed hash in place of each key: 24 bytes per entry. Two keys collide
    /// once in 3e24 filters of a billion keys.
    bool fingerprints = false;
    /// The secret of the fingerprints; by default that of the filter's hash, or a random one if it
    /// has none. Keep it if you save the filter: decode_options take it.
    std::optional<hash::sip_key> key{};
};

/// A key as the list sees it: bytes, or the eight little-endian bytes of a number, which is a
/// different key from those bytes.
struct listed_key {
    byte_view bytes;
    bool is_number = false;
};

/// The keys for which a filter's answer is known to be wrong. Any number of threads may call const
/// members at once. A moved-from list is empty. Lookups are keyed, so that nobody can craft keys
/// that collide.
class BLOOMERY_EXPORT exception_list {
public:
    /// An empty list. Throws io_error if it needs a random key and the system has none.
    explicit exception_list(const exception_options& options = {});

    /// O(key).
    [[nodiscard]] bool contains(listed_key key) const noexcept;
    /// Lists a key: `ok`, also if it was listed, or `full`. O(key), sometimes O(list); throws
    /// std::bad_alloc.
    status add(listed_key key);
    /// Returns whether the key was listed. O(key), sometimes O(list).
    bool erase(listed_key key) noexcept;
    /// Removes all entries and resets refused().
    void clear() noexcept;

    /// Whether entries of one list mean the same in the other.
    [[nodiscard]] bool comparable_with(const exception_list& other) const noexcept;
    /// The keys that are absent from the union of two filters, given what each claims: an entry
    /// stays if each filter lists it or does not claim it; a fingerprint stays if both list it.
    /// O(both); throws std::bad_alloc and what the questions throw.
    using question = std::function<bool(listed_key)>;
    [[nodiscard]] exception_list in_union_with(const exception_list& other, const question& claims,
                                               const question& other_claims) const;
    /// The keys that are absent from the intersection: the entries of either list. O(both); throws
    /// std::bad_alloc.
    [[nodiscard]] exception_list in_intersection_with(const exception_list& other) const;

    [[nodiscard]] std::uint64_t entry_count() const noexcept { return live_; }
    /// The number of keys that were refused because the list was full.
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
    [[nodiscard]] const exception_options& options() const noexcept { return options_; }
    /// The secret of the fingerprints. Do not disclose it.
    [[nodiscard]] hash::sip_key key() const noexcept { return key_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return entries_.size() + slots_.size() * 8;
    }

    /// Everything but the secret, as words: their number, the kind of filter that the list belongs
    /// to, flags (1: fingerprints, 2: evicts), most entries, refused, the check of the secret, the
    /// number of entries; then each as a word (four times its bytes, plus two for a number) and its
    /// bytes. O(list).
    [[nodiscard]] std::vector<std::uint64_t> saved(filter_kind inner) const;
    /// Restores a list from saved words. Only fingerprints need the secret. O(words). Throws
    /// bad_data for words that no list saved, bad_argument for a missing or wrong secret.
    [[nodiscard]] static exception_list restored(std::span<const std::uint64_t> words,
                                                 std::optional<hash::sip_key> key = {});

private:
    /// A key, or its fingerprint.
    class stored_form;

    [[nodiscard]] std::uint64_t hash_of(listed_key stored) const noexcept;
    /// The offset of the entry of a stored form.
    [[nodiscard]] std::optional<std::size_t> find(listed_key stored) const noexcept;
    [[nodiscard]] std::uint64_t head(std::size_t at) const noexcept;
    [[nodiscard]] std::size_t after(std::size_t at) const noexcept;
    [[nodiscard]] listed_key entry(std::size_t at) const noexcept;
    [[nodiscard]] bool is_dead(std::size_t at) const noexcept;
    void kill(std::size_t at) noexcept;
    void kill_oldest() noexcept;
    status add_stored(listed_key stored);
    void append(listed_key stored);
    void make_room();
    void index(std::size_t at) noexcept;
    void restore_entries(std::span<const std::uint64_t> words, std::uint64_t count);

    exception_options options_;
    hash::sip_key key_;
    // Entries as they are saved, one after another; dead ones stay until they are half of all.
    std::vector<std::byte> entries_;
    std::vector<std::uint64_t> slots_;        ///< open addressing: 1 + where an entry is, 0 if free
    zero_when_moved<std::size_t> oldest_ = 0; ///< all entries before it are dead
    zero_when_moved<std::uint64_t> live_ = 0;
    zero_when_moved<std::uint64_t> dead_ = 0;
    std::uint64_t refused_ = 0;
};

/// The parts of a saved filter with exceptions.
struct excepted_words {
    filter_kind inner;                          ///< the kind of the filter inside
    std::span<const std::uint64_t> list;        ///< for exception_list::restored
    std::span<const std::uint64_t> inner_words; ///< for the filter inside
};

/// Separates such words. O(1). Throws bad_data if they are too few.
[[nodiscard]] BLOOMERY_EXPORT excepted_words split_excepted(std::span<const std::uint64_t> words);

} // namespace bloomery::inline v0
