// Filters used where they lie: in a file that many processes map, and one may add to.
//
// What a writer's file promises, because inserting only ever sets bits (docs/guarantees.md has the
// tests):
// - after kill -9: every insert that returned is there, since the system's page cache has it;
// - after a power failure: every insert before the last `sync()` that returned is there;
// - with a full disk: nothing changes, because the file has all of its blocks from the beginning.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/limits.hpp>

#include <functional>
#include <string>

namespace bloomery {

/// What a mapped filter is for. There may be one writer at a time, and any number of readers.
enum class map_mode { read_only, read_write };

/// What to do while another writer has the file.
enum class if_locked { wait, refuse };

struct map_options {
    format::decode_options decoding{};
    if_locked locked = if_locked::wait;
    /// Called when a writer has found what one that died left open, and has sealed it again.
    std::function<void()> recovered{};
};

/// Opens a native file without reading it: O(1) whatever its size, except that a writer of a file
/// which a crash left open checks all of it and seals it again. Asking and inserting touch only the
/// pages that they need. Each page is checked against its checksum before its first use, so that
/// every call may throw bad_data for a file that was damaged; a key of good pages is answered
/// nevertheless.
///
/// There may be one writer at a time, which keeps others out as long as it lives: wait for it, or
/// be refused (for ever, if it is the caller's own). Readers see its inserts at once. A reader may
/// be used by several threads at once, a writer by one, and only by the process that opened it: a
/// child of fork must not use it, and its end does not touch the file.
///
/// `sync()` returns when everything inserted is on the disk, and the file is sealed: each checksum
/// is right again. It costs what the pages changed cost, and the disk's time; it throws io_error.
/// What was synced before is safe then, what was inserted since may not be, and since the system
/// does not tell again what it lost, later inserts and syncs throw too: open the file again. When
/// the filter ends it syncs if it can; call `sync` before to know. `clear` and `intersect` throw
/// unsupported: that bits only ever get set is what makes the file safe; `update` takes bits away.
/// Nor does `merge` with an intersection note in the file that its keys cannot be counted any more.
///
/// A file that somebody truncates while it is mapped ends the program with SIGBUS. Files of network
/// systems should be loaded, not mapped.
///
/// Throws io_error (std::errc::operation_would_block if another writer is at work and waiting was
/// not wanted), what decode_native throws, `unsealed` if the policy says so; unsupported for a
/// writer on a big-endian machine, or of a filter of another kind than bloom or with the hashes of
/// another system, where `update` does it; a reader loads such files.
[[nodiscard]] any_filter map(const std::string& path, map_mode mode = map_mode::read_only,
                             const map_options& options = {});

} // namespace bloomery
