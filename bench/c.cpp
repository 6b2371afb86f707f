// What the C interface costs beside C++: the same keys and equal filters, in turns.
//
// Prints, for each call, nanoseconds per key in C++ and in C, the least of all rounds and the
// median, and the C call's ratio to and difference from the C++ call. Both run in each round, so
// that a busy machine disturbs both alike, and several pairs of filters are made, so that where the
// memory of one happens to be does not decide. Bulk calls go to any_filter, which is what the C
// interface wraps, single calls to `filter`, which is inlined.
//
//     bench_c [KEYS [ROUNDS]]      without: 10,000 keys (in cache), then 10,000,000 (beyond it)
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>

#include "timing.hpp"

#include <bloomery.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;

struct keys_of_both {
    std::vector<std::uint64_t> integers;
    std::string bytes;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::string_view> texts;

    explicit keys_of_both(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            integers.push_back(i * 0x9e3779b97f4a7c15);
            bytes += "https://example.org/" + std::to_string(i * 7919);
            offsets.push_back(static_cast<std::int64_t>(bytes.size()));
        }
        for (std::size_t i = 0; i < count; ++i) {
            texts.emplace_back(bytes.data() + offsets[i],
                               static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
        }
    }
};

void must(bloomery_status status) {
    if (status != BLOOMERY_OK) {
        std::fprintf(stderr, "%s\n", bloomery_last_error());
        std::exit(1);
    }
}

std::size_t found = 0; // so that nothing is left out

struct closing {
    void operator()(bloomery_filter* filter) const { bloomery_close(filter); }
};
using c_filter = std::unique_ptr<bloomery_filter, closing>;

/// A filter in C++, twice, and its equal in C.
struct pair_of_filters {
    any_filter any;
    filter plain;
    c_filter in_c;

    explicit pair_of_filters(const filter& filled, const bloomery_filter* same)
        : any(filled), plain(filled) {
        bloomery_filter* made = nullptr;
        must(bloomery_copy(same, &made));
        in_c.reset(made);
    }
};

/// Runs calls of both languages in turns, over all pairs.
class comparison {
public:
    comparison(std::vector<pair_of_filters>& pairs, std::size_t count, int rounds)
        : pairs_(&pairs), scale_(1e9 / static_cast<double>(count)), rounds_(rounds) {}

    template <class InCpp, class InC>
    void operator()(const char* what, InCpp in_cpp, InC in_c) const {
        std::vector<double> cpp;
        std::vector<double> c;
        for (int i = 0; i < rounds_; ++i) {
            pair_of_filters& of = (*pairs_)[static_cast<std::size_t>(i) % pairs_->size()];
            const auto time_cpp = [&] { cpp.push_back(seconds([&] { in_cpp(of); }) * scale_); };
            const auto time_c = [&] {
                c.push_back(seconds([&] { in_c(of.in_c.get()); }) * scale_);
            };
            i % 2 == 0 ? (time_cpp(), time_c()) : (time_c(), time_cpp());
        }
        print(what, std::ranges::min(cpp), std::ranges::min(c));
        print("  median", median(cpp), median(c));
    }

private:
    static void print(const char* what, double cpp, double c) {
        std::printf("%-36s %8.2f %8.2f   %.3f x  %+.2f ns\n", what, cpp, c, c / cpp, c - cpp);
    }

    std::vector<pair_of_filters>* pairs_;
    double scale_;
    int rounds_;
};

void compare_bulk(const comparison& compare, const filter& filled, const keys_of_both& keys) {
    const std::size_t count = keys.integers.size();
    const bloomery_keys integers = bloomery_keys_u64(keys.integers.data(), count);
    const bloomery_keys texts =
        bloomery_keys_offsets64(keys.bytes.data(), keys.offsets.data(), count);
    std::vector<digest128> hashed;
    std::vector<bloomery_digest> digests;
    for (const std::string_view text : keys.texts) {
        hashed.push_back(filled.digest(text));
        digests.push_back({hashed.back().low, hashed.back().high});
    }
    const bloomery_keys ahead = bloomery_keys_digests(digests.data(), count);
    std::vector<std::uint8_t> bits((count + 7) / 8);
    bitmap maybe;

    const auto ask = [&](const char* what, const auto& cpp_keys, const bloomery_keys& c_keys) {
        compare(
            what, [&](pair_of_filters& of) { of.any.may_contain_many(cpp_keys, maybe); },
            [&](bloomery_filter* of) {
                must(bloomery_may_contain_many(of, &c_keys, bits.data(), nullptr));
            });
    };
    const auto add = [&](const char* what, const auto& cpp_keys, const bloomery_keys& c_keys) {
        compare(
            what, [&](pair_of_filters& of) { of.any.insert_many(cpp_keys); },
            [&](bloomery_filter* of) { must(bloomery_insert_many(of, &c_keys)); });
    };
    ask("may_contain_many, integers", keys.integers, integers);
    ask("may_contain_many, texts by offsets", keys.texts, texts);
    ask("may_contain_many, digests", hashed, ahead);
    add("insert_many, integers", keys.integers, integers);
    add("insert_many, texts by offsets", keys.texts, texts);
    add("insert_many, digests", hashed, ahead);
}

