// Redis Cluster: which server has which slot, and how to interpret redirections.
#pragma once

#include <bloomery/detail/redis/reply.hpp>
#include <bloomery/redis/client.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::redis {

/// Which server is the master of which slot, as one of them reported, with later corrections.
class slot_map {
public:
    static constexpr std::size_t slot_count = 16384;

    /// From the answer to CLUSTER SLOTS; `asked` is the server that gave it, whose host is used
    /// where the answer names none. Throws bad_data for an invalid answer.
    slot_map(const reply& answer, const endpoint& asked);

    /// The master; nothing for an unassigned slot. O(1).
    [[nodiscard]] std::optional<endpoint> master_of(std::uint16_t slot) const;
    /// All masters, sorted, and all servers that were named, replicas too. O(1).
    [[nodiscard]] const std::vector<endpoint>& masters() const noexcept { return masters_; }
    [[nodiscard]] const std::vector<endpoint>& servers() const noexcept { return servers_; }

    /// Records that the slot has moved. O(masters).
    void move(std::uint16_t slot, const endpoint& to);

private:
    static constexpr std::uint16_t nobody = 0xffff;
    [[nodiscard]] std::uint16_t number_of(const endpoint& master);

    std::array<std::uint16_t, slot_count> owner_;
    std::vector<endpoint> named_; ///< by number; never shrinks
    std::vector<endpoint> masters_;
    std::vector<endpoint> servers_;
};

/// What a server's error tells a cluster client to do.
struct redirection {
    enum class kind : std::uint8_t {
        none,  ///< no redirection: pass the error to the caller
        moved, ///< ask `to`, from now on
        ask,   ///< ask `to`, this once, after ASKING
        later, ///< retry in a while: slots or masters are about to change
    };
    kind what = kind::none;
    std::uint16_t slot = 0;
    endpoint to{};
};

/// Reads an error of the server `from`. O(text); throws std::bad_alloc.
[[nodiscard]] redirection redirection_of(std::string_view error, const endpoint& from);

} // namespace bloomery::inline v0::redis
