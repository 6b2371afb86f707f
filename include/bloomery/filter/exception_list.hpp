// An exact list of keys, or of their fingerprints, in the order in which they came.
#pragma once

#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/siphash.hpp>
#include <bloomery/key/bytes.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/zero_when_moved.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace bloomery {

/// What a list of exceptions keeps, and how much of it.
struct exception_options {
    std::uint64_t most_entries = 65'536;
    bool evict_oldest = false; ///< where the list is full; otherwise it refuses, and counts
    /// Keeps 128 bits of a keyed hash in place of each key: 24 bytes an entry. Two keys meet once
    /// in 3e24 filters of a billion keys.
    bool fingerprints = false;
    /// The secret of the fingerprints; if none is given, that of the filter's hash, or a random one
    /// if that has none. Keep it if you save the filter: decode_options take it.
    std::optional<hash::sip_key> key{};
};

/// A key as the list sees it: bytes, or the eight little-endian bytes of a number, which is another
/// key than those bytes.
struct listed_key {
    byte_view bytes;
    bool is_number = false;
};

/// The keys for which a filter's answer is known to be wrong. Copyable; any number of threads may
/// call const members at once. One that was moved from is empty. Lookups are keyed, so that nobody
/// can craft keys that collide.
class exception_list {
public:
    /// An empty list. Throws io_error if it needs a random key and the system has none.
    explicit exception_list(const exception_options& options = {});

    /// O(key).
    [[nodiscard]] bool contains(listed_key key) const noexcept;
    /// Lists a key: `ok`, also if it was, or `full`. O(key), O(list) at times; throws
    /// std::bad_alloc.
    status add(listed_key key);
    /// Whether the key was listed. O(key), O(list) at times.
    bool erase(listed_key key) noexcept;
    /// Forgets all entries, and how many were refused.
    void clear() noexcept;

    /// Whether entries of the one mean the same in the other.
    [[nodiscard]] bool comparable_with(const exception_list& other) const noexcept;
    /// What is still absent from the union of two filters, given what each of them claims: an entry
    /// stays if each lists it or does not claim it. Of fingerprints those stay that both list.
    /// O(both); throws std::bad_alloc and what the questions throw.
    using question = std::function<bool(listed_key)>;
    [[nodiscard]] exception_list in_union_with(const exception_list& other, const question& claims,
                                               const question& other_claims) const;
    /// What is absent from the intersection: entries of either. O(both); throws std::bad_alloc.
    [[nodiscard]] exception_list in_intersection_with(const exception_list& other) const;

    [[nodiscard]] std::uint64_t entry_count() const noexcept { return live_; }
    /// How many keys found the list full. Nothing is refused by a list that evicts.
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
    [[nodiscard]] const exception_options& options() const noexcept { return options_; }
    /// The secret of the fingerprints. Keep it to yourself.
    [[nodiscard]] hash::sip_key key() const noexcept { return key_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return entries_.size() + slots_.size() * 8;
    }

    /// Everything but the secret, as words: their number, the kind of filter that the list belongs
    /// to, flags (1: fingerprints, 2: evicts), most entries, refused, the check of the secret, the
    /// number of entries; then each as a word (four times its bytes, plus two for a number) and its
    /// bytes. O(list).
    [[nodiscard]] std::vector<std::uint64_t> saved(filter_kind inner) const;
    /// The list of saved words, all of them. The secret is needed for fingerprints only. O(words).
    /// Throws bad_data for what no list saved, bad_argument without the secret or for another one.
    [[nodiscard]] static exception_list restored(std::span<const std::uint64_t> words,
                                                 std::optional<hash::sip_key> key = {});

private:
    /// A key, or the fingerprint in its place.
    class stored_form;

    [[nodiscard]] std::uint64_t hash_of(listed_key stored) const noexcept;
    /// Where the entry of a stored form is, or nothing.
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
    // Entries as they are saved, one after another; dead ones stay until half of them are.
    std::vector<std::byte> entries_;
    std::vector<std::uint64_t> slots_;        ///< open addressing: 1 + where an entry is, 0 if free
    zero_when_moved<std::size_t> oldest_ = 0; ///< no entry before it lives
    zero_when_moved<std::uint64_t> live_ = 0;
    zero_when_moved<std::uint64_t> dead_ = 0;
    std::uint64_t refused_ = 0;
};

/// The parts of a saved filter with exceptions.
struct excepted_words {
    filter_kind inner;                          ///< what the filter in it is
    std::span<const std::uint64_t> list;        ///< for exception_list::restored
    std::span<const std::uint64_t> inner_words; ///< for the filter in it
};

/// Takes such words apart. O(1). Throws bad_data if they are too few.
[[nodiscard]] excepted_words split_excepted(std::span<const std::uint64_t> words);

} // namespace bloomery
