// Numbers as people type them: exact, or refused with a sentence that helps.
#include <bloomery/error.hpp>

#include "wording.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace bloomery::cli {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

template <class Parser>
std::string refusal(Parser parse, std::string_view text) {
    try {
        static_cast<void>(parse(text));
    } catch (const bad_argument& refused) {
        return refused.what();
    }
    return {};
}

TEST(Units, ReadsCountsAsPeopleTypeThem) {
    EXPECT_EQ(parse_count("0"), 0U);
    EXPECT_EQ(parse_count("1000000"), 1'000'000U);
    EXPECT_EQ(parse_count("1_000_000"), 1'000'000U);
    EXPECT_EQ(parse_count("007"), 7U);
    EXPECT_EQ(parse_count("1.5k"), 1500U);
    EXPECT_EQ(parse_count(".5K"), 500U);
    EXPECT_EQ(parse_count("10M"), 10'000'000U);
    EXPECT_EQ(parse_count("10 M"), 10'000'000U);
    EXPECT_EQ(parse_count("2G"), 2'000'000'000U);
    EXPECT_EQ(parse_count("3T"), 3'000'000'000'000U);
    EXPECT_EQ(parse_count("4P"), 4'000'000'000'000'000U);
    EXPECT_EQ(parse_count("1e9"), 1'000'000'000U);
    EXPECT_EQ(parse_count("1E+9"), 1'000'000'000U);
    EXPECT_EQ(parse_count("2.50e1"), 25U);
    EXPECT_EQ(parse_count("10e-1"), 1U);
    EXPECT_EQ(parse_count("1.000"), 1U);
    EXPECT_EQ(parse_count("0e999"), 0U);
}

TEST(Units, NeverRoundsACountThroughADouble) {
    EXPECT_EQ(parse_count("9007199254740993"), 9'007'199'254'740'993U);
    EXPECT_EQ(parse_count("9007199254740.993k"), 9'007'199'254'740'993U);
    EXPECT_EQ(parse_count("18446744073709551615"), most);
    EXPECT_EQ(parse_count("18446744073709551.615k"), most);
    EXPECT_EQ(parse_count("1.8446744073709551615e19"), most);
    EXPECT_EQ(parse_count("000000000000000000000000000001.0000000000000000000000000"), 1U);
}

TEST(Units, ReadsBackEveryCountItCanPrint) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 10'000; ++round) {
        const std::uint64_t count = random() >> (random() % 64);
        EXPECT_EQ(parse_count(std::to_string(count)), count);
        EXPECT_EQ(parse_bytes(std::to_string(count) + "B"), count);
        std::string underscored = grouped(count);
        for (char& c : underscored) c = c == ',' ? '_' : c;
        EXPECT_EQ(parse_count(underscored), count);
    }
}

TEST(Units, RefusesWhatOverflows64Bits) {
    for (const auto* text : {"18446744073709551616", "18446744073709551.616k", "19e18", "1e20",
                             "18447P", "99999999999999999999", "1e99999999999999999999", "1e9999",
                             "100000000000000000000000000000000000000000"}) {
        EXPECT_NE(refusal(parse_count, text), "") << text;
    }
    EXPECT_NE(refusal(parse_bytes, "16384PiB"), "");
    EXPECT_EQ(parse_bytes("16383PiB"), 16383ULL << 50U);
}

TEST(Units, RefusesCountsThatAreNoWholeNumber) {
    for (const auto* text :
         {"",    " ",    "-1",   "+1",    "1.5",  "1e-3",  "0.0001k", "1,000",
          "_1",  "1_",   "1__0", "1._5k", "0x10", "10 ",   " 10",     "10  M",
          "10m", "10Mi", "10MB", "10kk",  "1e",   "1e+",   "1e--3",   "5.",
          ".",   "k",    "nan",  "inf",   "ten",  "1 000", "1\n",     "1e9999999999k5"}) {
        EXPECT_NE(refusal(parse_count, text), "") << '"' << text << '"';
    }
}

TEST(Units, QuotesWhatItRefusesAndGivesAnExample) {
    EXPECT_EQ(refusal(parse_count, "1.5"),
              "\"1.5\" is not a whole number: write a whole number such as 1000000, 10M or 1e9");
    EXPECT_EQ(refusal(parse_bytes, "64Mb"), "\"64Mb\" is not an amount of bytes: write a whole "
                                            "number of bytes such as 4096 or 64MiB");
    EXPECT_EQ(refusal(parse_rate, "1"), "\"1\" is not between 0 and 1: write a rate above 0 and "
                                        "below 1 such as 0.01, 1% or 1in100");
    EXPECT_NE(refusal(parse_rate, "1 in ten").find("\"1 in ten\""), std::string::npos);
}

TEST(Units, EscapesControlBytesInWhatItQuotes) {
    EXPECT_NE(refusal(parse_count, "1\x1b[2J").find(R"("1\x1b[2J")"), std::string::npos);
}

TEST(Units, ReadsBytesInPowersOf1024And1000) {
    EXPECT_EQ(parse_bytes("4096"), 4096U);
    EXPECT_EQ(parse_bytes("512b"), 512U);
    EXPECT_EQ(parse_bytes("512B"), 512U);
    EXPECT_EQ(parse_bytes("8KiB"), 8192U);
    EXPECT_EQ(parse_bytes("8kiB"), 8192U);
    EXPECT_EQ(parse_bytes("64Mi"), 64ULL << 20U);
    EXPECT_EQ(parse_bytes("64MiB"), 64ULL << 20U);
    EXPECT_EQ(parse_bytes("64 MiB"), 64ULL << 20U);
    EXPECT_EQ(parse_bytes("1.5GiB"), 3ULL << 29U);
    EXPECT_EQ(parse_bytes("2TiB"), 2ULL << 40U);
    EXPECT_EQ(parse_bytes("64M"), 64'000'000U);
    EXPECT_EQ(parse_bytes("64MB"), 64'000'000U);
    EXPECT_EQ(parse_bytes("10kB"), 10'000U);
    EXPECT_EQ(parse_bytes("0.0009765625KiB"), 1U);
    EXPECT_EQ(parse_bytes("16383.99999999999999911182158029987476766109466552734375PiB"), most);
}

TEST(Units, RefusesBytesThatAreNoneOrNotWhole) {
    for (const auto* text : {"", "B", "0.1KiB", "0.5", "64Mb", "64mib", "64MIB", "64iB", "64MiBB",
                             "64BB", "-1KiB", "64 ", "64EiB"}) {
        EXPECT_NE(refusal(parse_bytes, text), "") << '"' << text << '"';
    }
}

TEST(Units, ReadsRatesInEveryUsualForm) {
    EXPECT_EQ(parse_rate("0.01"), 0.01);
    EXPECT_EQ(parse_rate(".01"), 0.01);
    EXPECT_EQ(parse_rate("1%"), 0.01);
    EXPECT_EQ(parse_rate("1 %"), 0.01);
    EXPECT_EQ(parse_rate("0.1%"), 0.001);
    EXPECT_EQ(parse_rate("0.7%"), 0.007);
    EXPECT_EQ(parse_rate("1e-3"), 0.001);
    EXPECT_EQ(parse_rate("1in1000"), 0.001);
    EXPECT_EQ(parse_rate("1 in 1000"), 0.001);
    EXPECT_EQ(parse_rate("1/1000"), 0.001);
    EXPECT_EQ(parse_rate("3/1k"), 0.003);
    EXPECT_EQ(parse_rate("1 in 10M"), 1e-7);
    EXPECT_EQ(parse_rate("1e-300"), 1e-300);
}

TEST(Units, RefusesRatesOutsideTheOpenInterval) {
    for (const auto* text : {"",          "0",
                             "1",         "1.0",
                             "2",         "100%",
                             "0%",        "-0.1",
                             "1/0",       "0/5",
                             "5/5",       "6/5",
                             "1in1",      "in",
                             "1in",       "in100",
                             "1 in",      "nan",
                             "inf",       "0.1x",
                             "1e-999",    "1%%",
                             "1e-3k",     "1/2/3",
                             "1 inn 5",   "0.99999999999999999999",
                             "1 in 100%", "0x0.1p1"}) {
        EXPECT_NE(refusal(parse_rate, text), "") << '"' << text << '"';
    }
}

TEST(Units, GroupsCountsByThousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(1'000'000), "1,000,000");
    EXPECT_EQ(grouped(most), "18,446,744,073,709,551,615");
}

TEST(Units, PrintsBytesWithDecimalsOnlyWhenNotExact) {
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(512), "512 B");
    EXPECT_EQ(format_bytes(1023), "1023 B");
    EXPECT_EQ(format_bytes(1024), "1 KiB");
    EXPECT_EQ(format_bytes(1'198'133), "1.14 MiB");
    EXPECT_EQ(format_bytes(64ULL << 20U), "64 MiB");
    EXPECT_EQ(format_bytes((1ULL << 20U) - 1), "1.00 MiB");
    EXPECT_EQ(format_bytes(most), "16.00 EiB");
    EXPECT_EQ(parse_bytes(format_bytes(3ULL << 40U)), 3ULL << 40U);
}

TEST(Units, PrintsRatesForPeople) {
    EXPECT_EQ(format_rate(0), "0 %");
    EXPECT_EQ(format_rate(1), "100.00 %");
    EXPECT_EQ(format_rate(0.5), "50.00 %");
    EXPECT_EQ(format_rate(0.01), "1.000 %");
    EXPECT_EQ(format_rate(0.001), "0.100 %");
    EXPECT_EQ(format_rate(0.0001), "0.0100 %");
    EXPECT_EQ(format_rate(0.00001), "0.00100 %");
    EXPECT_EQ(format_rate(1.2e-6), "1.2e-06");
}

TEST(Format, CountsWithTheWordThatFits) {
    EXPECT_EQ(counted(0, "key"), "0 keys");
    EXPECT_EQ(counted(1, "key"), "1 key");
    EXPECT_EQ(counted(1'000, "key"), "1,000 keys");
}

TEST(Units, PrintsRatesAsOneInMany) {
    EXPECT_EQ(format_one_in(0.01), "1 in 100");
    EXPECT_EQ(format_one_in(0.001), "1 in 1,000");
    EXPECT_EQ(format_one_in(1e-9), "1 in 1,000,000,000");
    EXPECT_EQ(format_one_in(0.4), "1 in 2.5");
    EXPECT_EQ(format_one_in(1), "1 in 1");
    EXPECT_EQ(format_one_in(0.1), "1 in 10");
    EXPECT_EQ(format_one_in(1e-20), "1 in 1.0e+20");
    EXPECT_EQ(format_one_in(5e-324), "1 in inf");
    EXPECT_EQ(format_one_in(0), "never");
}

TEST(Units, PutsNounsIntoThePluralUnlessThereIsOne) {
    EXPECT_EQ(counted(0, "key"), "0 keys");
    EXPECT_EQ(counted(1, "key"), "1 key");
    EXPECT_EQ(counted(1'000, "hash"), "1,000 hashes");
    EXPECT_EQ(counted(1, "hash"), "1 hash");
    EXPECT_EQ(counted(2, "query"), "2 queries");
    EXPECT_EQ(noun_for(1, "chunk"), "chunk");
    EXPECT_EQ(noun_for(10, "chunk"), "chunks");
}

} // namespace
} // namespace bloomery::cli
