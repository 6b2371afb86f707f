// Any bytes at the loader: it refuses with a typed error, or gives a filter that writes itself back
// as the same bytes. With the first byte odd the header's checksum is made right first, or nearly
// all inputs would stop there.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/xxh3.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using bloomery::byte_view;

namespace {

void must(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void mend_checksums(std::vector<std::byte>& file) {
    namespace hash = bloomery::hash;
    constexpr std::size_t page = bloomery::format::native_header_bytes;
    if (file.size() < page) {
        return;
    }
    const std::uint64_t sum = hash::xxh3_64{}(byte_view{file.data(), page - 8}).value;
    hash::store_le64(file.data() + page - 8, sum);
    if (file.size() < page + 16 || file.size() > page + 65536) {
        return;
    }
    const byte_view payload{file.data() + page, file.size() - page - 8};
    hash::store_le64(file.data() + file.size() - 8, hash::xxh3_64{1}(payload).value);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const byte_view input = std::as_bytes(std::span(data, size));
    std::vector<std::byte> file(input.begin() + 1, input.end());
    if (data[0] % 2 == 1) {
        mend_checksums(file);
    }
    try {
        bloomery::any_filter found = bloomery::format::decode_native(file);
        const std::string comment = bloomery::format::decode_native_header(file).comment;
        std::vector<std::byte> again;
        bloomery::format::encode_native(
            found, [&](byte_view part) { again.insert(again.end(), part.begin(), part.end()); },
            comment);
        must(again == file);
        const std::vector<std::string_view> keys{"a", "", "key"};
        bloomery::bitmap maybe;
        found.insert_many(keys);
        found.may_contain_many(keys, maybe);
        must(maybe.count() == keys.size());
        static_cast<void>(found.stats());
    } catch (const bloomery::error&) { // the only way to refuse
    }
    return 0;
}
