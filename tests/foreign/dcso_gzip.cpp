// DCSO's filters packed with gzip.
#include <bloomery/error.hpp>

#include "damage.hpp"
#include "dcso.hpp"
#include "peer.hpp"

#include <zlib.h>

#include <string>

namespace bloomery::testing {
namespace {

/// The bytes that were packed; all of a file that is not.
std::string unpacked(const std::string& bytes) {
    if (!bytes.starts_with("\x1f\x8b")) return bytes;
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    std::string input = bytes;
    std::string all(std::size_t{1} << 20U, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(all.data());
    stream.avail_out = static_cast<uInt>(all.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    all.resize(stream.total_out);
    inflateEnd(&stream);
    return all;
}

std::string packed(const std::string& bytes) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string input = bytes;
    std::string all(deflateBound(&stream, input.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(all.data());
    stream.avail_out = static_cast<uInt>(all.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    all.resize(stream.total_out);
    deflateEnd(&stream);
    return all;
}

void dcso_gzip_check(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    any_filter mine = dcso::made(one);
    add_all(mine, dcso::keys_of(one.at("keys")), nullptr);
    EXPECT_EQ(written(mine, dcso::format), unpacked(theirs));
    const any_filter read = dcso::format.decode(view(theirs), {});
    // Another packer makes other bytes of the same.
    const std::string again = written(read, dcso::format);
    EXPECT_TRUE(again.starts_with("\x1f\x8b"));
    EXPECT_EQ(unpacked(again), unpacked(theirs));
    EXPECT_EQ(again.substr(0, 10), theirs.substr(0, 10));
    EXPECT_EQ(&format::detect_one(view(theirs)), &dcso::format);
    expect_answers(read, dcso::keys_of(one.at("probes")), one.at("answers"));
    EXPECT_EQ(dcso::told(read), dcso::shown(one));
}

void dcso_gzip_check_data(const json& one, const peer& from) {
    const std::string theirs = from.file(one.at("file"));
    const std::string data = from_hex(one.at("data_hex").get<std::string>());
    EXPECT_EQ(unpacked(theirs), unpacked(from.file(one.at("same_filter_as"))) + data);
    const any_filter read = dcso::format.decode(view(theirs), {});
    EXPECT_EQ(unpacked(written(read, dcso::format)), unpacked(theirs));
}

TEST(DcsoGzip, FilesAndAnswers) {
    const peer from("dcso");
    for (const json& one : from.cases()) {
        SCOPED_TRACE(one.at("id"));
        const std::string type = one.value("type", "");
        if (!from.file(one.at("file")).starts_with("\x1f\x8b")) continue;
        if (type.empty()) dcso_gzip_check(one, from);
        if (type == "data") dcso_gzip_check_data(one, from);
    }
}

TEST(DcsoGzip, DamageIsRefusedOrMakesAnotherFilter) {
    const std::string bytes = packed(dcso::header(1, 0.5, 1, 1) + dcso::little_endian(1));
    foreign_options small; // a flipped bit may promise much
    small.limits.largest_filter_bytes = 1000000;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        std::string damaged = bytes;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        (void)dcso::format.looks(view(damaged));
        try {
            // The name, the time and the like in the header of gzip are nobody's business.
            const any_filter read = dcso::format.decode(view(damaged), small);
            EXPECT_EQ(unpacked(written(read, dcso::format)), unpacked(bytes)) << bit;
        } catch (const error&) {
            EXPECT_NE(bit, 4U * 8); // of the time
        }
    }
}

TEST(DcsoGzip, WhatItUnpacksToIsBounded) {
    constexpr std::uint64_t bytes = std::uint64_t{1} << 23U;
    const std::string array(bytes, '\0');
    const std::string file = packed(dcso::header(1, 0.5, 1, bytes * 8) + array);
    EXPECT_NO_THROW((void)dcso::format.decode(view(file), {}));
    foreign_options careful;
    careful.limits.most_unseen_bytes = 1U << 20U;
    EXPECT_THROW((void)dcso::format.decode(view(file), careful), memory_refused);
    const std::string attached = packed(dcso::header(1, 0.5, 1, 64) + std::string(8, '\0') + array);
    EXPECT_NO_THROW((void)dcso::format.decode(view(attached), {}));
    EXPECT_THROW((void)dcso::format.decode(view(attached), careful), memory_refused);
}

TEST(DcsoGzip, APackedFileThatIsCutIsRefused) {
    const std::string whole =
        packed(dcso::header(1, 0.01, 7, 640) + std::string(80, '\x55') + "data");
    EXPECT_EQ(unpacked(written(dcso::format.decode(view(whole), {}), dcso::format)),
              unpacked(whole));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_THROW((void)dcso::format.decode(view(whole.substr(0, length)), {}), bad_data)
            << length;
    }
    EXPECT_THROW((void)dcso::format.decode(view(whole + "x"), {}), bad_data);
}

TEST(DcsoGzip, ASmallFileDoesNotBecomeALargeOne) {
    // Promises a terabyte, and holds nothing of it.
    const std::string promise = packed(dcso::header(1, 0.01, 7, std::uint64_t{1} << 43U));
    EXPECT_THROW((void)dcso::format.decode(view(promise), {}), bad_data);
    EXPECT_EQ(dcso::format.looks(view(promise)), format::likeness::no);
    // Is within its header's promise, and attaches a megabyte.
    const std::string bomb = packed(dcso::header(1, 0.01, 7, 64) + std::string(1 << 20, '\0'));
    foreign_options small;
    small.limits.largest_filter_bytes = 100000;
    EXPECT_THROW((void)dcso::format.decode(view(bomb), small), memory_refused);
    EXPECT_NO_THROW((void)dcso::format.decode(view(bomb), {}));
}

} // namespace
} // namespace bloomery::testing
