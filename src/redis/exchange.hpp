// Requests to servers and answers back, whatever happens to the servers meanwhile.
#pragma once

#include <bloomery/redis/client.hpp>

#include "pool.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bloomery::redis {

/// The servers of a client, and who of them has what.
class servers {
public:
    servers() = default;
    servers(const servers&) = delete;
    servers& operator=(const servers&) = delete;
    virtual ~servers() = default;
    [[nodiscard]] virtual const options& how() const noexcept = 0;
    [[nodiscard]] virtual pool& connections() noexcept = 0;
    /// Whom to ask about a slot, or anything; nothing if nobody has it now.
    [[nodiscard]] virtual std::optional<endpoint> server_for(std::optional<std::uint16_t> slot) = 0;
    virtual void move(std::uint16_t slot, const endpoint& to) = 0;
    /// Asks the cluster anew who has what, as long as there is time.
    virtual void refresh(clock::time_point deadline) noexcept = 0;
};

/// As client::exchange.
[[nodiscard]] std::vector<answer> exchange(servers& with, std::span<const request> all,
                                           unsigned replicas);

/// Throws refused for an error of a server.
void require_no_error(const reply& of);

} // namespace bloomery::redis
