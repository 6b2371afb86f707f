#include "demo/traffic.hpp"

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/error.hpp>

#include "interruption.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace bloomery::cli {

namespace {

using traffic_clock = std::chrono::steady_clock;

/// What one client measured.
struct record {
    std::vector<std::uint32_t> nanoseconds;
    std::uint64_t absent = 0;
};

void check(std::string_view key, bool present, const std::optional<std::string>& got) {
    if (got.has_value() == present && (!present || got->starts_with(key))) return;
    throw bad_data(fmt::format("wrong answer for {}: this is a bug; please report it", key));
}

void play_client(const demo_traffic& what, unsigned client, std::uint64_t most,
                 traffic_clock::time_point deadline, const demo_asker& ask, record& into) {
    demo_requests requests(what, client);
    for (std::uint64_t i = 0; i < most; ++i) {
        const demo_requests::request next = requests.next();
        const auto begin = traffic_clock::now();
        if (begin >= deadline) return;
        const std::optional<std::string> got = ask(next.key.text());
        const auto took = std::chrono::nanoseconds(traffic_clock::now() - begin).count();
        check(next.key.text(), next.present, got);
        constexpr std::int64_t longest = std::numeric_limits<std::uint32_t>::max();
        into.nanoseconds.push_back(static_cast<std::uint32_t>(std::min(took, longest)));
        into.absent += next.present ? 0 : 1;
        interruption::check();
    }
}

/// The first thing that went wrong in one of many threads.
class first_failure {
public:
    template <class Work>
    void watch(Work work) {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr failure_;
};

std::chrono::nanoseconds quantile(std::vector<std::uint32_t>& of, double part) {
    if (of.empty()) return {};
    const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(of.size() - 1));
    std::ranges::nth_element(of, of.begin() + at);
    return std::chrono::nanoseconds(of[static_cast<std::size_t>(at)]);
}

demo_timing summed(const std::vector<record>& records, traffic_clock::duration time) {
    demo_timing sum;
    sum.time = time;
    std::vector<std::uint32_t> all;
    for (const record& each : records) {
        sum.asked.push_back(each.nanoseconds.size());
        sum.absent += each.absent;
        all.insert(all.end(), each.nanoseconds.begin(), each.nanoseconds.end());
    }
    sum.requests = all.size();
    sum.median = quantile(all, 0.5);
    sum.p99 = quantile(all, 0.99);
    return sum;
}

} // namespace

demo_key::demo_key(std::uint64_t number, std::uint64_t seed) noexcept
    : text_{'u', 's', 'e', 'r', ':'} {
    // A bijection, so that different numbers have different keys.
    std::uint64_t mixed = hash::fmix64(number + hash::fmix64(seed + 1));
    for (std::size_t i = text_.size(); i-- > 5; mixed >>= 4U) {
        text_[i] = "0123456789abcdef"[mixed & 15U];
    }
}

std::string demo_value(std::string_view key) {
    constexpr std::size_t usual = 64;
    std::string value(key);
    value.append(" is somebody");
    value.resize(usual, '.');
    return value;
}

demo_requests::demo_requests(const demo_traffic& of, unsigned client) noexcept
    : absent_(of.absent), rows_(of.rows), log_rows_(std::log1p(static_cast<double>(of.rows))),
      seed_(of.seed),
      state_(hash::fmix64(of.seed ^ (std::uint64_t{of.kind} << 32U) ^ (client + 1))),
      next_absent_((std::uint64_t{of.kind + 1} << 60U) | (std::uint64_t{client} << 44U)) {}

demo_requests::request demo_requests::next() noexcept {
    if (chance() < absent_) return {demo_key(next_absent_++, seed_), false};
    // Uniform in its logarithm: the n-th row is asked for as often as 1/n.
    const auto row = static_cast<std::uint64_t>(std::expm1(chance() * log_rows_));
    return {demo_key(std::min(row, rows_ - 1), seed_), true};
}

double demo_requests::chance() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    return static_cast<double>(hash::fmix64(state_) >> 11U) * 0x1p-53;
}

demo_timing play(const demo_traffic& what, const demo_limits& limits, const demo_asker& ask) {
    const auto share = [&](unsigned client) { // the first take what does not divide
        return limits.requests / limits.clients +
               (client < limits.requests % limits.clients ? 1 : 0);
    };
    std::vector<record> records(limits.clients);
    for (unsigned i = 0; i < limits.clients; ++i) records[i].nanoseconds.reserve(share(i));
    first_failure failure;
    const auto begin = traffic_clock::now();
    const auto deadline = begin + std::chrono::duration_cast<traffic_clock::duration>(limits.time);
    std::vector<std::jthread> threads;
    threads.reserve(limits.clients);
    for (unsigned i = 0; i < limits.clients; ++i) {
        threads.emplace_back([&, i] {
            failure.watch([&] { play_client(what, i, share(i), deadline, ask, records[i]); });
        });
    }
    for (std::jthread& each : threads) each.join();
    const auto time = traffic_clock::now() - begin;
    failure.rethrow();
    return summed(records, time);
}

std::uint64_t ask_absent_again(const demo_traffic& what, const demo_timing& then,
                               const demo_asker& ask) {
    std::uint64_t count = 0;
    for (unsigned client = 0; client < then.asked.size(); ++client) {
        demo_requests requests(what, client);
        for (std::uint64_t i = 0; i < then.asked[client]; ++i) {
            const demo_requests::request next = requests.next();
            if (next.present) continue;
            check(next.key.text(), false, ask(next.key.text()));
            ++count;
            interruption::check();
        }
    }
    return count;
}

} // namespace bloomery::cli
