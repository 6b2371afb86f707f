#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>

#include "native_parts.hpp"
#include "posix_file.hpp"
#include "replacement.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace bloomery::inline v0 {

using namespace format; // NOLINT(google-build-using-namespace): this is the format's other face

namespace {

namespace fs = std::filesystem;

/// Writes in one pass, although the header comes first and contains the number of ones.
std::uint64_t write_native(const replacement& fresh, unwritten source, const fs::path& path) {
    const auto write = [&](byte_view part) { write_all(fresh.fd(), part, path); };
    source.header.state = {};
    source.header.state.bits_set = encode_native(source.header, source.words, write);
    write_at(fresh.fd(), 0, encode_native_header(source.header), path);
    return source.header.state.bits_set;
}

} // namespace

std::uint64_t save(const unwritten& source, const std::string& path, if_exists policy) {
    std::uint64_t ones = 0;
    replace_file(path, policy,
                 [&](const replacement& fresh) { ones = write_native(fresh, source, path); });
    return ones;
}

void save(const any_filter& source, const std::string& path, if_exists policy,
          const encode_options& options) {
    save(unwritten{header_of(source, options), words_of(source)}, path, policy);
}

any_filter load(const std::string& path, const decode_options& options) {
    native_reader reader(path, options);
    const native_header& header = reader.header();
    const native_hash hash = naming(path, [&] { return hash_for(header, options.secret); });
    auto words = naming(path, [&] { return storage::heap_words<>(header.payload_bytes() / 8); });
    const std::span<std::uint64_t> all{words.data(), words.word_count()};
    constexpr std::size_t at_once = 256 * native_chunk_words;
    std::uint64_t ones = 0;
    for (std::size_t first = 0; first < all.size(); first += at_once) {
        const auto piece = all.subspan(first, std::min(at_once, all.size() - first));
        reader.read(first, piece);
        ones += count_ones(piece);
    }
    reader.check_whole(ones, all.back());
    return naming(path, [&] { return made_filter(header, std::move(words), hash, options); });
}

native_header load_header(const std::string& path, const limits& most) {
    return native_reader(path, {most}).header();
}

std::uint64_t rewrite(const std::string& path, const std::function<unwritten()>& with) {
    const fs::path target = resolve(path);
    const descriptor held = open_locked(target, false);
    const native_header old = load_header(path);
    unwritten made = with();
    made.header.comment = old.comment;
    if (old.secret && made.header.what.hash == old.what.hash &&
        made.header.what.seed == old.what.seed) {
        made.header.secret = old.secret;
    }
    replacement fresh(target);
    const std::uint64_t ones = write_native(fresh, std::move(made), path);
    fresh.commit(if_exists::replace);
    return ones;
}

void update(const std::string& path, const std::function<void(any_filter&)>& change,
            const decode_options& options) {
    std::optional<any_filter> loaded;
    rewrite(path, [&] {
        // We hold the lock ourselves, so it does not mean another writer.
        const native_state found = load_header(path, options.limits).state;
        naming(path, [&] { check_policy(found, options.policy, [] { return false; }); });
        loaded = load(path, options);
        change(*loaded);
        return unwritten{header_of(*loaded), words_of(*loaded)};
    });
}

} // namespace bloomery::inline v0
