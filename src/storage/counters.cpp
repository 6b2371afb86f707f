#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/detail/storage/dynamic_counters.hpp>
#include <bloomery/detail/storage/escaped_counters.hpp>

#include <algorithm>

namespace bloomery::inline v0::storage {

std::uint64_t map_salt() noexcept {
    static const std::uint64_t salt = []() noexcept -> std::uint64_t {
        try {
            return hash::random_key().k0;
        } catch (...) {
            return 0; // a system without random numbers: the map still works
        }
    }();
    return salt;
}

void detail::sort_by_place(std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries) noexcept {
    std::ranges::sort(entries);
}

template class escape_map<>;
template class escaped_counters<>;
template class dynamic_counters<>;

} // namespace bloomery::inline v0::storage
