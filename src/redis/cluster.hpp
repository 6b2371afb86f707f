// Redis Cluster: who has which slot, and what a server means when it sends us elsewhere.
#pragma once

#include <bloomery/redis/options.hpp>
#include <bloomery/redis/reply.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::redis {

/// Which server is the master of which slot, as one of them told, and was corrected since.
class slot_map {
public:
    static constexpr std::size_t slot_count = 16384;

    /// Of the answer to CLUSTER SLOTS; `asked` is who gave it, and so the host where it names none.
    /// Throws bad_data for an answer that is none.
    slot_map(const reply& answer, const endpoint& asked);

    /// The master; nothing for a slot that nobody has. O(1).
    [[nodiscard]] std::optional<endpoint> master_of(std::uint16_t slot) const;
    /// All masters, sorted, and all servers that were named, replicas too. O(1).
    [[nodiscard]] const std::vector<endpoint>& masters() const noexcept { return masters_; }
    [[nodiscard]] const std::vector<endpoint>& servers() const noexcept { return servers_; }

    /// A server said that the slot has moved. O(masters).
    void move(std::uint16_t slot, const endpoint& to);

private:
    static constexpr std::uint16_t nobody = 0xffff;
    [[nodiscard]] std::uint16_t number_of(const endpoint& master);

    std::array<std::uint16_t, slot_count> owner_;
    std::vector<endpoint> named_; ///< by number; never shrinks
    std::vector<endpoint> masters_;
    std::vector<endpoint> servers_;
};

/// What an error of a server asks a client of a cluster to do.
struct redirection {
    enum class kind : std::uint8_t {
        none,  ///< nothing of the sort: the error is the caller's
        moved, ///< ask `to`, from now on
        ask,   ///< ask `to`, this once, after ASKING
        later, ///< ask again in a while: slots or masters are about to change
    };
    kind what = kind::none;
    std::uint16_t slot = 0;
    endpoint to{};
};

/// Reads an error of the server `from`. O(text); throws std::bad_alloc.
[[nodiscard]] redirection redirection_of(std::string_view error, const endpoint& from);

} // namespace bloomery::redis
