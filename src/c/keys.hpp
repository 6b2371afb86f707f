// Turns the keys of a caller into runs for the bulk calls of a filter.
#pragma once

#include <bloomery/detail/key/key_encoding.hpp>
#include <bloomery/hash/digest.hpp>

#include "handle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bloomery::inline v0::c {

/// How many keys of one run are gathered on the stack. A multiple of 64, so that the answers of
/// every run begin at a byte boundary.
inline constexpr std::size_t run_length = 1024;
/// The same for keys that are not copied: many, because each bulk call has a fixed cost.
inline constexpr std::size_t long_run_length = 16'384;

/// Which keys a run consists of. Excluded keys are not in it.
struct run_place {
    std::uint64_t first;
    std::size_t count;
    const std::uint64_t* valid; ///< a bit for each; nullptr: all

    [[nodiscard]] bool has(std::size_t i) const noexcept {
        return valid == nullptr || (valid[i / 64] >> i % 64 & 1) != 0;
    }
    /// The index of the n-th key of the run among the caller's keys. O(count).
    [[nodiscard]] std::uint64_t index_of(std::size_t n) const noexcept {
        std::size_t i = 0;
        while (i < count && (!has(i) || n-- != 0)) {
            ++i;
        }
        return first + i;
    }
};

/// A key of the caller that cannot be read, and its index.
struct bad_key : bad_argument {
    bad_key(std::uint64_t index, const std::string& sentence) : bad_argument(sentence), at(index) {
        note_key(at);
    }
    std::uint64_t at;
};

