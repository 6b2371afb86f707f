// Any bytes for the loader: it refuses them with a typed error, or returns a filter that is the
// same after it was written and read again; from memory and from a pipe.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/native.hpp>

#include "native_input.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;

template <class Bytes>
std::optional<any_filter> decoded(const Bytes& bytes, const format::decode_options& options) {
    try {
        return format::decode_native(bytes, options);
    } catch (const error&) { // the only way to refuse
        return std::nullopt;
    }
}

/// Whether `save` could have written the state as it is: a file that was opened since, or whose
/// other record was spoiled, is written back as a new one.
bool is_as_saved(byte_view file, const format::native_state& state) {
    const byte_view other = file.subspan(testing::even_state_at, 64);
    return state.sealed && state.generation == 1 && state.boot == format::native_state{}.boot &&
           std::ranges::all_of(other, [](std::byte b) { return b == std::byte{0}; });
}

void write_back(const any_filter& found, byte_view file) {
    const format::native_header header = format::decode_native_header(file);
    const std::vector<std::byte> again =
        fuzz::encoded(found, {header.comment, header.secret.has_value()});
    must(again.size() == file.size());
    must(!is_as_saved(file, header.state) || std::ranges::equal(again, file));

    format::decode_options options;
    options.secret = found.secret();
    must(fuzz::same(format::decode_native(again, options), found));
    const format::native_header now = format::decode_native_header(again);
    must(now.comment == header.comment && now.secret == header.secret && now.state.sealed);
}

void use(any_filter& found) {
    const std::vector<std::string_view> keys{"a", "", "key"};
    bitmap maybe;
    const bool foreign = found.spec().scheme != layout::scheme_id::native;
    try {
        found.insert_many(keys);
        found.may_contain_many(keys, maybe);
        must(maybe.count() == keys.size() || foreign); // one of them has no empty key
    } catch (const no_place&) {
        must(foreign);
    } catch (const filter_full&) {
        must(found.spec().kind != filter_kind::bloom);
    }
    const statistics now = found.stats();
    must(now.bits_set <= now.bit_count && now.expected_rate >= 0 && now.expected_rate <= 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    const unsigned asked = from.byte();
    const std::vector<std::byte> file = fuzz::file_from(from, asked);
    format::decode_options options = fuzz::options_from(asked);

    std::optional<any_filter> found = decoded(byte_view(file), options);
    // A pipe does not tell its length: the limit is what stands between a promise and the memory.
    options.limits.largest_filter_bytes = 1U << 26U;
    const std::optional<any_filter> piped = decoded(fuzz::pipe_of(file), options);
    must(found.has_value() == piped.has_value());
    if (found) {
        must(fuzz::same(*found, *piped));
        must(options.policy != after_crash::refuse ||
             format::decode_native_header(file).state.sealed);
        write_back(*found, file);
        use(*found);
    }
    return 0;
}
