// What a scan visited.
#pragma once

#include <bloomery/guard/store.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

/// All keys of a source, sorted.
template <class Source>
std::vector<std::string> keys_of(Source& from) {
    std::vector<std::string> all;
    from.scan([&](store::keys some) { all.insert(all.end(), some.begin(), some.end()); });
    std::sort(all.begin(), all.end());
    return all;
}

/// What came after a mark, sorted, or the one word "unknown".
template <class Source>
std::vector<std::string> since(Source& from, const std::string& mark) {
    std::vector<std::string> all;
    const bool is_known = from.scan_since(
        mark, [&](store::keys some) { all.insert(all.end(), some.begin(), some.end()); });
    if (!is_known) return all.empty() ? std::vector<std::string>{"unknown"} : all;
    std::sort(all.begin(), all.end());
    return all;
}

using texts = std::vector<std::string>;

} // namespace bloomery::testing
