// A real Redis Cluster on this machine: three masters with a replica each.
#pragma once

#include "redis_server.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bloomery::testing {

/// See above. Nodes are numbered from 0 to 5 and keep their numbers whatever they become; at first
/// the first three are masters, and node i + 3 is the replica of node i.
///
/// Every node answers CLUSTERDOWN for all slots while one has no master
/// (cluster-require-full-coverage yes), as Redis does unless it is told otherwise: the harder case
/// for a client.
class redis_cluster {
public:
    static constexpr std::size_t size = 6;

    /// Returns when all nodes know all others and the replicas follow their masters. `lines` are
    /// added to the configuration of each, such as "appendfsync always".
    explicit redis_cluster(const std::vector<std::string>& lines = {});

    [[nodiscard]] redis_server& node(std::size_t i) { return *nodes_.at(i); }
    [[nodiscard]] const std::string& id(std::size_t i) const { return ids_.at(i); }
    /// The nodes that run and are masters with slots, as node `asked` sees them.
    [[nodiscard]] std::vector<std::size_t> masters(std::size_t asked = 0);
    /// The node that is a replica of node i, as i sees it. Throws if there is none.
    [[nodiscard]] std::size_t replica_of(std::size_t i);
    /// The master of a slot, as node `asked` sees it.
    [[nodiscard]] std::size_t master_of(std::uint16_t slot, std::size_t asked = 0);

    void kill9(std::size_t i) { node(i).kill9(); }
    /// Starts it again; see redis_server for the thread to do it from.
    void restart(std::size_t i) { node(i).start(); }
    /// Returns when every node that runs finds the cluster whole and all agree who has which part
    /// in it.
    void wait_until_ok();
    /// Returns when the replicas that run follow their masters.
    void wait_until_replicated();

    /// Moves a slot as tools for resharding do: its keys a few at a time, in MIGRATE. Clients meet
    /// ASK meanwhile, and MOVED afterwards.
    void migrate_slot(std::uint16_t slot, std::size_t from, std::size_t to);

private:
    void introduce();
    void replicate();
    /// Master and slots of each node that is not thought to have failed.
    [[nodiscard]] std::map<std::string, std::string> roles(std::size_t asked);

    std::vector<std::unique_ptr<redis_server>> nodes_;
    std::vector<std::string> ids_;
};

} // namespace bloomery::testing
