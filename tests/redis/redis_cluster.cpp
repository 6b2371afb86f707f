// How tests/support/redis_cluster.hpp makes a cluster of six servers.
#include "redis_cluster.hpp"

#include "wait.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <sstream>
#include <stdexcept>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t master_count = 3;
constexpr std::size_t slot_count = 16'384;

/// A line of CLUSTER NODES.
struct node_line {
    std::string id, flags, master;
    std::vector<std::string> slots;
};

std::vector<node_line> lines_of(const std::string& text) {
    std::vector<node_line> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        node_line one;
        std::string address, pinged, ponged, epoch, link, slots;
        words >> one.id >> address >> one.flags >> one.master >> pinged >> ponged >> epoch >> link;
        while (words >> slots) {
            if (!slots.starts_with('[')) one.slots.push_back(slots);
        }
        all.push_back(one);
    }
    return all;
}

bool holds(const node_line& node, std::size_t slot) {
    return std::ranges::any_of(node.slots, [&](const std::string& range) {
        const std::size_t dash = range.find('-');
        const std::size_t first = std::stoul(range);
        const std::size_t last =
            dash == std::string::npos ? first : std::stoul(range.substr(dash + 1));
        return first <= slot && slot <= last;
    });
}

bool is_master(const node_line& node) {
    return node.flags.find("master") != std::string::npos &&
           node.flags.find("fail") == std::string::npos && !node.slots.empty();
}

} // namespace

redis_cluster::redis_cluster(const std::vector<std::string>& lines) {
    redis_settings how;
    how.cluster = true;
    // A replica takes over however long it has not heard of its master: a test may pause both.
    how.lines = {"cluster-node-timeout 2000", "cluster-replica-validity-factor 0",
                 "appendonly yes"};
    how.lines.insert(how.lines.end(), lines.begin(), lines.end());
    for (std::size_t i = 0; i < size; ++i) {
        nodes_.push_back(std::make_unique<redis_server>(how));
        ids_.push_back(node(i).run({"CLUSTER", "MYID"}).text);
    }
    introduce();
    replicate();
    wait_until_ok();
    wait_until_replicated();
}

