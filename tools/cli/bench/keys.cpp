#include "bench/keys.hpp"

#include <bloomery/detail/hash/bits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

namespace bloomery::cli {

namespace {

constexpr std::array<std::string_view, 16> sites{"http://w.io/",
                                                 "http://mit.edu/",
                                                 "http://rust.dev/",
                                                 "https://cern.ch/",
                                                 "https://gnu.org/",
                                                 "https://kde.org/",
                                                 "https://isocpp.org/",
                                                 "https://debian.org/",
                                                 "https://example.org/",
                                                 "https://www.nasa.gov/",
                                                 "https://archive.net/",
                                                 "https://mail.gnome.org/",
                                                 "https://docs.debian.o/",
                                                 "https://cdn.example.com/",
                                                 "https://images.example.eu/",
                                                 "https://shop.example.org/p/"};

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t digit_count = 11; // of 6 bits: the whole number, so that no two are equal

static_assert(std::ranges::all_of(sites, [](std::string_view site) {
    return site.size() >= 12 && site.size() <= 29;
}));

char* write_url(char* to, std::uint64_t number) {
    to = std::ranges::copy(sites[number % sites.size()], to).out;
    for (std::size_t i = 0; i < digit_count; ++i, number >>= 6) {
        *to++ = digits[number % 64];
    }
    return to;
}

// Three sequences that never meet: the keys that are in, those that are not, and dice.
constexpr std::uint64_t absent_from = std::uint64_t{1} << 60U;
constexpr std::uint64_t dice_from = std::uint64_t{1} << 61U;

} // namespace

void url_arena::assign(std::span<const std::uint64_t> numbers) {
    constexpr std::size_t longest = 29 + digit_count;
    bytes_.resize(numbers.size() * longest);
    urls_.clear();
    urls_.reserve(numbers.size());
    char* to = bytes_.data();
    for (const std::uint64_t number : numbers) {
        char* const end = write_url(to, number);
        urls_.emplace_back(to, static_cast<std::size_t>(end - to));
        to = end;
    }
}

bench_keys::bench_keys(std::uint64_t item_count, std::size_t segment_count)
    : item_count_(item_count), held_(segment_count, bitmap(segment_length)) {
    const std::size_t count = segment_count * segment_length;
    mixed_.reserve(count);
    members_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t dice = splitmix64(dice_from + 2 * i);
        const bool is_held = (dice & 1) != 0;
        held_[i / segment_length].set(i % segment_length, is_held);
        mixed_.push_back(splitmix64(is_held ? hash::fastrange(dice, item_count) : absent_from + i));
        members_.push_back(
            splitmix64(hash::fastrange(splitmix64(dice_from + 2 * i + 1), item_count)));
    }
    urls_.assign(mixed_);
}

void bench_keys::each_held(const std::function<void(std::span<const std::uint64_t>)>& visit) const {
    std::vector<std::uint64_t> some;
    for (std::uint64_t from = 0; from < item_count_; from += segment_length) {
        const std::uint64_t to = std::min<std::uint64_t>(item_count_, from + segment_length);
        some.clear();
        for (std::uint64_t i = from; i < to; ++i) {
            some.push_back(splitmix64(i));
        }
        visit(some);
    }
}

double checked_rate(const bench_keys& keys, std::string_view subject, const answer_segment& ask) {
    bitmap maybe;
    std::uint64_t absent = 0;
    std::uint64_t mistaken = 0;
    for (std::size_t segment = 0; segment < keys.segment_count(); ++segment) {
        ask(segment, maybe);
        const std::span held = keys.held(segment).words();
        for (std::size_t i = 0; i < held.size(); ++i) {
            const std::uint64_t answer = maybe.words()[i];
            if ((held[i] & ~answer) != 0) {
                throw std::logic_error(
                    fmt::format("{} misses a key that was inserted; please report this", subject));
            }
            absent += static_cast<std::uint64_t>(std::popcount(~held[i]));
            mistaken += static_cast<std::uint64_t>(std::popcount(answer & ~held[i]));
        }
    }
    const double rate = static_cast<double>(mistaken) / static_cast<double>(absent);
    if (rate > 2 * bench_rate) {
        throw std::logic_error(
            fmt::format("{} has a false-positive rate of {:.2f} % instead of {:.0f} %; please "
                        "report this",
                        subject, 100 * rate, 100 * bench_rate));
    }
    return rate;
}

} // namespace bloomery::cli
