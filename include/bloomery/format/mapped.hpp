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
#include <bloomery/format/native.hpp>

#include <filesystem>
#include <memory>

namespace bloomery {

/// What a mapped filter is for. There may be one writer at a time, and any number of readers.
enum class map_mode { read_only, read_write };

/// What to do while another writer has the file.
enum class if_locked { wait, refuse };

struct map_options {
    format::decode_options decoding{};
    if_locked locked = if_locked::wait;
};

namespace format {
class mapped_file;
}

/// A filter in a file, with all verbs of any_filter; answers and inserts touch only the pages that
/// they need. Each page is checked against its checksum before its first use, so that a call may
/// throw bad_data for a file that was damaged; a key of a good page is answered nevertheless.
///
/// Readers see the inserts of a writer at once. A reader may be used by several threads at once, a
/// writer by one. `clear` and `intersect` throw unsupported: bits that only ever get set are what
/// makes the file safe; `update` takes bits away. A file that somebody truncates while it is mapped
/// ends the program with SIGBUS; files of network systems should be loaded, not mapped.
class mapped_filter : public any_filter {
public:
    mapped_filter(const mapped_filter&) = delete;
    mapped_filter& operator=(const mapped_filter&) = delete;
    mapped_filter(mapped_filter&&) noexcept = default;
    mapped_filter& operator=(mapped_filter&&) noexcept = default;
    /// Syncs if it can. Call `sync` before to know.
    ~mapped_filter() = default;

    /// Returns when everything inserted is on the disk, and the file is sealed: each checksum is
    /// right again. O(pages changed), and the disk's time. Throws io_error; what was synced before
    /// is safe then, what was inserted since may not be. The system does not tell again what it
    /// lost, so this filter's later inserts and syncs throw too: open the file again.
    void sync();

    /// What the file's header said when it was opened. O(1).
    [[nodiscard]] const format::native_header& header() const noexcept { return header_; }

    /// Whether the file had to be sealed again after a writer that died. O(1).
    [[nodiscard]] bool was_recovered() const noexcept;

private:
    friend mapped_filter map(const std::filesystem::path&, map_mode, const map_options&);
    mapped_filter(any_filter opened, format::native_header header,
                  std::shared_ptr<format::mapped_file> file);

    format::native_header header_;
    std::shared_ptr<format::mapped_file> file_;
};

/// Opens a native file without reading it: O(1) whatever its size, except that a writer of a file
/// which a crash left open checks all of it and seals it again. A writer keeps other writers out
/// until it is gone. Throws io_error (std::errc::operation_would_block if another writer is at work
/// and waiting was not wanted), what decode_native throws, `unsealed` if the policy says so;
/// unsupported for a writer on a big-endian machine, where `update` does it, while a reader loads
/// the file.
[[nodiscard]] mapped_filter map(const std::filesystem::path& path,
                                map_mode mode = map_mode::read_only,
                                const map_options& options = {});

} // namespace bloomery
