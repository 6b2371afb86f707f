// The keys of a scan, gathered into batches of bounded size.
#pragma once

#include <bloomery/guard/store.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::store {

/// Passes on keys, a few thousand at a time, or fewer if they are long.
class scan_batch {
public:
    explicit scan_batch(const key_visitor& visit) : visit_(visit) {}

    /// Copies a key. O(key), amortised; throws std::bad_alloc and what the visitor throws.
    void add(std::string_view key) {
        if (ends_.size() == most_keys || bytes_.size() + key.size() > most_bytes) flush();
        bytes_ += key;
        ends_.push_back(bytes_.size());
    }

    /// Passes on the rest, at the end of the scan. Throws like add.
    void flush() {
        if (ends_.empty()) return;
        views_.clear();
        std::size_t from = 0;
        for (const std::size_t end : ends_) {
            views_.push_back(std::string_view(bytes_).substr(from, end - from));
            from = end;
        }
        visit_(views_);
        ends_.clear();
        bytes_.clear();
        if (bytes_.capacity() > 2 * most_bytes) bytes_.shrink_to_fit(); // a key of many megabytes
    }

private:
    static constexpr std::size_t most_keys = 4096;
    static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

    const key_visitor& visit_;
    std::string bytes_;
    std::vector<std::size_t> ends_;
    std::vector<std::string_view> views_;
};

} // namespace bloomery::inline v0::store
