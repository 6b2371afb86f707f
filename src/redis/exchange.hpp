// Sends requests and collects answers, whatever happens to the servers meanwhile.
#pragma once

#include <bloomery/redis/client.hpp>

#include "pool.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bloomery::inline v0::redis {

/// The servers of a client, and which slots they have.
class servers {
public:
    servers() = default;
    servers(const servers&) = delete;
    servers& operator=(const servers&) = delete;
    virtual ~servers() = default;
    [[nodiscard]] virtual const options& how() const noexcept = 0;
    [[nodiscard]] virtual pool& connections() noexcept = 0;
    /// The server for a slot, or any server; nothing if no server has it now.
    [[nodiscard]] virtual std::optional<endpoint> server_for(std::optional<std::uint16_t> slot) = 0;
    virtual void move(std::uint16_t slot, const endpoint& to) = 0;
    /// Refreshes the slot map, until the deadline.
    virtual void refresh(clock::time_point deadline) noexcept = 0;
};

/// Implements client::exchange.
[[nodiscard]] std::vector<answer> exchange(servers& with, std::span<const request> all,
                                           unsigned replicas);

/// Throws refused for an error of a server.
void require_no_error(const reply& of);

} // namespace bloomery::inline v0::redis
