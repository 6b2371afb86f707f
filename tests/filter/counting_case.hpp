// Counting filters of every width and layout, and their counters as a file has them.
#pragma once

#include <bloomery/filter/counting.hpp>

#include "saved_state.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bloomery::testing {

class counting_case : public ::testing::TestWithParam<counting_options> {
protected:
    /// Of four lines, or nearly as many places.
    [[nodiscard]] static counting_filter small(std::uint32_t k = 5) {
        const std::uint64_t m =
            GetParam().layout == counter_layout::flat ? 397 : 4 * 512 / GetParam().counter_bits;
        return {bits{m}, hashes{k}, GetParam()};
    }
};

inline const std::vector<counting_options> every_option = [] {
    std::vector<counting_options> all;
    for (const std::uint32_t width : {2U, 3U, 4U, 5U, 8U, 16U, 21U, 32U}) {
        all.push_back({width, counter_layout::flat});
    }
    for (const std::uint32_t width : {2U, 4U, 8U, 16U}) {
        all.push_back({width, counter_layout::blocked});
    }
    return all;
}();

inline std::string option_name(const ::testing::TestParamInfo<counting_options>& each) {
    return (each.param.layout == counter_layout::flat ? "flat" : "blocked") +
           std::to_string(each.param.counter_bits);
}

inline std::vector<std::uint64_t> counters_of(const counting_filter& f) {
    return counters_in(payload_of(f), f.counter_bits(), f.bit_count());
}

} // namespace bloomery::testing
