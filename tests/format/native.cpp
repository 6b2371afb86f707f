// The native file: what is written is read, and nothing else is believed.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/bits.hpp>
#include <bloomery/hash/xxh3.hpp>
#include <bloomery/plan/sizing.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ranges>
#include <string>
#include <vector>

namespace bloomery::format {
namespace {

using blob = std::vector<std::byte>;

blob encoded(const any_filter& f, std::string_view comment = {}) {
    blob out;
    encode_native(
        f, [&](byte_view part) { out.insert(out.end(), part.begin(), part.end()); }, comment);
    return out;
}

filter sample(std::uint64_t m = 1000, std::uint32_t k = 5, native_hash h = native_hash::seeded(7)) {
    filter f(bits{m}, hashes{k}, h);
    for (int i = 0; i < 100; ++i) {
        f.insert(i);
    }
    return f;
}

/// Changes a field of the header and makes the checksum right again, as an adversary would.
blob forged(blob file, std::size_t at, std::uint64_t value, unsigned width = 8) {
    for (unsigned i = 0; i < width; ++i) {
        file[at + i] = static_cast<std::byte>(value >> (8 * i));
    }
    const std::uint64_t checksum = hash::xxh3_64{}(byte_view{file.data(), 4088}).value;
    hash::store_le64(file.data() + 4088, checksum);
    return file;
}

filter decoded(const blob& file, const decode_options& options = {}) {
    any_filter found = decode_native(file, options);
    return *found.get_if<filter>();
}

TEST(NativeFile, GivesBackTheFilterThatWasWritten) {
    for (const std::uint64_t m :
         {1ULL, 64ULL, 65ULL, 1000ULL, 524'288ULL, 524'289ULL, 2'000'003ULL}) {
        const filter f = sample(m);
        EXPECT_EQ(decoded(encoded(f)), f) << m;
    }
    EXPECT_EQ(decoded(encoded(sample(1000, 255))), sample(1000, 255));
    const filter planned{items{500}, rate{0.02}};
    EXPECT_EQ(decoded(encoded(planned)).made_for(), planned.made_for());
    EXPECT_EQ(decode_native_header(encoded(planned, "a note")).comment, "a note");
}

TEST(NativeFile, ComesBackWithItsHash) {
    for (const native_hash h : {native_hash{}, native_hash::seeded(99).widened()}) {
        EXPECT_EQ(decoded(encoded(sample(1000, 5, h))).hash(), h);
    }
}

TEST(NativeFile, OfAKeyedFilterNeedsItsSecret) {
    const hash::sip_key secret{1, 2};
    const filter f = sample(1000, 5, native_hash::keyed(secret));
    const blob file = encoded(f);
    EXPECT_EQ(decoded(file, {{}, secret}), f);
    EXPECT_THROW(decode_native(file), bad_argument);
    EXPECT_THROW(decode_native(file, {{}, hash::sip_key{1, 3}}), bad_argument);
    EXPECT_NO_THROW(decode_native_header(file)) << "what it is can be told without the secret";
}

TEST(NativeFile, OfAHashChosenAtCompileTimeIsReadAsTheSameFilter) {
    const auto check = [](const auto& hash, const decode_options& options) {
        basic_filter<layout::classic<>, std::decay_t<decltype(hash)>> f(bits{1000}, hashes{5},
                                                                        hash);
        for (int i = 0; i < 100; ++i) {
            f.insert(i);
        }
        const filter found = decoded(encoded(f), options);
        EXPECT_EQ(found.spec(), f.spec());
        for (int i = 0; i < 100; ++i) {
            EXPECT_TRUE(found.may_contain(i));
        }
    };
    const hash::sip_key secret{3, 4};
    check(hash::xxh3_64{5}, {});
    check(hash::xxh3_128{5}, {});
    check(hash::siphash13_64{secret}, {{}, secret});
    check(hash::siphash13_128{secret}, {{}, secret});
}

TEST(NativeFile, KeepsNoDesignThatItCouldNotRead) {
    EXPECT_THROW(encoded(filter({layout_kind::classic, 100, 2}, {}, design{10, 1.0})),
                 bad_argument);
}

TEST(NativeFile, HasTheSizeThatItsHeaderTells) {
    for (const std::uint64_t m : {1ULL, 524'288ULL, 524'289ULL}) {
        const blob file = encoded(sample(m));
        EXPECT_EQ(file.size(), decode_native_header(file).file_bytes());
        EXPECT_EQ(file.size(), 4096 + (m + 63) / 64 * 8 + (m > 524'288 ? 16U : 8U));
    }
}

TEST(NativeFile, IsRefusedWhenAnySingleBitIsFlipped) {
    blob file = encoded(sample(), "a comment");
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
        const std::byte mask{static_cast<unsigned char>(1U << (bit % 8))};
        file[bit / 8] ^= mask;
        EXPECT_THROW(decode_native(file), bloomery::error) << "bit " << bit;
        file[bit / 8] ^= mask;
    }
    EXPECT_NO_THROW(decode_native(file));
}

TEST(NativeFile, IsRefusedWhenItIsCutAnywhere) {
    const blob file = encoded(sample());
    for (std::size_t length = 0; length < file.size(); ++length) {
        EXPECT_THROW(decode_native(byte_view{file.data(), length}), bad_data) << length;
    }
}

TEST(NativeFile, IsRefusedWhenSomethingFollows) {
    blob file = encoded(sample());
    file.push_back(std::byte{0});
    EXPECT_THROW(decode_native(file), bad_data);
}

TEST(NativeFile, IsRefusedWhenChunksChangedPlaces) {
    filter f(bits{2 * native_chunk_bytes * 8}, hashes{3});
    f.insert(1);
    blob file = encoded(f);
    std::swap_ranges(file.begin() + 4096, file.begin() + 4096 + native_chunk_bytes,
                     file.begin() + 4096 + native_chunk_bytes);
    const std::size_t table = 4096 + 2 * native_chunk_bytes;
    std::swap_ranges(file.begin() + table, file.begin() + table + 8, file.begin() + table + 8);
    EXPECT_THROW(decode_native(file), bad_data);
}

TEST(NativeFile, NamesTheChunkThatIsBad) {
    blob file = encoded(filter(bits{3 * native_chunk_bytes * 8}, hashes{3}));
    file[4096 + native_chunk_bytes + 5] = std::byte{1};
    try {
        static_cast<void>(decode_native(file));
        FAIL();
    } catch (const bad_data& e) {
        EXPECT_NE(std::string(e.what()).find("chunk 1 of 3"), std::string::npos) << e.what();
    }
}

TEST(NativeFile, BelievesNoForgedHeader) {
    const blob file = encoded(sample());
    EXPECT_EQ(forged(file, 24, 7), file) << "the forger writes what was there";
    EXPECT_THROW(decode_native(forged(file, 8, 2, 4)), unsupported) << "a later version";
    EXPECT_THROW(decode_native(forged(file, 16, 9, 2)), unsupported) << "an unknown kind";
    EXPECT_THROW(decode_native(forged(file, 18, 5, 2)), unsupported) << "a layout of later";
    EXPECT_THROW(decode_native(forged(file, 18, 256, 2)), bloomery::error) << "no layout at all";
    EXPECT_THROW(decode_native(forged(file, 20, 1, 2)), unsupported) << "an unknown scheme";
    EXPECT_THROW(decode_native(forged(file, 22, 16, 2)), unsupported) << "a hash that is not ours";
    EXPECT_THROW(decode_native(forged(file, 32, 0)), bad_data) << "no bits";
    EXPECT_THROW(decode_native(forged(file, 32, ~0ULL)), bloomery::error) << "2^64 - 1 bits";
    EXPECT_THROW(decode_native(forged(file, 32, 999)), bad_data) << "a bit past the end is set";
    EXPECT_THROW(decode_native(forged(file, 40, 0, 4)), bad_data) << "no hashes";
    EXPECT_THROW(decode_native(forged(file, 40, 256, 4)), bad_data) << "too many hashes";
    EXPECT_THROW(decode_native(forged(file, 44, 4000, 4)), bad_data) << "a comment past its place";
    EXPECT_THROW(decode_native(forged(file, 56, 0x7ff8000000000000)), bad_data) << "a rate of NaN";
    EXPECT_THROW(decode_native(forged(file, 64, 3)), bad_data) << "a wrong count of bits";
    EXPECT_THROW(decode_native(forged(file, 64, 1001)), bad_data) << "more ones than bits";
    EXPECT_THROW(decode_native(forged(file, 72, 64)), bad_data) << "another payload length";
    EXPECT_THROW(decode_native(forged(file, 80, 4096)), bad_data) << "another chunk length";
    EXPECT_THROW(decode_native(forged(file, 100, 1)), bad_data) << "something in reserved space";
}

// A header that promises 2^39 bytes must be refused for its length, before any memory is asked for.
TEST(NativeFile, AsksForNoMemoryThatTheBytesDoNotBack) {
    blob file = encoded(sample());
    file = forged(file, 32, std::uint64_t{1} << 42);
    file = forged(file, 72, std::uint64_t{1} << 39);
    EXPECT_THROW(decode_native(file), bad_data);
    EXPECT_THROW(decode_native(file, {{.largest_filter_bytes = 1000}, {}}), memory_refused);
}

TEST(NativeFile, RefusesToWriteWhatItCouldNotRead) {
    EXPECT_THROW(encoded(sample(), std::string(2049, 'x')), bad_argument);
    EXPECT_NO_THROW(decode_native(encoded(sample(), std::string(2048, 'x'))));
    struct anonymous {
        std::uint64_t operator()(byte_view bytes) const { return bytes.size(); }
    };
    EXPECT_THROW(encoded(basic_filter<layout::classic<>, anonymous>(bits{64}, hashes{1})),
                 unsupported);
}

TEST(NativeFile, OfEveryLayoutComesBack) {
    for (const plan::layout_facts& facts : plan::all_layouts) {
        filter f(plan::for_rate(items{5000}, rate{0.001}, facts.kind), {}, {5000, 0.001});
        f.insert_many(std::views::iota(0, 5000));
        any_filter found = decode_native(encoded(f));
        ASSERT_NE(found.get_if<filter>(), nullptr);
        EXPECT_EQ(*found.get_if<filter>(), f);
        if (facts.block_bits > 1) {
            EXPECT_THROW(decode_native(forged(encoded(f), 32, f.bit_count() - 1)), bad_data)
                << "a part of a block";
        }
    }
}

TEST(NativeFile, OfALayoutChosenAtCompileTimeIsTheSame) {
    line_filter f(items{5000}, rate{0.001});
    f.insert_many(std::views::iota(0, 5000));
    any_filter found = decode_native(encoded(f));
    ASSERT_NE(found.get_if<filter>(), nullptr);
    EXPECT_EQ(*found.get_if<filter>(), f);
}

} // namespace
} // namespace bloomery::format
