// Milvus's filters: Parquet's bits, and whether integers, texts or both were added.
#pragma once

#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/hash/xxh64.hpp>
#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/digest.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>

namespace bloomery::inline v0::format {

/// The kinds of keys, as bits of Milvus's header.
inline constexpr std::uint64_t milvus_integers = 1;
inline constexpr std::uint64_t milvus_texts = 2;
inline constexpr std::uint64_t milvus_both = 3;

/// XXH64 in the low word, the kind of the key in the high one: an integer and the text of the same
/// eight bytes have the same bits, and only the kind tells them apart.
struct milvus_hash {
    static constexpr hash::hash_id id = hash::parquet_hash::id;
    static constexpr bool is_avalanching = true;

    [[nodiscard]] digest128 operator()(byte_view text) const noexcept {
        return {hash::xxh64(text), milvus_texts};
    }
    [[nodiscard]] digest128 integer(std::uint64_t number) const noexcept {
        std::array<std::byte, sizeof number> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>(number >> (8 * i) & 0xffU);
        }
        return {hash::xxh64(bytes), milvus_integers};
    }
    friend constexpr bool operator==(milvus_hash, milvus_hash) = default;
};

/// What the header says besides the number of blocks.
struct milvus_note {
    std::uint64_t declared = 0;  ///< the number of keys that it was made for
    std::uint64_t rate_bits = 0; ///< a double, as stored in the file
    std::uint64_t domains = 0;   ///< the kinds of keys that were added
    friend bool operator==(const milvus_note&, const milvus_note&) = default;
};

/// The digests as Parquet has them.
[[nodiscard]] inline auto narrow(std::span<const digest128> keys) {
    return std::views::transform(keys, [](digest128 key) { return digest64{key.low}; });
}
/// The same bits as a filter of Parquet.
template <class Other>
[[nodiscard]] auto plain(const Other& other) {
    using view =
        basic_filter<parquet_filter::layout_type, parquet_filter::hash_type, storage::viewed_words>;
    return view(other.layout(), storage::viewed_words(other.words()), {}, other.made_for());
}

/// Denies keys of a kind that was never added, like Milvus.
class milvus_kept {
public:
    using layout_type = parquet_filter::layout_type;
    using hash_type = milvus_hash;
    using digest_type = digest128;
    using digests = std::span<const digest128>;

    milvus_kept(parquet_filter made, milvus_note kept) : note(kept), bits_(std::move(made)) {}

    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return digest_of(hash(), key);
    }
    void insert(digest128 key) { (void)try_insert(key); }
    [[nodiscard]] bool try_insert(digest128 key) {
        require_kind(key);
        note.domains |= key.high;
        return bits_.try_insert(digest64{key.low});
    }
    [[nodiscard]] bool may_contain(digest128 key) const {
        return holds_kind(key) && bits_.may_contain(digest64{key.low});
    }
    void insert_many(digests keys) {
        note_kinds(keys);
        bits_.insert_many(narrow(keys));
    }
    void try_insert_many(digests keys, bitmap& fresh) {
        note_kinds(keys);
        bits_.try_insert_many(narrow(keys), fresh);
    }
    void may_contain_many(digests keys, bitmap& maybe) const {
        bits_.may_contain_many(narrow(keys), maybe);
        for (std::size_t i = 0; note.domains != milvus_both && i < keys.size(); ++i) {
            if (!holds_kind(keys[i])) {
                maybe.set(i, false);
            }
        }
    }

    [[nodiscard]] compatibility compatible_with(const milvus_kept& other) const {
        return bits_.compatible_with(other.bits_);
    }
    /// Bits that do not tell which kind their keys have may be those of either.
    template <class Other>
    void merge(const Other& other) {
        if constexpr (requires { other.bits_; }) {
            bits_.merge(other.bits_);
            note.domains |= other.note.domains;
        } else {
            bits_.merge(plain(other));
            note.domains = milvus_both;
        }
    }
    template <class Other>
    void intersect(const Other& other) {
        if constexpr (requires { other.bits_; }) {
            bits_.intersect(other.bits_);
            note.domains &= other.note.domains;
        } else {
            bits_.intersect(plain(other));
        }
    }
    void clear() noexcept {
        bits_.clear();
        note.domains = 0;
    }

    friend bool operator==(const milvus_kept& a, const milvus_kept& b) {
        return a.note.domains == b.note.domains && a.bits_ == b.bits_;
    }
    [[nodiscard]] bloomery::spec spec() const noexcept { return bits_.spec(); }
    [[nodiscard]] design made_for() const noexcept { return bits_.made_for(); }
    [[nodiscard]] statistics stats() const { return bits_.stats(); }
    [[nodiscard]] double rate_at(items n) const { return bits_.rate_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return bits_.words(); }
    [[nodiscard]] const layout_type& layout() const noexcept { return bits_.layout(); }
    [[nodiscard]] milvus_hash hash() const noexcept { return {}; }

    milvus_note note;

private:
    static bool is_kind(std::uint64_t high) noexcept {
        return high == milvus_integers || high == milvus_texts;
    }
    /// A digest of another filter does not tell the kind of its key: it may be in.
    [[nodiscard]] bool holds_kind(digest128 key) const noexcept {
        return !is_kind(key.high) || (key.high & note.domains) != 0;
    }
    static void require_kind(digest128 key) {
        if (!is_kind(key.high)) {
            throw bad_argument("this digest is of another filter, and does not tell whether its "
                               "key is an integer or a text, as Milvus requires; hash the key with "
                               "this filter");
        }
    }
    void note_kinds(digests keys) {
        std::uint64_t kinds = 0;
        for (const digest128& key : keys) {
            require_kind(key);
            kinds |= key.high;
        }
        note.domains |= kinds;
    }

    parquet_filter bits_;
};

} // namespace bloomery::inline v0::format