void compare_single(const comparison& compare, const keys_of_both& keys) {
    // Counts in a variable of its own, as programs do: one that the other side of a call may change
    // is stored and loaded for each key.
    const auto count = [](const auto& in, const auto& ask) {
        std::size_t all = 0;
        for (const auto& key : in) all += ask(key) ? 1U : 0U;
        found += all;
    };
    compare(
        "may_contain, integer",
        [&](pair_of_filters& of) {
            count(keys.integers, [&](std::uint64_t key) { return of.plain.may_contain(key); });
        },
        [&](bloomery_filter* of) {
            count(keys.integers, [&](std::uint64_t key) {
                bool maybe = true;
                must(bloomery_may_contain_u64(of, key, &maybe));
                return maybe;
            });
        });
    compare(
        "may_contain, text",
        [&](pair_of_filters& of) {
            count(keys.texts, [&](std::string_view key) { return of.plain.may_contain(key); });
        },
        [&](bloomery_filter* of) {
            count(keys.texts, [&](std::string_view key) {
                bool maybe = true;
                must(bloomery_may_contain(of, key.data(), key.size(), &maybe));
                return maybe;
            });
        });
    compare(
        "insert, integer",
        [&](pair_of_filters& of) {
            for (const std::uint64_t key : keys.integers) of.plain.insert(key);
        },
        [&](bloomery_filter* of) {
            for (const std::uint64_t key : keys.integers) must(bloomery_insert_u64(of, key));
        });
    compare(
        "insert, text",
        [&](pair_of_filters& of) {
            for (const std::string_view key : keys.texts) of.plain.insert(key);
        },
        [&](bloomery_filter* of) {
            for (const std::string_view key : keys.texts) {
                must(bloomery_insert(of, key.data(), key.size()));
            }
        });
    compare(
        "try_insert, integer",
        [&](pair_of_filters& of) {
            count(keys.integers, [&](std::uint64_t key) { return of.plain.try_insert(key); });
        },
        [&](bloomery_filter* of) {
            count(keys.integers, [&](std::uint64_t key) {
                bool fresh = true;
                must(bloomery_try_insert_u64(of, key, &fresh, nullptr));
                return fresh;
            });
        });
    compare(
        "try_insert, text",
        [&](pair_of_filters& of) {
            count(keys.texts, [&](std::string_view key) { return of.plain.try_insert(key); });
        },
        [&](bloomery_filter* of) {
            count(keys.texts, [&](std::string_view key) {
                bool fresh = true;
                must(bloomery_try_insert(of, key.data(), key.size(), &fresh, nullptr));
                return fresh;
            });
        });
}

void compare_all(std::size_t count, int rounds) {
    const keys_of_both keys(count);
    filter filled{items{2 * count}, rate{0.01}};
    filled.insert_many(keys.integers);
    filled.insert_many(keys.texts);
    bloomery_filter* made = nullptr;
    must(bloomery_new(2 * count, 0.01, &made));
    const c_filter same(made);
    const bloomery_keys integers = bloomery_keys_u64(keys.integers.data(), count);
    must(bloomery_insert_many(made, &integers));
    const bloomery_keys texts =
        bloomery_keys_offsets64(keys.bytes.data(), keys.offsets.data(), count);
    must(bloomery_insert_many(made, &texts));
    std::vector<pair_of_filters> pairs;
    for (int i = 0; i < 5; ++i) pairs.emplace_back(filled, made);

    std::printf("%zu keys, kernel %s, ns per key\n%-36s %8s %8s\n", count, bloomery_kernel(), "",
                "C++", "C");
    const comparison compare(pairs, count, rounds);
    compare_bulk(compare, filled, keys);
    compare_single(compare, keys);
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 1) {
        compare_all(std::strtoull(argv[1], nullptr, 10), argc > 2 ? std::atoi(argv[2]) : 200);
    } else {
        compare_all(10'000, 500);
        compare_all(10'000'000, 10);
    }
    return found == 0 ? 1 : 0;
}