template <class T>
[[nodiscard]] T load(const void* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Refuses the offsets of a key, and says why.
[[noreturn]] void refuse_offsets(const bloomery_keys& keys, std::uint64_t at, std::int64_t begin,
                                 std::int64_t end);

/// Texts by offsets, as Arrow has them: a range that makes each text when it is asked for it, and
/// checks its offsets then. Throws bad_argument for offsets that cannot be true.
template <class Offset>
class offset_texts {
    using position = std::make_unsigned_t<Offset>; // negative offsets are beyond every limit

public:
    class iterator {
    public:
        using value_type = std::string_view;
        using difference_type = std::ptrdiff_t;

        explicit iterator(const offset_texts& of) noexcept
            : of_(&of), data_(reinterpret_cast<std::uintptr_t>(of.keys_->data)), // NOLINT: or null
              limit_(of.limit_), next_(of.offset_at(1)), last_(of.offset_at(of.size())),
              begin_(load<position>(of.offset_at(0))) {}

        [[nodiscard]] std::string_view operator*() const {
            const position size = load<position>(next_) - begin_;
            if (size > limit_ - begin_) [[unlikely]] { // or it ends before it begins
                of_->refuse(next_);
            }
            return {reinterpret_cast<const char*>(data_ + begin_), // NOLINT: an address
                    static_cast<std::size_t>(size)};
        }
        iterator& operator++() noexcept {
            begin_ = load<position>(next_);
            next_ += sizeof(Offset);
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        [[nodiscard]] bool operator==(std::default_sentinel_t /*end*/) const noexcept {
            return next_ > last_;
        }
        friend std::ptrdiff_t operator-(std::default_sentinel_t /*end*/, const iterator& of) {
            return (of.last_ - of.next_) / static_cast<std::ptrdiff_t>(sizeof(Offset)) + 1;
        }
        friend std::ptrdiff_t operator-(const iterator& of, std::default_sentinel_t end) {
            return -(end - of);
        }

    private:
        const offset_texts* of_;
        std::uintptr_t data_;
        position limit_;
        const std::byte* next_; ///< the offset at which the text ends
        const std::byte* last_;
        position begin_; ///< from 0 to the limit
    };

    offset_texts(const bloomery_keys& keys, const run_place& place) : keys_(&keys), place_(place) {
        constexpr std::uint64_t most = std::numeric_limits<Offset>::max();
        const auto first = load<position>(offset_at(0));
        limit_ = static_cast<position>(std::min(keys.data == nullptr  ? first // then all are empty
                                                : keys.data_size == 0 ? most
                                                                      : keys.data_size,
                                                most));
        if (first > limit_) {
            refuse(offset_at(1));
        }
    }

    [[nodiscard]] iterator begin() const noexcept { return iterator(*this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }
    [[nodiscard]] std::size_t size() const noexcept { return place_.count; }

private:
    [[nodiscard]] const std::byte* offset_at(std::size_t i) const noexcept {
        return static_cast<const std::byte*>(keys_->offsets) + (place_.first + i) * sizeof(Offset);
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(const std::byte* end) const {
        const auto at = static_cast<std::uint64_t>(end - offset_at(1)) / sizeof(Offset);
        refuse_offsets(*keys_, place_.first + at, load<Offset>(end - sizeof(Offset)),
                       load<Offset>(end));
    }

    const bloomery_keys* keys_;
    run_place place_;
    position limit_ = 0; ///< no offset is beyond it
};

/// The keys of a caller.
class key_reader {
public:
    /// Throws bad_argument for an invalid structure, unsupported for one of a later version.
    explicit key_reader(const bloomery_keys* given);

    [[nodiscard]] std::uint64_t count() const noexcept { return keys_.count; }

    /// Encodes keys as this filter needs them (format::encoding_for). Throws bad_argument.
    void adapt_to(const any_filter& of);

    /// Calls `visit(keys, place)` for all runs in order, with integers, strings or digests. Throws
    /// bad_key for an invalid key, after the keys before it have been visited.
    template <class Visit>
    void each_run(Visit visit) {
        switch (source_) {
        case source::integers:
            return each_of<std::uint64_t>(visit);
        case source::texts:
            return each_of<std::string_view>(visit);
        case source::digests:
            return each_of<digest128>(visit);
        case source::encoded:
            return each_of<std::string_view>(visit);
        }
    }

    /// The same for texts by offsets of which all count, as offset_texts, which throws when the
    /// bad key is reached: then its run is visited again, up to that key. False if they are not
    /// such.
    template <class Visit>
    bool each_run_of_offsets(Visit visit) const {
        if (source_ != source::texts || keys_.validity != nullptr) {
            return false;
        }
        if (keys_.form == BLOOMERY_KEYS_OFFSETS32) {
            each_run_of<std::int32_t>(visit);
            return true;
        }
        if (keys_.form == BLOOMERY_KEYS_OFFSETS64) {
            each_run_of<std::int64_t>(visit);
            return true;
        }
        return false;
    }

private:
    /// What the runs consist of.
    enum class source : std::uint8_t { integers, texts, digests, encoded };

    template <class Visit>
    void each_long_run(Visit visit) const {
        for (std::uint64_t at = 0; at < keys_.count; at += long_run_length) {
            const std::uint64_t left = keys_.count - at;
            visit(run_place{
                at, left < long_run_length ? static_cast<std::size_t>(left) : long_run_length,
                nullptr});
        }
    }

    template <class Offset, class Visit>
    void each_run_of(Visit visit) const {
        each_long_run([&](run_place place) {
            try {
                visit(offset_texts<Offset>(keys_, place), place);
            } catch (const bad_key& bad) {
                place.count = bad.at - place.first;
                if (place.count != 0) {
                    visit(offset_texts<Offset>(keys_, place), place);
                }
                throw;
            }
        });
    }

    template <class Key, class Visit>
    void each_of(Visit visit) {
        if (const auto* const all = static_cast<const Key*>(in_place())) {
            return each_long_run([&](const run_place& place) {
                visit(std::span<const Key>(all + place.first, place.count), place);
            });
        }
        std::array<Key, run_length> buffer;
        std::array<std::uint64_t, run_length / 64> valid;
        for (std::uint64_t at = 0; at < keys_.count; at += run_length) {
            const auto visit_first = [&](std::size_t length) {
                const run_place place{at, length, read_validity(at, length, valid.data())};
                visit(std::span<const Key>(buffer.data(), gather(place, buffer.data())), place);
            };
            try {
                visit_first(std::min<std::uint64_t>(run_length, keys_.count - at));
            } catch (const bad_key& bad) { // none of its run has been visited
                visit_first(bad.at - at);
                throw;
            }
        }
    }

    /// All keys, if a filter accepts them as they are: then nothing is copied.
    [[nodiscard]] const void* in_place() const noexcept;
    [[nodiscard]] const std::uint64_t* read_validity(std::uint64_t first, std::size_t count,
                                                     std::uint64_t* into) const noexcept;
    /// Gathers the keys of a run contiguously; returns how many there are.
    std::size_t gather(const run_place& place, std::uint64_t* into) const;
    std::size_t gather(const run_place& place, std::string_view* into);
    std::size_t gather(const run_place& place, digest128* into) const;

    void check_form() const;
    void check_pointers() const;
    [[nodiscard]] source source_of() const;
    [[nodiscard]] bool has_integers() const noexcept;
    [[nodiscard]] bool has_floats() const noexcept;
    std::size_t gather_plain(const run_place& place, std::uint64_t* into) const;
    std::size_t gather_texts(const run_place& place, std::string_view* into) const;
    std::size_t gather_floats(const run_place& place, double* into) const;
    [[nodiscard]] std::string_view view_at(std::uint64_t at) const;
    template <class Offset>
    std::size_t gather_offsets(const run_place& place, std::string_view* into) const;

    bloomery_keys keys_;
    key_encoding encoding_;
    std::int64_t stride_ = 0;
    source source_ = source::integers;
    // Of encoded keys: the bytes of a run, and where each key ends.
    key_bytes encoder_;
    std::string encoded_;
    std::vector<std::size_t> ends_;
};

} // namespace bloomery::inline v0::c
