// The seconds that some work takes, and the median of several figures.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

inline double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of none it is 0.
inline double median(std::vector<double> of) {
    if (of.empty()) return 0;
    std::ranges::sort(of);
    return of[of.size() / 2];
}
