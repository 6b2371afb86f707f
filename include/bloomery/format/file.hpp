// Filters in files: read whole, written so that a reader sees the old file or the new one. To use
// one where it lies, see format/mapped.hpp.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/limits.hpp>
#include <bloomery/format/native.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace bloomery {

/// What to do with a file that is already there.
enum class if_exists { refuse, replace };

/// Writes a filter to a file: to a temporary one beside it, flushed to the disk, then renamed, so
/// that a crash or a full disk leaves what was there before. The temporary file is named
/// PATH.bloomery-N; one that a killed process left is removed by the next save. Waits for a writer
/// that has the file open (for ever, if that is the caller's own mapped filter). O(w). Throws
/// io_error (with std::errc::file_exists when told to refuse), bad_argument for a target that is no
/// regular file, and what encode_native throws.
void save(const any_filter& source, const std::string& path, if_exists policy = if_exists::replace,
          const format::encode_options& options = {});

/// The same for a filter of a known type, of which no copy is made.
template <class Layout, class Hash, class Storage>
void save(const basic_filter<Layout, Hash, Storage>& source, const std::string& path,
          if_exists policy = if_exists::replace, const format::encode_options& options = {}) {
    save(any_filter::view_of(source), path, policy, options);
}

/// Reads the filter in a file. O(w). Throws io_error, and what format::decode_native throws, each
/// with the file's name in front.
[[nodiscard]] any_filter load(const std::string& path, const format::decode_options& options = {});

/// The same as a concrete type. Throws unsupported if the file holds another one.
template <class Filter>
[[nodiscard]] Filter load(const std::string& path, const format::decode_options& options = {}) {
    any_filter found = load(path, options);
    if (Filter* const wanted = found.get_if<Filter>()) {
        return std::move(*wanted);
    }
    throw unsupported(path + ": the file holds a filter of another type");
}

/// Reads the header alone: what the filter is and how full, without its bits. O(1). Throws as load.
[[nodiscard]] format::native_header load_header(const std::string& path,
                                                const format::limits& most = {});

/// Loads a filter, lets `change` work on it and saves it, while a lock keeps other writers out:
/// any number of processes may do this at once and none loses what another added. The comment
/// stays. For changes that a mapped filter cannot make, because they take bits away. Throws as load
/// and save, and what `change` throws; the file is then as it was.
void update(const std::string& path, const std::function<void(any_filter&)>& change,
            const format::decode_options& options = {});

/// A filter that is not in memory: what its file shall say, and where its words come from.
struct unwritten {
    format::native_header header; ///< its count of ones is not looked at
    format::word_source words;
};

/// Writes such a filter as `save` does, in memory of a 512th of it; returns the number of ones.
/// O(w). Throws as save, and what the source throws.
std::uint64_t save(const unwritten& source, const std::string& path,
                   if_exists policy = if_exists::replace);

/// The same in the place of a file that is there, whose other writers wait from before `with` is
/// called until the new one is in its place. The comment of the old file stays, and so does its
/// secret, if it kept it and the new one has the same. O(w). Throws as
/// save, and what `with` throws; the file is then as it was.
std::uint64_t rewrite(const std::string& path, const std::function<unwritten()>& with);

/// Removes the temporary files of every save that is under way in this process. For the handler of
/// a signal that ends the process: the destructors that would remove them do not run then. May be
/// called in a signal handler. O(1).
void remove_temporaries() noexcept;

} // namespace bloomery
