// The Bloom filter that RedisBloom has: the same bits, numbers and files.
#pragma once

#include "bloom_chain.hpp"
#include "redisbloom_layer.hpp"

#include <memory>

namespace bloomery::redis_module {

class redisbloom_object final : public bloom_chain<redisbloom_layer> {
public:
    redisbloom_object(const redisbloom_rules& rules, layer_list layers) noexcept;

    /// An empty filter. Throws bad_argument where RedisBloom refuses, std::bad_alloc.
    static std::unique_ptr<redisbloom_object> make(std::uint64_t capacity, double rate,
                                                   const redisbloom_rules& rules);
    /// One without its bits, from the first piece of a dump. Throws bad_data and others as
    /// format::decode_redisbloom_header, refusal if it has more bytes than that, std::bad_alloc.
    static std::unique_ptr<redisbloom_object> from_header(byte_view bytes,
                                                          std::uint64_t most_bytes);
    /// From an RDB file of a version that RedisBloom wrote. Throws as above, and io_failed.
    static std::unique_ptr<redisbloom_object> load(stream* from, int version);

    [[nodiscard]] bloom_facts facts() const noexcept override;
    [[nodiscard]] std::string debug_line(std::size_t layer) const override;
    [[nodiscard]] std::vector<std::byte> header() const override;
    [[nodiscard]] std::unique_ptr<bloom_object> copy() const override;
    void merge(const bloom_object& other, std::uint64_t most_bytes) override;
    void intersect(const bloom_object& other) override;
    void save(stream* to) const noexcept override;
    void digest(digest_state* to) const noexcept override;
};

} // namespace bloomery::redis_module
