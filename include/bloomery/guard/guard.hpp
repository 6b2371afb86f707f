// A filter between clients and a data set: requests for keys that are definitely absent never reach
// it.
//
//     client  ⇄  filter  ⇄  cache  ⇄  source
//
// docs/guard.md explains the pattern, the order of writes and what happens in each failure.
#pragma once

#include <bloomery/detail/guard/core.hpp>
#include <bloomery/detail/guard/filters.hpp>
#include <bloomery/detail/guard/stores.hpp>
#include <bloomery/guard/numbers.hpp>
#include <bloomery/guard/options.hpp>
#include <bloomery/guard/store.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

/// A guard in front of a source. Thread-safe.
///
/// Guarantee, as long as all writes to the source go through this guard (for others, see
/// `catch_up`): a key that the source has is never refused, whatever other threads write, during a
/// rebuild, after a kill and after a power failure. A `get` sees every `put` and `erase` that
/// returned before it began. If another process fills the cache too, values may be stale until
/// their entries expire.
template <guard_filter Filter, store::cache Cache, store::source Source>
class guard {
public:
    /// Opens the filter's file and brings it up to date if the source can tell what was written
    /// since; otherwise builds the filter by scanning the source: see guard_options. Throws
    /// bad_argument for contradictory options, io_error if the file's folder is not writable or
    /// another guard has the file, and what the source throws during the scan.
    guard(Cache cache, Source source, guard_options options = {})
        : core_(detail::guard_core::make(
              std::make_unique<detail::cache_model<Cache>>(std::move(cache)),
              std::make_unique<detail::source_model<Source>>(std::move(source)),
              detail::maker_of<Filter>(), std::move(options))) {}

    /// The value of a key, or nothing if the source has no such key. The filter answers for most
    /// absent keys, without a round trip; then the cache is queried, then the source. If several
    /// threads request one key at the same time, one of them makes the request. Throws
    /// store::unavailable if only the source could answer and it is down, store::store_error if it
    /// refuses. If the cache is down, it is bypassed.
    [[nodiscard]] std::optional<std::string> get(std::string_view key) { return core_->get(key); }

    /// The same for many keys, in order: one pass over the filter, one batch to the cache, one to
    /// the source. Throws like get; no key is answered then.
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(store::keys keys) {
        return core_->get_many(keys);
    }

    /// Sets the value of a key: first in the filter, then in the source; then the old value is
    /// removed from the cache. Throws what the source throws; the filter may then claim a key that
    /// does not exist, but never denies one that does. A filter that cannot add the key because its
    /// disk fails is discarded and rebuilt.
    void put(std::string_view key, std::string_view value) { core_->put(key, value); }

    /// Removes a key: from the source, then from a filter that supports erase, then from the cache.
    /// With other filters, the key goes onto the exception list and leaves the filter at the next
    /// rebuild. True if the source had it. Throws what the source throws.
    bool erase(std::string_view key) { return core_->erase(key); }

    /// Rebuilds the filter from the source, sized for its current contents, and returns when the
    /// new filter answers. All other calls continue meanwhile. Throws what the source and the file
    /// throw; the old filter is then still in use, or the new one if only the last checkpoint
    /// failed.
    void rebuild() { core_->rebuild(); }
    /// The same in the background: numbers() shows when it has ended. False if one is in progress.
    bool start_rebuild() { return core_->start_rebuild(); }

    /// Adds what others have written to the source past this guard since the last mark; does a full
    /// scan if the source cannot tell. Until it returns, their keys may be refused. Throws what the
    /// source throws.
    void catch_up() { core_->catch_up(); }

    /// Returns when the filter's file and its note are on disk: after a power failure, only later
    /// writes have to be read from the source again. Also checks for a crafted fill. Puts wait for
    /// it, gets do not. Throws io_error, and what the source throws.
    void checkpoint() { core_->checkpoint(); }

    /// The counters. Takes some microseconds, sometimes a few milliseconds; waits for a checkpoint
    /// in progress.
    [[nodiscard]] guard_numbers numbers() const { return core_->numbers(); }

private:
    // The destructor makes a last checkpoint, if possible, and stops a rebuild in progress at its
    // next batch of keys.
    std::unique_ptr<detail::guard_core> core_;
};

} // namespace bloomery::inline v0
