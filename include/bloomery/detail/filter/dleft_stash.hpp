// The few keys of a d-left filter whose buckets were all full.
#pragma once

#include <bloomery/detail/export.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bloomery::inline v0::detail {

/// What a d-left filter stores about a key: the bucket, and the number in it.
struct dleft_fingerprint {
    std::uint64_t bucket;
    std::uint64_t remainder;
    friend constexpr auto operator<=>(const dleft_fingerprint&, const dleft_fingerprint&) = default;
};

/// Fingerprints with counts, sorted, so that equal contents are equal words in a file.
class BLOOMERY_EXPORT dleft_stash {
public:
    struct entry {
        dleft_fingerprint of;
        std::uint64_t count;
        friend constexpr bool operator==(const entry&, const entry&) = default;
    };

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }

    /// The entry of a fingerprint, or null. O(log size).
    [[nodiscard]] const entry* find(const dleft_fingerprint& of) const noexcept;
    [[nodiscard]] entry* find(const dleft_fingerprint& of) noexcept {
        return const_cast<entry*>(std::as_const(*this).find(of));
    }
    /// Adds a fingerprint that is not in it yet. O(size). Throws std::bad_alloc.
    void add(const dleft_fingerprint& of, std::uint64_t count);
    /// Removes an entry that `find` returned. O(size).
    void remove(const entry* which) noexcept;
    void clear() noexcept { entries_.clear(); }

    friend bool operator==(const dleft_stash&, const dleft_stash&) = default;

private:
    std::vector<entry> entries_;
};

} // namespace bloomery::inline v0::detail
