// Filters of every kind, grown over several layers, and all that a client can see of them.
#pragma once

#include "redis_server.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// A command, or items.
using words = std::vector<std::string>;

/// A filter in a server: its key, the family of its commands, and what is in it.
struct sample_filter {
    std::string key;
    std::string family; ///< BF or CF
    words items;
};

inline words numbered(const std::string& prefix, std::size_t count) {
    words all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(prefix + std::to_string(i));
    return all;
}

/// A command with items at its end.
inline words with_items(words command, const words& items) {
    command.insert(command.end(), items.begin(), items.end());
    return command;
}

/// One character an item: 0 or 1.
inline std::string answers(redis_server& from, const sample_filter& of, const words& items) {
    std::string all;
    if (items.empty()) return all;
    const redis_value told = from.run(with_items({of.family + ".MEXISTS", of.key}, items));
    for (const redis_value& one : told.elements) all += std::to_string(one.integer);
    return all;
}

inline std::string digest_of(redis_server& from, const std::string& key) {
    return from.run({"DEBUG", "DIGEST-VALUE", key}).elements.at(0).text;
}

/// What decides every later answer, what a filter says of itself, and its answers to strangers.
/// Throws if it denies an item.
inline std::string seen_of(redis_server& from, const sample_filter& of) {
    if (answers(from, of, of.items).find('0') != std::string::npos) {
        throw std::runtime_error(of.key + " denies an item");
    }
    std::string all = of.key + ' ' + digest_of(from, of.key);
    for (const redis_value& one : from.run({of.family + ".INFO", of.key}).elements) {
        all += ' ' + (one.text.empty() ? std::to_string(one.integer) : one.text);
    }
    return all + ' ' + answers(from, of, numbered("stranger-", 2000));
}

inline words seen_of(redis_server& from, const std::vector<sample_filter>& all) {
    words seen;
    for (const sample_filter& one : all) seen.push_back(seen_of(from, one));
    return seen;
}

/// Fills a server with filters of all kinds. Those of several MiB are dumped in several pieces.
inline std::vector<sample_filter> make_samples(redis_server& in, bool with_large = true) {
    std::vector<sample_filter> all;
    const auto make = [&](const words& reserve, std::size_t count) {
        const std::string family = reserve.at(0).substr(0, 2);
        const std::string& key = reserve.at(1);
        in.run(reserve);
        sample_filter made{key, family, numbered(key + '-', count)};
        const redis_value told =
            in.run(family == "BF" ? with_items({"BF.MADD", key}, made.items)
                                  : with_items({"CF.INSERT", key, "ITEMS"}, made.items));
        if (std::ranges::any_of(told.elements, [](const redis_value& one) {
                return one.is_error() || one.integer < 0;
            })) {
            throw std::runtime_error(key + " does not take all items");
        }
        all.push_back(std::move(made));
    };
    make({"BF.ADD", "default", "first"}, 2000);
    make({"BF.RESERVE", "scaling", "0.02", "70", "EXPANSION", "3"}, 3000);
    make({"BF.RESERVE", "steady", "0.001", "60", "EXPANSION", "1"}, 900);
    make({"BF.RESERVE", "nonscaling", "0.01", "1000", "NONSCALING"}, 1000);
    make({"BF.RESERVE", "empty", "0.01", "1000"}, 1);
    make({"BF.RESERVE", "split", "0.001", "100", "LAYOUT", "SPLIT"}, 3000);
    make({"BF.RESERVE", "split-steady", "0.1", "80", "EXPANSION", "1", "LAYOUT", "SPLIT"}, 900);
    make({"BF.RESERVE", "split-fixed", "1e-5", "500", "NONSCALING", "LAYOUT", "SPLIT"}, 500);
    make({"CF.ADD", "cuckoo", "first"}, 5000);
    make({"CF.RESERVE", "cuckoo-wide", "64", "BUCKETSIZE", "8", "EXPANSION", "4"}, 3000);
    if (with_large) {
        make({"BF.RESERVE", "large", "0.001", "900000", "EXPANSION", "1"}, 5000);
        make({"BF.RESERVE", "large-split", "0.001", "900000", "LAYOUT", "SPLIT"}, 5000);
        make({"CF.RESERVE", "large-cuckoo", "2500000"}, 5000);
    }
    in.run({"BF.CLEAR", "empty"});
    for (sample_filter& one : all) {
        if (one.key == "empty") one.items.clear();
        if (one.family != "CF") continue;
        // Few enough that the filter is not compacted, so that it remembers how many they were.
        for (std::size_t i = 0; i < one.items.size() / 20; ++i) {
            in.run({"CF.DEL", one.key, one.items.back()});
            one.items.pop_back();
        }
    }
    return all;
}

} // namespace bloomery::testing
