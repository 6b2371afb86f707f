// The devices that tests run on: the processor always, and each GPU that there is.
#pragma once

#include <bloomery/gpu/device.hpp>

#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace on_devices {

inline std::vector<bloomery::gpu::device> all() {
    std::vector<bloomery::gpu::device> found{bloomery::gpu::device::processor()};
    for (std::size_t i = 0; i < bloomery::gpu::device::count(); ++i) {
        found.push_back(bloomery::gpu::device::number(i));
    }
    return found;
}

inline std::string name(const bloomery::gpu::device& of) {
    std::string name = of.name();
    for (char& each : name) {
        each = std::isalnum(static_cast<unsigned char>(each)) != 0 ? each : '_';
    }
    return name;
}

/// The number of a device in all().
class each : public testing::TestWithParam<std::size_t> {
protected:
    [[nodiscard]] static bloomery::gpu::device device() { return all()[GetParam()]; }
};

inline auto numbers() { return testing::Range(std::size_t{0}, all().size()); }
inline std::string number_name(const testing::TestParamInfo<std::size_t>& of) {
    return name(all()[of.param]) + (of.param < 2 ? "" : std::to_string(of.param));
}

/// Distinct integers that look random.
inline std::vector<std::uint64_t> some_keys(std::size_t count, std::uint64_t salt = 0) {
    std::vector<std::uint64_t> keys(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t x = (salt << 40) + i;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        keys[i] = x ^ x >> 31;
    }
    return keys;
}

} // namespace on_devices

#define ON_EACH_DEVICE(Suite)                                                                      \
    INSTANTIATE_TEST_SUITE_P(On, Suite, on_devices::numbers(), on_devices::number_name)
