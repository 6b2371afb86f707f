// Writes a crawl: URL-like lines of which a given share was seen before.
//
//     make_urls LINES REPEATED_PERCENT [SEED]
//
// The same arguments give the same bytes on every machine, so that measurements can be repeated.
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/mix.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 16> words{
    "archive", "blog", "catalog", "docs",  "events", "forum", "gallery", "help",
    "images",  "jobs", "kernel",  "learn", "music",  "news",  "offers",  "people"};

std::string url(std::uint64_t number, std::uint64_t seed) {
    const std::uint64_t h = bloomery::hash::mix64(number, seed);
    std::string line = "https://www.site" + std::to_string(h % 5000) + ".example/";
    line += words[h >> 20 & 15];
    line += '/';
    line += words[h >> 24 & 15];
    line += "/item-" + std::to_string(number);
    if ((h >> 28 & 3) == 0) line += "?page=" + std::to_string(h >> 32 & 63);
    return line;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fputs("usage: make_urls LINES REPEATED_PERCENT [SEED]\n", stderr);
        return 2;
    }
    const std::uint64_t lines = std::strtoull(argv[1], nullptr, 10);
    const std::uint64_t repeated = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
    std::uint64_t distinct = 0;
    std::string buffer;
    for (std::uint64_t i = 0; i < lines; ++i) {
        const std::uint64_t dice = bloomery::hash::mix64(i, ~seed);
        const bool again = distinct > 0 && dice % 100 < repeated;
        const std::uint64_t number =
            again ? bloomery::hash::fastrange(bloomery::hash::mix64(dice, seed), distinct)
                  : distinct++;
        buffer += url(number, seed);
        buffer += '\n';
        if (buffer.size() > (1U << 18U) || i + 1 == lines) {
            if (std::fwrite(buffer.data(), 1, buffer.size(), stdout) != buffer.size()) return 2;
            buffer.clear();
        }
    }
    return std::fclose(stdout) == 0 ? 0 : 2;
}
