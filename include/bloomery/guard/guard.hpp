// A filter between a client and its data set: what is surely absent never gets there.
//
//     client  ⇄  filter  ⇄  cache  ⇄  source
//
// docs/guard.md tells the pattern, the order of writes and what is promised in each failure.
#pragma once

#include <bloomery/guard/core.hpp>
#include <bloomery/guard/filters.hpp>
#include <bloomery/guard/numbers.hpp>
#include <bloomery/guard/options.hpp>
#include <bloomery/guard/store.hpp>
#include <bloomery/guard/stores.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery {

/// See above. Any number of threads may call any function at once.
///
/// What is promised, as long as all who write to the source do it through this guard (others: see
/// `catch_up`): a key that the source has is never refused, whatever other threads write, while the
/// filter is made anew, after a kill and after a power failure. A `get` sees every `put` and
/// `erase` that returned before it began; with a cache that another process fills too, values may
/// be as old as its entries live.
template <guard_filter Filter, store::cache Cache, store::source Source>
class guard {
public:
    /// Opens the filter's file, brings it up to date if the source tells what came since, and
    /// otherwise makes the filter by a scan of the source: see guard_options. Throws bad_argument
    /// for options that contradict each other, io_error if the file's folder does not let us write
    /// or another guard has the file, what the source throws when it is scanned.
    guard(Cache cache, Source source, guard_options options = {})
        : core_(std::make_unique<detail::cache_model<Cache>>(std::move(cache)),
                std::make_unique<detail::source_model<Source>>(std::move(source)),
                detail::maker_of<Filter>(), std::move(options)) {}

    /// The value of a key, or nothing if the source has no such key. The filter answers for most
    /// absent keys, without a trip; then the cache, then the source. Of threads that ask for one
    /// key at the same time one goes there. Throws store::unavailable if only the source could tell
    /// and it is down, store::store_error if it refuses. A cache that is down is gone round.
    [[nodiscard]] std::optional<std::string> get(std::string_view key) { return core_.get(key); }

    /// The same for many keys, in their order: one pass of the filter, one batch to the cache, one
    /// to the source. Throws as get; then none is answered.
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(store::keys keys) {
        return core_.get_many(keys);
    }

    /// Sets the value of a key: the filter first, then the source, then the old value leaves the
    /// cache. Throws what the source throws; the filter may then claim a key that is not there, and
    /// never denies one that is. A filter that cannot take the key, because its disk fails, is let
    /// go and made anew.
    void put(std::string_view key, std::string_view value) { core_.put(key, value); }

    /// Removes a key: from the source, then from a filter that can forget it, then from the cache.
    /// A filter that cannot has it on the list of exceptions, and loses it when it is made anew.
    /// True if the source had it. Throws what the source throws.
    bool erase(std::string_view key) { return core_.erase(key); }

    /// Makes the filter anew from the source, sized for what it has now, and returns when it
    /// answers. All other calls go on meanwhile. Throws what the source and the file throw; the
    /// filter is then the one it was, or the new one if it was the last checkpoint that failed.
    void rebuild() { core_.rebuild(); }
    /// The same in the background: numbers() tells when it has ended. False if one is under way.
    bool start_rebuild() { return core_.start_rebuild(); }

    /// Takes in what others have written to the source past this guard, since the last mark; by a
    /// whole scan if the source cannot tell. Until it returns, their keys may be refused. Throws
    /// what the source throws.
    void catch_up() { core_.catch_up(); }

    /// Returns when the filter's file and the note beside it are on the disk: after a power failure
    /// only what came later is to be read from the source again. Looks for a fill that is not
    /// natural, too. Puts wait for it, gets do not. Throws io_error, what the source throws.
    void checkpoint() { core_.checkpoint(); }

    /// What has been counted. Some microseconds, at times a few milliseconds; waits for a
    /// checkpoint that is under way.
    [[nodiscard]] guard_numbers numbers() const { return core_.numbers(); }

private:
    // When it ends it makes a last checkpoint, if it can, and a rebuild under way comes to its end
    // at the next batch of keys.
    detail::guard_core core_;
};

} // namespace bloomery
