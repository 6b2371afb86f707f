// The native file: what is written can be read, and anything else is refused.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/plan/sizing.hpp>

#include "native_forgery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <ranges>
#include <string>
#include <vector>

namespace bloomery::format {
namespace {

using blob = std::vector<std::byte>;

blob native_encoded(const any_filter& f, const encode_options& options = {}) {
    blob out;
    encode_native(
        f, [&](byte_view part) { out.insert(out.end(), part.begin(), part.end()); }, options);
    return out;
}

filter sample(std::uint64_t m = 1000, std::uint32_t k = 5, native_hash h = native_hash::seeded(7)) {
    filter f(bits{m}, hashes{k}, h);
    for (int i = 0; i < 100; ++i) {
        f.insert(i);
    }
    return f;
}

/// Changes a field of the header and makes the checksums right again, as an adversary would.
blob forged(blob file, std::size_t at, std::uint64_t value, unsigned width = 8) {
    testing::store(file, at, value, width);
    testing::mend_header(file);
    return file;
}

filter decoded(const blob& file, const decode_options& options = {}) {
    any_filter found = decode_native(file, options);
    return *found.get_if<filter>();
}

TEST(NativeFile, GivesBackTheFilterThatWasWritten) {
    for (const std::uint64_t m :
         {1ULL, 64ULL, 65ULL, 1000ULL, 32'768ULL, 32'769ULL, 2'000'003ULL}) {
        const filter f = sample(m);
        EXPECT_EQ(decoded(native_encoded(f)), f) << m;
    }
    EXPECT_EQ(decoded(native_encoded(sample(1000, 255))), sample(1000, 255));
    const filter planned{items{500}, rate{0.02}};
    EXPECT_EQ(decoded(native_encoded(planned)).made_for(), planned.made_for());
    EXPECT_EQ(decode_native_header(native_encoded(planned, {"a note"})).comment, "a note");
}

TEST(NativeFile, ComesBackWithItsHash) {
    for (const native_hash h : {native_hash{}, native_hash::seeded(99).widened()}) {
        EXPECT_EQ(decoded(native_encoded(sample(1000, 5, h))).hash(), h);
    }
}

TEST(NativeFile, KnowsThatItIsAnIntersection) {
    filter f = sample();
    EXPECT_FALSE(decoded(native_encoded(f)).stats().intersected);
    f.intersect(sample());
    const blob file = native_encoded(f);
    EXPECT_EQ(file[76], std::byte{2});
    EXPECT_TRUE(decode_native_header(file).made_for.intersected);
    EXPECT_TRUE(decoded(file).stats().intersected);
    EXPECT_EQ(decoded(file).made_for(), f.made_for());
    EXPECT_EQ(decoded(forged(native_encoded(sample()), 76, 2, 4)).made_for(), f.made_for());

    const auto key = hash::sip_key{1, 2};
    filter keyed = sample(1000, 5, native_hash::keyed(key));
    keyed.intersect(sample(1000, 5, native_hash::keyed(key)));
    const blob kept = native_encoded(keyed, {.keep_secret = true});
    EXPECT_EQ(kept[76], std::byte{3});
    EXPECT_TRUE(decoded(kept).stats().intersected);
}

TEST(NativeFile, OfAKeyedFilterNeedsItsSecret) {
    const hash::sip_key secret{1, 2};
    const filter f = sample(1000, 5, native_hash::keyed(secret));
    const blob file = native_encoded(f);
    EXPECT_EQ(decoded(file, {{}, secret}), f);
    EXPECT_THROW(decode_native(file), bad_argument);
    EXPECT_THROW(decode_native(file, {{}, hash::sip_key{1, 3}}), bad_argument);
    EXPECT_NO_THROW(decode_native_header(file)) << "what it is can be told without the secret";
}

TEST(NativeFile, KeepsASecretOnlyIfAsked) {
    const hash::sip_key secret{0x1122334455667788, 0x99aabbccddeeff00};
    const filter f = sample(1000, 5, native_hash::keyed(secret));
    const auto holds_it = [&](const blob& file) {
        std::array<std::byte, 8> part{};
        hash::store_le64(part.data(), secret.k0);
        return !std::ranges::search(file, part).empty();
    };
    EXPECT_FALSE(holds_it(native_encoded(f)));
    const blob kept = native_encoded(f, {.keep_secret = true});
    EXPECT_TRUE(holds_it(kept));
    EXPECT_EQ(decoded(kept), f) << "and nobody has to give it";
    EXPECT_EQ(decoded(kept, {{}, secret}), f);
    EXPECT_THROW(decode_native(kept, {{}, hash::sip_key{1, 3}}), bad_argument);
    EXPECT_THROW(decode_native(forged(kept, 80, 1)), bad_data) << "a secret that is another's";
    EXPECT_EQ(native_encoded(sample(), {.keep_secret = true}), native_encoded(sample()))
        << "no secret to keep";
}

TEST(NativeFile, OfAHashChosenAtCompileTimeIsReadAsTheSameFilter) {
    const auto check = [](const auto& hash, const decode_options& options) {
        basic_filter<layout::classic<>, std::decay_t<decltype(hash)>> f(bits{1000}, hashes{5},
                                                                        hash);
        for (int i = 0; i < 100; ++i) {
            f.insert(i);
        }
        const filter found = decoded(native_encoded(f), options);
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
    EXPECT_THROW(native_encoded(filter({layout_kind::classic, 100, 2}, {}, design{10, 1.0})),
                 bad_argument);
}

TEST(NativeFile, HasTheSizeThatItsHeaderTells) {
    for (const std::uint64_t m : {1ULL, 32'768ULL, 32'769ULL}) {
        const blob file = native_encoded(sample(m));
        EXPECT_EQ(file.size(), decode_native_header(file).file_bytes());
        EXPECT_EQ(file.size(), 4096 + (m + 63) / 64 * 8 + (m > 32'768 ? 16U : 8U));
    }
}

TEST(NativeFile, IsRefusedWhenSomethingFollows) {
    blob file = native_encoded(sample());
    file.push_back(std::byte{0});
    EXPECT_THROW(decode_native(file), bad_data);
}

TEST(NativeFile, IsRefusedWhenChunksChangedPlaces) {
    filter f(bits{2 * native_chunk_bytes * 8}, hashes{3});
    f.insert(1);
    blob file = native_encoded(f);
    std::swap_ranges(file.begin() + 4096, file.begin() + 4096 + native_chunk_bytes,
                     file.begin() + 4096 + native_chunk_bytes);
    const std::size_t table = 4096 + 2 * native_chunk_bytes;
    std::swap_ranges(file.begin() + table, file.begin() + table + 8, file.begin() + table + 8);
    EXPECT_THROW(decode_native(file), bad_data);
}

TEST(NativeFile, IsReadThoughNoWriterLivedToSealIt) {
    // Chunk 1 of 3 was being changed when its writer ended: the table has no checksum for it.
    filter f(bits{3 * native_chunk_bytes * 8}, hashes{3});
    f.insert_many(std::views::iota(0, 1000));
    blob file = native_encoded(f);
    const std::size_t table = 4096 + 3 * native_chunk_bytes;
    testing::store(file, table + 8, 0);
    EXPECT_THROW(decode_native(file), bad_data) << "a sealed file has all of its checksums";
    file = forged(file, testing::odd_state_at + 8, 2);
    EXPECT_EQ(decoded(file), f);
    EXPECT_THROW(decode_native(file, {.policy = after_crash::refuse}), unsealed);
    file[4096 + native_chunk_bytes] |= std::byte{0xff};
    EXPECT_NO_THROW(decode_native(file)) << "it may have more bits than when it was sealed";
    EXPECT_THROW(decode_native(forged(file, testing::odd_state_at + 16, 3001)), bad_data)
        << "but not fewer";
}

TEST(NativeFile, NamesTheChunkThatIsBad) {
    blob file = native_encoded(filter(bits{3 * native_chunk_bytes * 8}, hashes{3}));
    file[4096 + native_chunk_bytes + 5] = std::byte{1};
    try {
        static_cast<void>(decode_native(file));
        FAIL();
    } catch (const bad_data& e) {
        EXPECT_NE(std::string(e.what()).find("chunk 1 of 3"), std::string::npos) << e.what();
    }
}

TEST(NativeFile, BelievesNoForgedHeader) {
    const blob file = native_encoded(sample());
    EXPECT_EQ(forged(file, 24, 7), file) << "the forger writes what was there";
    EXPECT_THROW(decode_native(forged(file, 8, 2, 4)), unsupported) << "a later version";
    EXPECT_THROW(decode_native(forged(file, 16, 99, 2)), unsupported) << "an unknown kind";
    EXPECT_THROW(decode_native(forged(file, 16, 4, 2)), unsupported) << "a kind without a file";
    for (const std::uint64_t kind : {2U, 3U, 5U, 6U, 7U, 8U, 9U, 10U}) {
        EXPECT_THROW(decode_native(forged(file, 16, kind, 2)), bloomery::error) << "kind " << kind;
    }
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
    EXPECT_THROW(decode_native(forged(file, 64, 64)), bad_data) << "another payload length";
    EXPECT_THROW(decode_native(forged(file, 72, 8192, 4)), bad_data) << "another chunk length";
    EXPECT_THROW(decode_native(forged(file, 76, 4, 4)), bad_data) << "a flag of later";
    EXPECT_THROW(decode_native(forged(file, 76, 1, 4)), bad_data) << "a secret without a key";
    EXPECT_THROW(decode_native(forged(file, 80, 5)), bad_data) << "a secret nobody speaks of";
    EXPECT_THROW(decode_native(forged(file, 96, 1)), bad_data) << "a parameter of another kind";
    EXPECT_THROW(decode_native(forged(file, 200, 1)), bad_data) << "something in reserved space";
    EXPECT_THROW(decode_native(forged(file, 2700, 1)), bad_data) << "the same past the states";

    const blob lanes = native_encoded(filter({layout_kind::split_8x64, 512, 8}, {}, {}));
    EXPECT_EQ(forged(lanes, 40, 8, 4), lanes);
    EXPECT_THROW(decode_native_header(forged(lanes, 40, 7, 4)), bad_data)
        << "hashes that the layout does not make";
}

TEST(NativeFile, BelievesNoForgedState) {
    const blob file = native_encoded(sample());
    const std::size_t state = testing::odd_state_at; // of generation 1
    EXPECT_EQ(forged(file, state, 1), file) << "the forger writes what was there";
    EXPECT_THROW(decode_native(forged(file, state, 2)), bad_data) << "even, but in the odd place";
    EXPECT_THROW(decode_native(forged(file, state + 8, 3)), bad_data) << "neither open nor sealed";
    EXPECT_THROW(decode_native(forged(file, state + 16, 3)), bad_data) << "a wrong count of bits";
    EXPECT_THROW(decode_native(forged(file, state + 16, 1001)), bad_data) << "more ones than bits";
    EXPECT_THROW(decode_native(forged(file, state + 40, 1)), bad_data) << "reserved space";
    EXPECT_THROW(decode_native(forged(file, state + 24, 1)), bad_data) << "sealed, but in a boot";
}

TEST(NativeFile, TakesTheYoungerOfTwoStates) {
    blob file = native_encoded(sample());
    const std::uint64_t ones = decode_native_header(file).state.bits_set;
    std::ranges::copy_n(file.begin() + testing::odd_state_at, 64,
                        file.begin() + testing::even_state_at);
    file = forged(file, testing::even_state_at, 2);
    EXPECT_EQ(decode_native_header(file).state.generation, 2U);
    file = forged(file, testing::even_state_at + 16, ones - 1);
    EXPECT_THROW(decode_native(file), bad_data) << "the younger one counts";
    file[testing::even_state_at + 16] ^= std::byte{1}; // torn: the older one is what is left
    EXPECT_EQ(decode_native_header(file).state.generation, 1U);
    EXPECT_NO_THROW(decode_native(file));
}

/// A header that promises 2^39 bytes.
blob boaster() {
    blob file = native_encoded(sample());
    file = forged(file, 32, std::uint64_t{1} << 42);
    return forged(file, 64, std::uint64_t{1} << 39);
}

TEST(NativeFile, AsksForNoMemoryThatTheBytesDoNotBack) {
    EXPECT_THROW(decode_native(boaster()), bad_data) << "refused for its length, before any memory";
    EXPECT_THROW(decode_native(boaster(), {{.largest_filter_bytes = 1000}}), memory_refused);
}

/// Gives the bytes in pieces of any size, as a pipe does.
byte_source in_pieces(byte_view bytes) {
    return [bytes](std::span<std::byte> into) mutable {
        const std::size_t now = std::min(into.size(), bytes.size());
        std::ranges::copy(bytes.first(now), into.begin());
        bytes = bytes.subspan(now);
        return now;
    };
}

TEST(NativeStream, IsReadAsTheSameBytesAre) {
    for (const std::uint64_t m : {1ULL, 1000ULL, 32'769ULL, 2'000'003ULL}) {
        any_filter found = decode_native(in_pieces(native_encoded(sample(m))));
        EXPECT_EQ(*found.get_if<filter>(), sample(m)) << m;
    }
}

TEST(NativeStream, IsRefusedWhereItEndsEarlyOrGoesOn) {
    blob file = native_encoded(sample());
    for (std::size_t length = 0; length < file.size(); ++length) {
        EXPECT_THROW(decode_native(in_pieces({file.data(), length})), bad_data) << length;
    }
    file.push_back(std::byte{0});
    EXPECT_THROW(decode_native(in_pieces(file)), bad_data);
}

std::size_t resident_kilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) {
            return std::stoul(line.substr(6));
        }
    }
    return 0;
}

// Nobody knows how long a pipe is. What it promises may be reserved, but is used only as it comes.
TEST(NativeStream, ThatPromisesMuchAndEndsCostsLittle) {
    blob file = native_encoded(sample());
    file = forged(file, 32, std::uint64_t{1} << 33);
    file = forged(file, 64, std::uint64_t{1} << 30);
    const std::size_t before = resident_kilobytes();
    EXPECT_THROW(decode_native(in_pieces(file)), bad_data);
    EXPECT_LT(resident_kilobytes(), before + 64 * 1024);
    EXPECT_THROW(decode_native(in_pieces(file), {{.largest_filter_bytes = 1000}}), memory_refused);
    EXPECT_THROW(decode_native(in_pieces(bytes_of(std::string_view("\x89"
                                                                   "BLM\r\n")))),
                 bad_data);
}

TEST(NativeFile, RefusesToWriteWhatItCouldNotRead) {
    EXPECT_THROW(native_encoded(sample(), {std::string(2049, 'x')}), bad_argument);
    EXPECT_NO_THROW(decode_native(native_encoded(sample(), {std::string(2048, 'x')})));
    struct anonymous {
        std::uint64_t operator()(byte_view bytes) const { return bytes.size(); }
    };
    EXPECT_THROW(native_encoded(basic_filter<layout::classic<>, anonymous>(bits{64}, hashes{1})),
                 unsupported);
}

TEST(NativeFile, OfEveryLayoutComesBack) {
    for (const plan::layout_facts& facts : plan::all_layouts) {
        filter f(plan::for_rate(items{5000}, rate{0.001}, facts.kind), {}, {5000, 0.001});
        f.insert_many(std::views::iota(0, 5000));
        any_filter found = decode_native(native_encoded(f));
        ASSERT_NE(found.get_if<filter>(), nullptr);
        EXPECT_EQ(*found.get_if<filter>(), f);
        if (facts.block_bits > 1) {
            EXPECT_THROW(decode_native(forged(native_encoded(f), 32, f.bit_count() - 1)), bad_data)
                << "a part of a block";
        }
    }
}

TEST(NativeFile, OfALayoutChosenAtCompileTimeIsTheSame) {
    line_filter f(items{5000}, rate{0.001});
    f.insert_many(std::views::iota(0, 5000));
    any_filter found = decode_native(native_encoded(f));
    ASSERT_NE(found.get_if<filter>(), nullptr);
    EXPECT_EQ(*found.get_if<filter>(), f);
}

} // namespace
} // namespace bloomery::format
