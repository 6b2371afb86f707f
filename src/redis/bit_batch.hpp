// Batches keys into few commands: each has the bits of up to a hundred probes of one shard.
//
// BITFIELD sets or reads any number of single bits of one string at once. It costs the server less
// than half of the equivalent SETBITs, and it is atomic: if two clients insert a key at the same
// time, one finds a bit clear, and the other finds all set.
#pragma once

#include <bloomery/detail/redis/probes.hpp>
#include <bloomery/redis/client.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "names.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::redis {

/// What is done with the bits. A caller that waits for replicas toggles one more bit with each
/// command, because a command that changes nothing is not replicated, and some servers (Valkey 8)
/// then let WAIT pass while another client's insert of the same key is still on its way.
enum class bit_verb { ask, set, set_and_wait };

/// The outcome for the keys of a call.
struct key_answers {
    explicit key_answers(std::size_t keys) : full(keys), arrived(keys), repeated(keys) {}

    bitmap full;     ///< all its bits were set before
    bitmap arrived;  ///< its answer arrived
    bitmap repeated; ///< it may have been sent twice
};

/// The commands for a batch of keys, and what their answers say about each key.
class bit_batch {
public:
    /// O(n k); throws std::bad_alloc. The keys must outlive this.
    bit_batch(const filter_facts& of, std::string_view name, const probing& how, bit_verb verb,
              std::span<const digest128> keys);

    [[nodiscard]] std::vector<request>& requests() noexcept { return requests_; }

    /// Reads the answers to its requests, ignoring any that were added after them; key 0 is number
    /// `first` of `into`. After reading all, throws refused for a server error, data_lost for a
    /// missing shard.
    void read(std::span<const answer> answers, std::size_t first, key_answers& into);

    /// Why some answers did not arrive, if so.
    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// The shards that were touched, each once.
    [[nodiscard]] std::vector<std::uint64_t> shards() const;
    /// How many distinct bits were set, if there is one shard. O(n k log(n k)).
    [[nodiscard]] std::size_t distinct_places() const;
    /// Throws no_place for the first key for which the original would throw.
    void require_places(std::size_t first, const key_answers& told) const;

private:
    struct part {
        std::uint64_t shard;
        std::size_t first; ///< of order_
        std::size_t count;
    };

    [[nodiscard]] bool waits() const noexcept { return verb_ == bit_verb::set_and_wait; }
    void order_by_shard();
    void add_part(std::uint64_t shard, std::size_t first, std::size_t count);
    void read_part(const part& of, const answer& from, std::size_t first, key_answers& into);

    const filter_facts& facts_;
    std::string_view name_;
    const probing& how_;
    bit_verb verb_;
    std::span<const digest128> keys_;
    std::vector<std::uint64_t> shard_;  ///< of each key
    std::vector<std::uint32_t> order_;  ///< the keys, shard by shard
    std::vector<std::uint32_t> probes_; ///< how many bits each of order_ has
    std::vector<part> parts_;
    std::vector<request> requests_;
    std::vector<std::uint64_t> places_;
    bool some_without_place_ = false;
    std::string failure_;
};

} // namespace bloomery::inline v0::redis
