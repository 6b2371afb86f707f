#include "bloom_request.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>

#include "native_object.hpp"
#include "redisbloom_object.hpp"
#include "settings.hpp"

#include <algorithm>

namespace bloomery::redis_module {

namespace {

constexpr long long usual_expansion = 2;
constexpr const char* no_memory_to_create = "ERR Insufficient memory to create filter";

layer_rules redisbloom_rules_of(const bloom_request& request) noexcept {
    layer_rules rules;
    if (!request.grows) rules.options |= redisbloom_no_scaling;
    rules.growth = static_cast<std::uint32_t>(request.expansion);
    return rules;
}

native_rules native_rules_of(const bloom_request& request) noexcept {
    native_rules rules;
    const design goal{.item_capacity = static_cast<std::uint64_t>(request.capacity),
                      .target_rate = request.rate};
    if (needs_wide_digests(goal)) rules.hash = rules.hash.widened();
    rules.growth = request.grows ? static_cast<std::uint32_t>(request.expansion) : 0;
    return rules;
}

/// Follows the growth of a filter that would be made, without making it. Only a limit that somebody
/// set counts here: nobody knows what the machine will have by then.
template <class Kind>
void require_scale(std::uint64_t wanted, typename Kind::facts layer,
                   const typename Kind::rules& rules) {
    const std::uint64_t most_bytes = configured.memory_limit != 0
                                         ? static_cast<std::uint64_t>(configured.memory_limit)
                                         : UINT64_MAX;
    std::uint64_t items = layer.capacity();
    std::uint64_t bytes = Kind::byte_count(layer);
    while (items < wanted && bytes <= most_bytes) {
        if (layer.error / 2 == 0) {
            throw refusal{"ERR provided VALIDATESCALETO causes false positive to degrade to 0"};
        }
        layer = Kind::next(layer, rules);
        items += layer.capacity();
        bytes += Kind::byte_count(layer);
    }
    if (bytes > most_bytes) {
        throw refusal{"ERR provided VALIDATESCALETO causes bloom object to exceed memory limit"};
    }
}

template <class Kind>
std::unique_ptr<bloom_object> make_of(const bloom_request& request,
                                      const typename Kind::rules& rules, std::uint64_t most_bytes) {
    const auto capacity = static_cast<std::uint64_t>(request.capacity);
    const typename Kind::facts first = Kind::first(capacity, request.rate, rules);
    if (request.scale_to) {
        require_scale<Kind>(static_cast<std::uint64_t>(*request.scale_to), first, rules);
    }
    if (Kind::byte_count(first) > most_bytes) throw refusal{bloom_over_limit(no_memory_to_create)};
    return bloom_chain<Kind>::make(capacity, request.rate, rules);
}

} // namespace

bloom_request bloom_request::configured_one() noexcept {
    return {.rate = configured.bloom_rate,
            .capacity = configured.bloom_capacity,
            .expansion = configured.bloom_expansion,
            .grows = configured.bloom_expansion != 0};
}

void bloom_request::stays() noexcept {
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

std::unique_ptr<bloom_object> make_bloom(const bloom_request& request, std::uint64_t most_bytes) {
    try {
        return request.split
                   ? make_of<native_kind>(request, native_rules_of(request), most_bytes)
                   : make_of<redisbloom_kind>(request, redisbloom_rules_of(request), most_bytes);
    } catch (const std::bad_alloc&) {
        throw refusal{no_memory_to_create};
    } catch (const error&) {
        throw refusal{"ERR could not create filter"};
    }
}

} // namespace bloomery::redis_module
