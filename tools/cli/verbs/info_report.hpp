// What `bloomery info` says of a filter, gathered before any of it is printed.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/native.hpp>

#include "output/chart.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// What there is to say of a filter, whichever file it is in.
struct description {
    spec what;
    design made_for;
    statistics now;
    std::uint64_t byte_count = 0;
    std::optional<format::native_header> header{}; ///< of a native file
    const format::foreign_format* format = nullptr;
    std::vector<fact> facts{}; ///< the original's own, or those of the kind
    std::function<double(std::uint64_t keys)> rate_at{};
    bool in_redis = false;
    std::optional<std::chrono::seconds> time_left{}; ///< of one in Redis that expires

    [[nodiscard]] std::string_view format_name() const noexcept {
        if (in_redis) return "redis";
        return format == nullptr ? "bloomery" : format->name;
    }
};

/// What it is and how full: what `info` has in common with the verbs that make filters.
[[nodiscard]] nlohmann::ordered_json filter_facts(const description& h);
[[nodiscard]] nlohmann::ordered_json filter_facts(const any_filter& of);

/// Lines for people.
[[nodiscard]] std::string info_text(const description& h);

/// An object, on several lines or, as one of many, on one. Bytes that are not text are replaced.
[[nodiscard]] std::string info_json(const description& h, const std::string& path,
                                    bool on_one_line);

/// Its rate over the keys, with what is in it and what it was made for.
[[nodiscard]] chart info_chart(const description& h);

} // namespace bloomery::cli