void redis_cluster::introduce() {
    for (std::size_t i = 0; i < size; ++i) {
        // Without epochs of their own the nodes would have to settle them first.
        node(i).run({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
        if (i < master_count) {
            node(i).run({"CLUSTER", "ADDSLOTSRANGE", std::to_string(slot_count * i / master_count),
                         std::to_string(slot_count * (i + 1) / master_count - 1)});
        }
    }
    for (std::size_t i = 1; i < size; ++i) {
        node(0).run({"CLUSTER", "MEET", "127.0.0.1", std::to_string(node(i).port())});
    }
    for (std::size_t i = 0; i < size; ++i) {
        wait_until("node " + std::to_string(i) + " knows all others", 20s, [&] {
            const std::string known = node(i).run({"CLUSTER", "NODES"}).text;
            return node(i).cluster_info("cluster_state") == "ok" &&
                   std::ranges::all_of(ids_, [&](const std::string& id) {
                       return known.find(id) != std::string::npos;
                   });
        });
    }
}

void redis_cluster::replicate() {
    for (std::size_t i = master_count; i < size; ++i) {
        wait_until("a node is a replica", 20s, [&] {
            return !node(i).command({"CLUSTER", "REPLICATE", id(i - master_count)}).is_error();
        });
    }
}

std::vector<std::size_t> redis_cluster::masters(std::size_t asked) {
    std::vector<std::size_t> found;
    for (const node_line& line : lines_of(node(asked).run({"CLUSTER", "NODES"}).text)) {
        const auto at = static_cast<std::size_t>(std::ranges::find(ids_, line.id) - ids_.begin());
        if (is_master(line) && at < size && node(at).is_running()) found.push_back(at);
    }
    std::ranges::sort(found);
    return found;
}

std::size_t redis_cluster::replica_of(std::size_t i) {
    for (const node_line& line : lines_of(node(i).run({"CLUSTER", "NODES"}).text)) {
        const auto at = static_cast<std::size_t>(std::ranges::find(ids_, line.id) - ids_.begin());
        if (line.master == id(i) && at < size) return at;
    }
    throw std::runtime_error("node " + std::to_string(i) + " has no replica");
}

std::size_t redis_cluster::master_of(std::uint16_t slot, std::size_t asked) {
    for (const node_line& line : lines_of(node(asked).run({"CLUSTER", "NODES"}).text)) {
        if (holds(line, slot)) {
            return static_cast<std::size_t>(std::ranges::find(ids_, line.id) - ids_.begin());
        }
    }
    throw std::runtime_error("slot " + std::to_string(slot) + " has no master");
}

std::map<std::string, std::string> redis_cluster::roles(std::size_t asked) {
    std::map<std::string, std::string> seen;
    for (const node_line& line : lines_of(node(asked).run({"CLUSTER", "NODES"}).text)) {
        const bool is_sound = line.flags.find("fail") == std::string::npos &&
                              line.flags.find("handshake") == std::string::npos;
        if (!is_sound) continue;
        std::string& role = seen[line.id];
        role = line.master;
        for (const std::string& range : line.slots) role += ' ' + range;
    }
    return seen;
}

void redis_cluster::wait_until_ok() {
    const auto running = static_cast<std::size_t>(
        std::ranges::count_if(nodes_, [](const auto& one) { return one->is_running(); }));
    wait_until("the cluster is whole", 40s, [&] {
        std::map<std::string, std::string> first;
        for (std::size_t i = 0; i < size; ++i) {
            if (!node(i).is_running()) continue;
            const std::map<std::string, std::string> seen = roles(i);
            if (first.empty()) first = seen;
            if (node(i).cluster_info("cluster_state") != "ok" || seen != first ||
                seen.size() != running || masters(i).size() != master_count) {
                return false;
            }
        }
        return true;
    });
}

void redis_cluster::wait_until_replicated() {
    for (const auto& one : nodes_) {
        if (!one->is_running()) continue;
        wait_until("a replica follows its master", 40s, [&] {
            return one->info("replication", "role") == "master" ||
                   one->info("replication", "master_link_status") == "up";
        });
    }
}

void redis_cluster::migrate_slot(std::uint16_t slot, std::size_t from, std::size_t to) {
    const std::string number = std::to_string(slot);
    // Servers that are kept from the processor hear of a move late, and one that was told of an
    // older state after it may have gone back to that: then all are told again who has the slot.
    wait_until("the move of a slot begins", 10s, [&] {
        const bool begun =
            !node(to).command({"CLUSTER", "SETSLOT", number, "IMPORTING", id(from)}).is_error() &&
            !node(from).command({"CLUSTER", "SETSLOT", number, "MIGRATING", id(to)}).is_error();
        if (!begun) {
            for (const std::size_t one : masters(from)) {
                node(one).command({"CLUSTER", "SETSLOT", number, "NODE", id(from)});
            }
        }
        return begun;
    });
    for (;;) {
        const auto keys = node(from).run({"CLUSTER", "GETKEYSINSLOT", number, "1"}).texts();
        if (keys.empty()) break;
        std::vector<std::string> words{
            "MIGRATE", "127.0.0.1", std::to_string(node(to).port()), "", "0", "10000", "KEYS"};
        words.insert(words.end(), keys.begin(), keys.end());
        node(from).run(words);
    }
    // The new master first: until it knows, nobody may be sent there.
    for (const std::size_t told : {to, from}) {
        node(told).run({"CLUSTER", "SETSLOT", number, "NODE", id(to)});
    }
    for (const std::size_t other : masters(to)) {
        if (other != to && other != from) {
            node(other).run({"CLUSTER", "SETSLOT", number, "NODE", id(to)});
        }
    }
}

} // namespace bloomery::testing
