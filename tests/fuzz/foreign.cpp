// Any bytes for the reader of any foreign format: it refuses them with a typed error, or returns a
// usable filter that is the same after it was written and read again.
//
// The first byte chooses the format, the second the parameters that the bytes do not contain.
#include <bloomery/error.hpp>
#include <bloomery/format/foreign.hpp>

#include "input.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;
using format::foreign_format;
using format::foreign_options;
using fuzz::must;

// The seeds of the corpus know formats by their place here: add new ones at the end.
constexpr std::array<std::string_view, 44> names{"guava",
                                                 "guava-32",
                                                 "guava-java",
                                                 "go",
                                                 "go-json",
                                                 "go-gob",
                                                 "go-fnv",
                                                 "go-fnv-json",
                                                 "go-fnv-gob",
                                                 "dcso",
                                                 "datasketches",
                                                 "hadoop",
                                                 "hadoop-counting",
                                                 "hbase",
                                                 "redisbloom",
                                                 "leveldb",
                                                 "rocksdb",
                                                 "rocksdb-5",
                                                 "parquet",
                                                 "parquet-bitset",
                                                 "parquet-file",
                                                 "cassandra",
                                                 "cassandra-old",
                                                 "redisson",
                                                 "redisson-dump",
                                                 "spark",
                                                 "spark-2",
                                                 "setbit",
                                                 "additive-8",
                                                 "hash-code-6",
                                                 "hash-code-6-mended",
                                                 "hutool-bitmap",
                                                 "hutool-bitset",
                                                 "hutool-default",
                                                 "hutool-elf",
                                                 "hutool-fnv",
                                                 "hutool-hf",
                                                 "hutool-hfip",
                                                 "hutool-js",
                                                 "hutool-pjw",
                                                 "hutool-rs",
                                                 "hutool-sdbm",
                                                 "hutool-tianl",
                                                 "milvus"};

foreign_options options_from(std::uint8_t said) {
    foreign_options options;
    options.limits.largest_filter_bytes = std::uint64_t{1} << 28U; // what the fixed sizes take
    options.limits.most_unseen_bytes = std::uint64_t{1} << 22U;
    if ((said & 1U) != 0) {
        options.m = bits{std::uint64_t{64} << (said >> 1U & 7U)};
        options.k = hashes{1U + (said >> 4U)};
    } else {
        options.n = items{1U + (said >> 1U)};
        options.p = rate{0.1};
    }
    options.funnel = "utf8";
    return options;
}

std::optional<any_filter> decoded(const foreign_format& format, byte_view bytes,
                                  const foreign_options& options) {
    try {
        return format.decode(bytes, options);
    } catch (const error&) { // the only way to refuse
        return std::nullopt;
    }
}

void write_back(const any_filter& found, const foreign_format& format,
                const foreign_options& options) {
    if (format.encode == nullptr) {
        return;
    }
    const std::vector<std::byte> written = format::encoded(found, format, options);
    const std::optional<any_filter> again = decoded(format, written, options);
    must(again.has_value());
    must(*again == found);
    must(format::encoded(*again, format, options) == written);
}

/// Whatever a file says of growth, one key costs no more than the limit or a multiple of the file.
void use(any_filter& found, const format::limits& most) {
    const std::vector<std::string_view> keys{"a", "key", "another key, which is longer than both"};
    for (const std::string_view key : keys) {
        const std::uint64_t before = found.byte_count();
        try {
            found.insert(key);
            must(found.may_contain(key));
            must(found.byte_count() - before <= most_claimed_bytes(before, most.most_unseen_bytes));
        } catch (const error&) { // a key without a place, a filter that is full or only for reading
        }
    }
    const statistics now = found.stats();
    must(now.bits_set <= now.bit_count && now.expected_rate >= 0 && now.expected_rate <= 1);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    must(format::foreign_formats().size() == names.size());
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    const foreign_format& format =
        format::foreign_format_named(names.at(from.byte() % names.size()));
    const foreign_options options = options_from(from.byte());
    const byte_view bytes = from.rest();
    static_cast<void>(format::detect(bytes));
    std::optional<any_filter> found = decoded(format, bytes, options);
    // Arrays of a fixed size of 128 MiB and more would leave time for little else.
    if (!found || found->spec().shape.bit_count > std::uint64_t{1} << 26U) {
        return 0;
    }
    write_back(*found, format, options);
    use(*found, options.limits);
    if (format.facts != nullptr) {
        static_cast<void>(format.facts(*found));
    }
    return 0;
}
