// RedisBloom's SCANDUMP: the header of a stack of layers, and the bits of all layers.
#include <bloomery/detail/filter/layered.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/redis.hpp>

#include "foreign_parts.hpp"
#include "redisbloom_header.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

likeness looks_like_redisbloom(byte_view bytes) {
    return sure_if_readable([&] {
        cursor from(bytes);
        return read_redisbloom_header(from, {}).data_bytes == from.left();
    });
}

/// A filter of the hash that the rules name.
template <class... Parts>
any_filter stack_of(const layer_rules& rules, Parts&&... parts) {
    if (rules.has_wide_hash()) {
        return any_filter(std::in_place, redisbloom_layers(std::forward<Parts>(parts)..., rules));
    }
    return any_filter(std::in_place, redisbloom_32_layers(std::forward<Parts>(parts)..., rules));
}

/// Layers smaller than a word have unused bits.
void require_reachable(const redisbloom_stack::layer& layer) {
    const std::uint64_t used = layer.facts().modulus();
    if (used < 64 && layer.words().front() >> used != 0) {
        throw bad_data("the filter is damaged: a bit past the end of a layer is set; restore "
                       "it from a copy");
    }
}

any_filter decode_redisbloom(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    const redisbloom_header header = read_redisbloom_header(from, options.limits);
    require_left(from.left(), header.data_bytes, "the bits of its layers");
    std::vector<redisbloom_stack::layer> layers;
    for (const filter_layer& one : header.layers) {
        const std::uint64_t size = one.shape.byte_count;
        layers.emplace_back(one, words_from(from.take(size), bit_order::bytes_lsb, size / 8));
        require_reachable(layers.back());
    }
    return stack_of(header.rules, std::move(layers));
}

const redisbloom_stack* stack_in(const any_filter& source) {
    if (const auto* const wide = source.get_if<redisbloom_layers>()) {
        return wide;
    }
    return source.get_if<redisbloom_32_layers>();
}

layer_rules rules_of(const foreign_options& options) {
    if (options.nonscaling && options.growth) {
        throw bad_argument("a filter that does not grow has no expansion: give nonscaling or "
                           "expansion, not both");
    }
    layer_rules rules;
    rules.options = options.redisbloom_options.value_or(rules.options);
    if (options.nonscaling) {
        rules.options |= redisbloom_no_scaling;
    }
    if (rules.options > 15) {
        throw bad_argument("RedisBloom's options are the bits 1, 2, 4 and 8");
    }
    rules.growth = options.growth.value_or(rules.growth);
    if (rules.growth == 0) {
        throw bad_argument("RedisBloom filters grow by a factor of at least 1; give nonscaling "
                           "for one that does not grow");
    }
    rules.most_layers = options.limits.most_layers;
    rules.most_new_bytes = options.limits.most_unseen_bytes;
    return rules;
}

/// The rules for a plain filter: those of the options, with the hash that it has.
layer_rules rules_for(const spec& what, const foreign_options& options) {
    layer_rules rules = rules_of(options);
    const bool wide = what.hash == hash::redisbloom_hash::id;
    if (!options.redisbloom_options && !wide) {
        rules.options &= ~redisbloom_force_64;
    }
    if (rules.has_wide_hash() != wide) {
        throw bad_argument("the filter has RedisBloom's hash of " +
                           std::string(wide ? "64" : "32") +
                           " bits, which the bit 4 of its options must say; leave options out, or "
                           "give others");
    }
    return rules;
}

/// A plain filter with RedisBloom's hash and scheme as a stack of one layer. Its number of keys is
/// unknown and is estimated from its bits.
redisbloom_stack adopted(const any_filter& source, const foreign_options& options) {
    const spec what = source.spec();
    require_type<redisbloom_filter, redisbloom_32_filter>(what, redisbloom_format);
    const items n = options.n.value_or(items{source.made_for().item_capacity});
    const rate p = options.p.value_or(rate{source.made_for().target_rate});
    if (n.value == 0) {
        throw bad_argument("a RedisBloom filter stores its capacity, which this filter does not "
                           "have; give the items and rate that it was made with");
    }
    const layer_rules rules = rules_for(what, options);
    filter_layer layer = first_layer(n, p, rules);
    if (layer.shape.bit_count != what.shape.bit_count || layer.modulus() != what.shape.bit_count ||
        layer.shape.hash_count != what.shape.hash_count) {
        throw incompatible("RedisBloom would use a different size for that many keys at this "
                           "rate; give the items, the rate and nonscaling or options that the "
                           "filter was made with, or create a new one and add the keys again");
    }
    const double estimate = source.stats().items.items;
    const auto most = static_cast<double>(layer.shape.entries);
    layer.size = static_cast<std::uint64_t>(std::min(std::round(estimate), most));
    storage::heap_words<> words(source.words().size());
    std::ranges::copy(source.words(), words.data());
    std::vector<redisbloom_stack::layer> layers;
    layers.emplace_back(layer, std::move(words));
    return {std::move(layers), rules};
}

void write_stack(const redisbloom_stack& stack, const byte_consumer& write) {
    write(encode_redisbloom_header(stack.rules(), stack.layers()));
    for (const std::span<const std::uint64_t> words : stack.saved().arrays) {
        write_array(words, bit_order::bytes_lsb, words.size_bytes(), write);
    }
}

void encode_redisbloom(const any_filter& source, const byte_consumer& write,
                       const foreign_options& options) {
    if (const redisbloom_stack* const stack = stack_in(source)) {
        return write_stack(*stack, write);
    }
    write_stack(adopted(source, options), write);
}

any_filter create_redisbloom(const foreign_options& options) {
    if (!options.n || options.m || options.k) {
        throw bad_argument(
            "a RedisBloom filter is made from items and rate; it cannot be sized in any other way");
    }
    const layer_rules rules = rules_of(options);
    const rate p = options.p.value_or(rate{0.01});
    return stack_of(rules, *options.n, p);
}

/// What BF.INFO reports, under the same names.
std::vector<foreign_fact> redisbloom_facts(const any_filter& of) {
    // The size of the original's own structures besides the bits, on 64-bit machines.
    constexpr std::uint64_t chain_bytes = 32;
    constexpr std::uint64_t link_bytes = 64;
    const redisbloom_stack* const stack = stack_in(of);
    if (stack == nullptr) {
        return {};
    }
    const layer_rules& rules = stack->rules();
    const std::uint64_t count = stack->layers().size();
    const std::uint64_t memory = chain_bytes + count * link_bytes + stack->byte_count();
    return {{"Capacity", std::to_string(stack->capacity())},
            {"Size", std::to_string(memory)},
            {"Number of filters", std::to_string(count)},
            {"Number of items inserted", std::to_string(stack->size())},
            {"Expansion rate", rules.grows() ? std::to_string(rules.growth) : "none"}};
}

} // namespace

const foreign_format redisbloom_format{
    .name = "redisbloom",
    .what = "RedisBloom BF.SCANDUMP (Redis): the chunks one after another, the header first",
    .keys = "bytes",
    .looks = looks_like_redisbloom,
    .decode = decode_redisbloom,
    .encode = encode_redisbloom,
    .create = create_redisbloom,
    .facts = redisbloom_facts,
};

} // namespace bloomery::inline v0::format
