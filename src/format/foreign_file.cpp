#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include "foreign_parts.hpp"
#include "posix_file.hpp"
#include "replacement.hpp"

#include <string>

namespace bloomery::inline v0 {

using namespace format; // NOLINT(google-build-using-namespace): this is the format's other face

namespace {

namespace fs = std::filesystem;

std::vector<std::byte> read_foreign(const descriptor& file, const fs::path& path,
                                    const limits& most) {
    const std::uint64_t length = length_of(file, path);
    // Room for a header and attached data, in addition to the filter.
    constexpr std::uint64_t room = std::uint64_t{1} << 20U;
    if (length > most.largest_filter_bytes + room) {
        refuse_size(path.string() + ": the file", length, most);
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(length));
    bytes.resize(read_at(file, 0, bytes, path));
    return bytes;
}

void write_foreign(const replacement& fresh, const any_filter& source, const fs::path& path,
                   const foreign_format& format, const foreign_options& options) {
    format.encode(source, [&](byte_view part) { write_all(fresh.fd(), part, path); }, options);
}

} // namespace

std::vector<std::byte> read_whole(const std::string& path, const limits& most) {
    return read_foreign(open_regular(path), path, most);
}

std::vector<std::byte> read_start(const std::string& path, std::size_t wanted) {
    std::vector<std::byte> bytes(wanted);
    bytes.resize(read_at(open_regular(path), 0, bytes, path));
    return bytes;
}

any_filter load(const std::string& path, const foreign_format& format,
                const foreign_options& options) {
    const std::vector<std::byte> bytes = read_whole(path, options.limits);
    return naming(path, [&] { return format.decode(bytes, options); });
}

void save(const any_filter& source, const std::string& path, const foreign_format& format,
          const foreign_options& options, if_exists policy) {
    require_writable(format, source);
    replace_file(path, policy, [&](const replacement& fresh) {
        write_foreign(fresh, source, path, format, options);
    });
}

void update(const std::string& path, const foreign_format& format,
            const std::function<void(any_filter&)>& change, const foreign_options& options) {
    require_writable(format);
    const fs::path target = resolve(path);
    const descriptor held = open_locked(target, false);
    const std::vector<std::byte> bytes = read_foreign(held, path, options.limits);
    any_filter loaded = naming(path, [&] { return format.decode(bytes, options); });
    change(loaded);
    replacement fresh(target);
    write_foreign(fresh, loaded, path, format, options);
    fresh.commit(if_exists::replace);
}

} // namespace bloomery::inline v0
