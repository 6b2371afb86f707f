#include "bloom_wish.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>

#include "native_object.hpp"
#include "redisbloom_object.hpp"
#include "settings.hpp"

#include <algorithm>

namespace bloomery::redis_module {

namespace {

constexpr long long usual_expansion = 2;

redisbloom_rules redisbloom_rules_of(const bloom_wish& wish) noexcept {
    redisbloom_rules rules;
    if (!wish.grows) rules.options |= redisbloom_no_scaling;
    rules.growth = static_cast<std::uint32_t>(wish.expansion);
    return rules;
}

native_rules native_rules_of(const bloom_wish& wish) noexcept {
    native_rules rules;
    const design goal{.item_capacity = static_cast<std::uint64_t>(wish.capacity),
                      .target_rate = wish.rate};
    if (needs_wide_digests(goal)) rules.hash = rules.hash.widened();
    rules.growth = wish.grows ? static_cast<std::uint32_t>(wish.expansion) : 0;
    return rules;
}

/// A layer that may come: how large and how strict.
struct step {
    std::uint64_t entries;
    std::uint64_t bytes;
    double error;
};

/// Follows the growth of a filter that would be made, without making it.
class growth {
public:
    explicit growth(const bloom_wish& wish) : wish_(wish) {
        const auto capacity = static_cast<std::uint64_t>(wish.capacity);
        if (wish.split) {
            native_ = first_native_layer(capacity, wish.rate, native_rules_of(wish));
        } else {
            foreign_ = first_redisbloom_layer(capacity, wish.rate, redisbloom_rules_of(wish));
        }
    }
    void advance() {
        if (wish_.split) {
            native_ = next_native_layer(native_, native_rules_of(wish_));
        } else {
            foreign_ = next_redisbloom_layer(foreign_, redisbloom_rules_of(wish_));
        }
    }
    [[nodiscard]] step now() const noexcept {
        if (wish_.split) return {native_.entries, native_.what.shape.byte_count(), native_.error};
        return {foreign_.shape.entries, foreign_.shape.byte_count, foreign_.error};
    }

private:
    const bloom_wish& wish_;
    format::redis_layer native_;
    filter_layer foreign_;
};

/// Only a limit that somebody set counts here: nobody knows what the machine will have by then.
void require_scale(const bloom_wish& wish) {
    const std::uint64_t most_bytes = configured.memory_limit != 0
                                         ? static_cast<std::uint64_t>(configured.memory_limit)
                                         : UINT64_MAX;
    growth layers(wish);
    const auto wanted = static_cast<std::uint64_t>(wish.scale_to.value_or(0));
    step layer = layers.now();
    std::uint64_t items = layer.entries;
    std::uint64_t bytes = layer.bytes;
    while (items < wanted && bytes <= most_bytes) {
        if (layer.error / 2 == 0) {
            throw refusal{"ERR provided VALIDATESCALETO causes false positive to degrade to 0"};
        }
        layers.advance();
        layer = layers.now();
        items += layer.entries;
        bytes += layer.bytes;
    }
    if (bytes > most_bytes) {
        throw refusal{"ERR provided VALIDATESCALETO causes bloom object to exceed memory limit"};
    }
}

} // namespace

bloom_wish bloom_wish::configured_one() noexcept {
    return {.rate = configured.bloom_rate,
            .capacity = configured.bloom_capacity,
            .expansion = configured.bloom_expansion,
            .grows = configured.bloom_expansion != 0};
}

void bloom_wish::stays() noexcept {
    grows = false;
    expansion = usual_expansion;
}

std::optional<double> rate_in(const text* from, bool* is_number) noexcept {
    double value = 0;
    const bool parsed = server.to_double(from, &value) == ok;
    if (is_number != nullptr) *is_number = parsed;
    if (!parsed || !(value > 0 && value < 1)) return std::nullopt;
    return std::min(value, largest_rate);
}

std::unique_ptr<bloom_object> make_bloom(const bloom_wish& wish, std::uint64_t most_bytes) {
    constexpr const char* no_memory = "ERR Insufficient memory to create filter";
    try {
        if (wish.scale_to) require_scale(wish);
        if (growth(wish).now().bytes > most_bytes) throw refusal{bloom_over_limit(no_memory)};
        const auto capacity = static_cast<std::uint64_t>(wish.capacity);
        if (wish.split) return native_object::make(capacity, wish.rate, native_rules_of(wish));
        return redisbloom_object::make(capacity, wish.rate, redisbloom_rules_of(wish));
    } catch (const std::bad_alloc&) {
        throw refusal{no_memory};
    } catch (const error&) {
        throw refusal{"ERR could not create filter"};
    }
}

} // namespace bloomery::redis_module
