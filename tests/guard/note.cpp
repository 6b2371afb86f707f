// The note next to a filter's file: what was written can be read, and anything else is refused.
#include "../../src/guard/note.hpp"

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <string>

namespace bloomery::testing {
namespace {

using detail::decode_note;
using detail::encode_note;
using detail::guard_note;

guard_note example() {
    guard_note note{"sqlite shop.db items.id", "17 rows\nof 100 %", 12, 3, true, {}};
    for (std::size_t i = 0; i < note.boot.size(); ++i) {
        note.boot.at(i) = static_cast<std::byte>(i * 17);
    }
    return note;
}

TEST(GuardNote, IsReadAsItWasWritten) {
    EXPECT_EQ(decode_note(encode_note(example())), example());
    guard_note bare{""};
    EXPECT_EQ(decode_note(encode_note(bare)), bare);
    bare.mark = "";
    bare.count = std::numeric_limits<std::uint64_t>::max();
    bare.layers = 64;
    EXPECT_EQ(decode_note(encode_note(bare)), bare);
}

TEST(GuardNote, HoldsNamesAndMarksOfAnyBytes) {
    std::string all;
    for (int i = 0; i < 256; ++i) {
        all += static_cast<char>(i);
    }
    guard_note note = example();
    note.source = all;
    note.mark = all.append("\ncheck 00\nstate open\n");
    EXPECT_EQ(decode_note(encode_note(note)), note);
}

TEST(GuardNote, IsNotReadWhenAByteOfItHasChanged) {
    const std::string text = encode_note(example());
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (const int flip : {1, 0x20, 0x80}) {
            std::string damaged = text;
            damaged[i] = static_cast<char>(damaged[i] ^ flip);
            EXPECT_FALSE(decode_note(damaged)) << i;
        }
    }
}

TEST(GuardNote, IsNotReadWhenItIsCutOrLongerOrOfALaterVersion) {
    const std::string text = encode_note(example());
    for (std::size_t length = 0; length < text.size(); ++length) {
        EXPECT_FALSE(decode_note(std::string_view(text).substr(0, length))) << length;
    }
    EXPECT_FALSE(decode_note(text + "\n"));
    EXPECT_FALSE(decode_note(text + text));
    EXPECT_FALSE(decode_note("bloomery guard 2\n"));
    EXPECT_FALSE(decode_note(std::string(1U << 20U, 'x')));
}

TEST(GuardNote, IsNotReadWithMoreLayersThanThereCanBe) {
    guard_note note = example();
    for (const std::uint64_t layers : {std::uint64_t{0}, std::uint64_t{65}}) {
        note.layers = layers;
        EXPECT_FALSE(decode_note(encode_note(note))) << layers;
    }
}

TEST(GuardNote, IsReplacedAsAWhole) {
    const temporary_folder folder;
    const auto file = folder / "f";
    EXPECT_FALSE(detail::read_note(file));
    detail::write_note(file, example());
    EXPECT_EQ(detail::read_note(file), example());
    guard_note other = example();
    other.closed = false;
    detail::write_note(file, other);
    EXPECT_EQ(detail::read_note(file), other);
    std::ofstream(detail::note_of(file)) << "garbage";
    EXPECT_FALSE(detail::read_note(file));
}

} // namespace
} // namespace bloomery::testing
