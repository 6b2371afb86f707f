// The Bloom filter that RedisBloom does not have: one cache line an item.
#pragma once

#include "bloom_chain.hpp"
#include "native_layer.hpp"

#include <memory>

namespace bloomery::redis_module {

class native_object final : public bloom_chain<native_layer> {
public:
    native_object(const native_rules& rules, layer_list layers) noexcept;

    /// An empty filter. Throws bad_argument where there is none, std::bad_alloc.
    static std::unique_ptr<native_object> make(std::uint64_t capacity, double rate,
                                               const native_rules& rules);
    /// One without its bits, from the first piece of a dump. Throws bad_data and others as
    /// format::decode_redis_layers, refusal if it has more bytes than that, std::bad_alloc.
    static std::unique_ptr<native_object> from_header(byte_view bytes, std::uint64_t most_bytes);
    /// From an RDB file. Throws as above, and io_failed.
    static std::unique_ptr<native_object> load(stream* from, int version);

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
