#include "bit_batch.hpp"

#include <bloomery/redis/client.hpp>

#include "exchange.hpp"
#include "filter_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <numeric>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

/// Enough to amortise the fixed cost of a command, and about twenty microseconds of work: the
/// server can serve others in between.
constexpr std::size_t probes_in_a_command = 126;

constexpr std::string_view set_front = "$3\r\nSET\r\n$2\r\nu1\r\n$";
constexpr std::string_view get_front = "$3\r\nGET\r\n$2\r\nu1\r\n$";
constexpr std::string_view set_back = "\r\n$1\r\n1\r\n";
constexpr std::string_view get_back = "\r\n";
constexpr std::string_view turn_front = "$6\r\nINCRBY\r\n$2\r\nu1\r\n$";

void append_probe(std::string& to, std::string_view front, std::uint64_t place,
                  std::string_view back) {
    std::array<char, 24> digits; // NOLINT: filled by to_chars
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), place).ptr;
    const auto size = static_cast<std::size_t>(end - digits.data());
    to.append(front);
    if (size >= 10) to.push_back('1');
    to.push_back(static_cast<char>('0' + size % 10));
    to.append("\r\n").append(digits.data(), size);
    to.append(back);
}

} // namespace

bit_batch::bit_batch(const filter_facts& of, std::string_view name, const probing& how,
                     bit_verb verb, std::span<const digest128> keys)
    : facts_(of), name_(name), how_(how), verb_(verb), keys_(keys), order_(keys.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    shard_.resize(keys.size());
    if (of.shape.shard_count > 1) order_by_shard();
    probes_.reserve(keys.size());
    const std::size_t most = std::max<std::size_t>(1, probes_in_a_command / of.shape.hash_count);
    for (std::size_t first = 0; first < order_.size();) {
        const std::uint64_t shard = shard_[order_[first]];
        std::size_t end = first + 1;
        while (end < order_.size() && end < first + most && shard_[order_[end]] == shard) ++end;
        add_part(shard, first, end - first);
        first = end;
    }
}

void bit_batch::order_by_shard() {
    for (std::size_t i = 0; i < keys_.size(); ++i) shard_[i] = how_.shard(facts_.shape, keys_[i]);
    // If a key occurs twice, the first occurrence comes first: it is the one that is new.
    std::ranges::sort(order_, {}, [this](std::uint32_t i) { return std::pair(shard_[i], i); });
}

void bit_batch::add_part(std::uint64_t shard, std::size_t first, std::size_t count) {
    places_.clear();
    for (std::size_t i = first; i < first + count; ++i) {
        const std::size_t before = places_.size();
        if (how_.append(facts_.shape, keys_[order_[i]], places_) == placed::until_none) {
            some_without_place_ = true;
        }
        probes_.push_back(static_cast<std::uint32_t>(places_.size() - before));
    }
    const std::string key = facts_.key_of(name_, shard);
    const bool sets = verb_ != bit_verb::ask;
    const std::size_t probe_words = sets ? 4 : 3;
    const std::uint64_t end = facts_.shape.shard_bits;
    request made(
        2 + (facts_.is_split ? 3U : 0U) + (waits() ? 4U : 0U) + places_.size() * probe_words, key);
    if (sets) made.writes();
    std::string& bytes = made.bytes();
    bytes.reserve(64 + key.size() + 40 * (places_.size() + 2));
    made.add(sets ? "BITFIELD" : "BITFIELD_RO").add(key);
    if (facts_.is_split) append_probe(bytes, get_front, end, get_back);
    if (waits()) append_probe(bytes, turn_front, end + (facts_.is_split ? 1 : 0), set_back);
    for (const std::uint64_t place : places_) {
        append_probe(bytes, sets ? set_front : get_front, place, sets ? set_back : get_back);
    }
    requests_.push_back(std::move(made));
    parts_.push_back({shard, first, count});
}

void bit_batch::read(std::span<const answer> answers, std::size_t first, key_answers& into) {
    std::exception_ptr problem;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        try {
            read_part(parts_[i], answers[i], first, into);
        } catch (const redis_error&) { // the other answers are still needed
            if (!problem) problem = std::current_exception();
        }
    }
    if (problem) std::rethrow_exception(problem);
}

void bit_batch::read_part(const part& of, const answer& from, std::size_t first,
                          key_answers& into) {
    if (!from.arrived) {
        failure_ = from.failure;
        return;
    }
    require_no_error(from.reply);
    const std::vector<reply>& bits = from.reply.elements;
    std::size_t next = (facts_.is_split ? 1U : 0U) + (waits() ? 1U : 0U);
    const auto end = probes_.begin() + static_cast<std::ptrdiff_t>(of.first + of.count);
    const auto begin = probes_.begin() + static_cast<std::ptrdiff_t>(of.first);
    if (bits.size() != next + std::accumulate(begin, end, std::size_t{0})) {
        throw refused("Redis returned a different number of bits than requested");
    }
    if (facts_.is_split && bits[0].integer == 0) throw lost_shard(name_, of.shard);
    for (std::size_t i = of.first; i < of.first + of.count; ++i) {
        bool full = true;
        for (std::uint32_t probe = 0; probe < probes_[i]; ++probe) {
            full = full && bits[next + probe].integer != 0;
        }
        next += probes_[i];
        const std::size_t key = first + order_[i];
        into.full.set(key, full);
        into.arrived.set(key);
        if (from.repeated) into.repeated.set(key);
    }
}

std::vector<std::uint64_t> bit_batch::shards() const {
    std::vector<std::uint64_t> all;
    for (const part& each : parts_) {
        if (all.empty() || all.back() != each.shard) all.push_back(each.shard);
    }
    return all;
}

std::size_t bit_batch::distinct_places() const {
    std::vector<std::uint64_t> all;
    if (waits()) all.push_back(facts_.shape.shard_bits);
    for (const digest128 key : keys_) how_.append(facts_.shape, key, all);
    std::ranges::sort(all);
    return static_cast<std::size_t>(std::ranges::unique(all).begin() - all.begin());
}

void bit_batch::require_places(std::size_t first, const key_answers& told) const {
    if (!some_without_place_) return;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        // A query stops at the first clear bit, so it never reaches a bit without a position.
        if (verb_ != bit_verb::ask || told.full[first + i]) {
            how_.require_places(facts_.shape, keys_[i]);
        }
    }
}

} // namespace bloomery::inline v0::redis
