#include "verbs/first_seen.hpp"

#include <bit>

namespace bloomery::cli {

void first_seen::find(const any_filter& seen, any_filter::digests keys, bitmap& fresh) {
    seen.may_contain_many(keys, maybe_);
    fresh.reset(keys.size());
    found_.clear();
    table_.assign(std::bit_ceil(2 * (keys.size() - maybe_.count()) + 1), 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!maybe_[i] && is_first(keys[i])) {
            fresh.set(i);
        }
    }
}

// Open addressing: the table is at most half full, and a digest is as good as random.
bool first_seen::is_first(digest128 key) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = key.low & mask;; at = (at + 1) & mask) {
        if (table_[at] == 0) {
            found_.push_back(key);
            table_[at] = static_cast<std::uint32_t>(found_.size());
            return true;
        }
        const digest128 other = found_[table_[at] - 1];
        if (other.low == key.low && other.high == key.high) return false;
    }
}

} // namespace bloomery::cli
