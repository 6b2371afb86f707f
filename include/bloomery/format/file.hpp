// Filters in files: loaded and saved whole, so that a reader sees the old file or the new one; or
// mapped and used in place, by many processes at once.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/native.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace bloomery::inline v0 {

/// What to do if the file already exists.
enum class if_exists { refuse, replace };

/// Writes a filter to a file: to a temporary file next to it, which is flushed to disk and then
/// renamed, so that a crash or a full disk leaves the old file intact. The temporary file is named
/// PATH.bloomery-N; the next save removes one that a killed process left behind. Waits for a writer
/// that has the file open (forever, if that is the caller's own mapped filter). O(w). Throws
/// io_error (std::errc::file_exists with if_exists::refuse), bad_argument if the target is not a
/// regular file, and what encode_native throws.
BLOOMERY_EXPORT void save(const any_filter& source, const std::string& path,
                          if_exists policy = if_exists::replace,
                          const format::encode_options& options = {});

/// The same for a filter of a known type, without copying it.
template <class Layout, class Hash, class Storage>
void save(const basic_filter<Layout, Hash, Storage>& source, const std::string& path,
          if_exists policy = if_exists::replace, const format::encode_options& options = {}) {
    save(any_filter::view_of(source), path, policy, options);
}

/// Reads the filter in a file. O(w). Throws io_error, and what format::decode_native throws; each
/// message begins with the file name.
[[nodiscard]] BLOOMERY_EXPORT any_filter load(const std::string& path,
                                              const format::decode_options& options = {});

/// The same as a concrete type. Throws unsupported if the file holds a filter of another type.
template <class Filter>
[[nodiscard]] Filter load(const std::string& path, const format::decode_options& options = {}) {
    any_filter found = load(path, options);
    if (Filter* const wanted = found.get_if<Filter>()) {
        return std::move(*wanted);
    }
    throw unsupported(path + ": the file holds a filter of another type");
}

/// Reads only the header: what the filter is and how full, without its bits. O(1). Throws like
/// load.
[[nodiscard]] BLOOMERY_EXPORT format::native_header load_header(const std::string& path,
                                                                const format::limits& most = {});

/// Loads a filter, calls `change` on it and saves it, while a lock keeps other writers out: any
/// number of processes may do this at the same time, and no change is lost. The comment is kept.
/// Use it for changes that a mapped filter cannot make because they clear bits. Throws like load
/// and save, and what `change` throws; the file is then unchanged.
BLOOMERY_EXPORT void update(const std::string& path, const std::function<void(any_filter&)>& change,
                            const format::decode_options& options = {});

/// A filter that is not in memory: the header of its file, and the source of its words.
struct unwritten {
    format::native_header header; ///< its bits_set is ignored
    format::word_source words;
};

/// Writes such a filter like `save`, using 1/512 of its size in memory; returns the number of ones.
/// O(w). Throws like save, and what the source throws.
BLOOMERY_EXPORT std::uint64_t save(const unwritten& source, const std::string& path,
                                   if_exists policy = if_exists::replace);

/// The same, replacing an existing file. Other writers of the file wait from before `with` is
/// called until the file is replaced. The comment of the old file is kept, and so is a stored
/// secret if the new filter has the same one. O(w). Throws like save, and what `with` throws; the
/// file is then unchanged.
BLOOMERY_EXPORT std::uint64_t rewrite(const std::string& path,
                                      const std::function<unwritten()>& with);

/// Removes the temporary files of every save in progress in this process. Meant for the handler of
/// a signal that ends the process, because destructors do not run then. Async-signal-safe. O(1).
BLOOMERY_EXPORT void remove_temporaries() noexcept;

// Filters used in place: in a file that many processes map, and one may add to.
//
// Guarantees for a file that is written in place, because inserting only ever sets bits
// (docs/guarantees.md lists the tests):
// - after kill -9: every insert that returned is present, because the system's page cache has it;
// - after a power failure: every insert before the last `sync()` that returned is present;
// - with a full disk: nothing changes, because the file has all of its blocks from the start.

/// How a filter is mapped. There may be one writer at a time, and any number of readers.
enum class map_mode { read_only, read_write };

/// What to do while another writer has the file.
enum class if_locked { wait, refuse };

struct map_options {
    format::decode_options decoding{};
    if_locked locked = if_locked::wait;
    /// Called after a writer has found a file that a dead writer left open, and has sealed it
    /// again.
    std::function<void()> recovered{};
};

/// Opens a native file without reading it: O(1) whatever its size, except that a writer checks all
/// of a file that a crash left open and seals it again. Queries and inserts touch only the pages
/// that they need. Each page is checked against its checksum before its first use, so every call
/// may throw bad_data if the file is damaged; keys on intact pages are still answered.
///
/// There can be one writer at a time, which keeps others out as long as it exists: they wait, or
/// are refused (waiting for the caller's own writer never ends). Readers see its inserts at once. A
/// reader may be used by several threads at the same time, a writer by one, and only in the process
/// that opened it: a child of fork must not use it, and the child's exit does not touch the file.
///
/// `sync()` returns when everything inserted is on disk and the file is sealed: every checksum is
/// valid again. Its cost is proportional to the changed pages, plus the time of the disk. It throws
/// io_error. In that case, what was synced before is safe, but later inserts may not be. The system
/// reports a write error only once, so later inserts and syncs throw too: open the file again. The
/// destructor syncs if it can; call `sync` first to be sure. `clear` and `intersect` throw
/// unsupported: the file is safe because bits are only ever set; use `update` to clear bits. For
/// the same reason, `merge` with an intersection does not record in the file that its keys can no
/// longer be counted.
///
/// If a file is truncated while it is mapped, the program ends with SIGBUS. Load files on network
/// file systems instead of mapping them.
///
/// Throws io_error (std::errc::operation_would_block with if_locked::refuse if there is another
/// writer), what decode_native throws, and `unsealed` if the policy says so. A writer throws
/// unsupported on a big-endian machine, for a filter of another kind than bloom, and for one with
/// another system's hash: use `update`. A reader loads such files.
[[nodiscard]] BLOOMERY_EXPORT any_filter map(const std::string& path,
                                             map_mode mode = map_mode::read_only,
                                             const map_options& options = {});

} // namespace bloomery::inline v0
