// RedisBloom's SCANDUMP: the header of a stack of layers, and the bits of all layers.
#include <bloomery/error.hpp>
#include <bloomery/filter/layered.hpp>
#include <bloomery/format/redisbloom.hpp>

#include "foreign_parts.hpp"
#include "redisbloom_header.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace bloomery::format {

namespace {

likeness looks_like_redisbloom(byte_view bytes) {
    try {
        cursor from(bytes);
        return read_redisbloom_header(from, {}).data_bytes == from.left() ? likeness::sure
                                                                          : likeness::no;
    } catch (const std::exception&) {
        return likeness::no;
    }
}

any_filter stack_of(std::vector<filter_layer> layers, storage::heap_words<> words,
                    const layer_rules& rules) {
    if ((rules.options & redisbloom_force_64) != 0) {
        return any_filter(std::in_place,
                          redisbloom_layers(std::move(layers), std::move(words), rules));
    }
    return any_filter(std::in_place,
                      redisbloom_32_layers(std::move(layers), std::move(words), rules));
}

/// Layers smaller than a word have bits that no key reaches.
void require_reachable(std::span<const filter_layer> layers, const std::uint64_t* words) {
    for (const filter_layer& layer : layers) {
        if (layer.modulus() < 64 && *words >> layer.modulus() != 0) {
            throw bad_data("the filter is damaged: a bit past the end of a layer is set; restore "
                           "it from a copy");
        }
        words += layer.shape.byte_count / 8;
    }
}

any_filter decode_redisbloom(byte_view bytes, const foreign_options& options) {
    cursor from(bytes);
    redisbloom_header header = read_redisbloom_header(from, options.limits);
    require_left(from.left(), header.data_bytes, "the bits of its layers");
    auto words = words_from(from.rest(), bit_order::bytes_lsb, header.data_bytes / 8);
    require_reachable(header.layers, words.data());
    return stack_of(std::move(header.layers), std::move(words), header.rules);
}

const layer_stack* stack_in(const any_filter& source) {
    if (const auto* const wide = source.get_if<redisbloom_layers>()) {
        return wide;
    }
    return source.get_if<redisbloom_32_layers>();
}

/// A plain filter with RedisBloom's hash and scheme as a stack of one layer. How many keys went
/// into it is not known: it is estimated from its bits.
layer_stack adopted(const any_filter& source, const foreign_options& options) {
    const spec what = source.spec();
    require_type<redisbloom_filter, redisbloom_32_filter>(what, redisbloom_format);
    const items n = options.n.value_or(items{source.made_for().item_capacity});
    const rate p = options.p.value_or(rate{source.made_for().target_rate});
    if (n.value == 0) {
        throw bad_argument("a filter of RedisBloom keeps how many keys it is for, and this one "
                           "does not say; give the items and rate that it was made with");
    }
    layer_rules rules;
    if (what.hash == hash::redisbloom_32_hash::id) {
        rules.options = plan::redisbloom_no_round;
    }
    filter_layer layer = layer_stack(n, p, rules).layers().front();
    if (layer.shape.bit_count != what.shape.bit_count ||
        layer.shape.hash_count != what.shape.hash_count) {
        throw incompatible("RedisBloom would give a filter for so many keys at this rate another "
                           "size; make a new one and add the keys again");
    }
    const double estimate = source.stats().items.items;
    const auto most = static_cast<double>(layer.shape.entries);
    layer.size = static_cast<std::uint64_t>(std::min(std::round(estimate), most));
    storage::heap_words<> words(source.words().size());
    std::ranges::copy(source.words(), words.data());
    return {{layer}, std::move(words), rules};
}

void write_stack(const layer_stack& stack, const byte_consumer& write) {
    write(encode_redisbloom_header(stack.rules(), stack.layers()));
    write_array(stack.words(), bit_order::bytes_lsb, stack.words().size() * 8, write);
}

void encode_redisbloom(const any_filter& source, const byte_consumer& write,
                       const foreign_options& options) {
    if (const layer_stack* const stack = stack_in(source)) {
        return write_stack(*stack, write);
    }
    write_stack(adopted(source, options), write);
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
        throw bad_argument("RedisBloom's options are bits of 1, 2, 4 and 8");
    }
    rules.growth = options.growth.value_or(rules.growth);
    if (rules.growth == 0) {
        throw bad_argument("RedisBloom's filters grow by a factor of at least 1; give nonscaling "
                           "for one that does not grow");
    }
    rules.most_layers = options.limits.most_layers;
    rules.most_new_bytes = options.limits.most_unseen_bytes;
    return rules;
}

any_filter create_redisbloom(const foreign_options& options) {
    if (!options.n || options.m || options.k) {
        throw bad_argument(
            "a filter of RedisBloom is made from items and rate; it cannot be sized otherwise");
    }
    const layer_rules rules = rules_of(options);
    const rate p = options.p.value_or(rate{0.01});
    if ((rules.options & redisbloom_force_64) != 0) {
        return any_filter(std::in_place, redisbloom_layers(*options.n, p, rules));
    }
    return any_filter(std::in_place, redisbloom_32_layers(*options.n, p, rules));
}

/// What BF.INFO tells, by its names.
std::vector<foreign_fact> redisbloom_facts(const any_filter& of) {
    // What the original's own structures take besides the bits, on machines of 64 bits.
    constexpr std::uint64_t chain_bytes = 32;
    constexpr std::uint64_t link_bytes = 64;
    const layer_stack* const stack = stack_in(of);
    if (stack == nullptr) {
        return {};
    }
    const layer_rules& rules = stack->rules();
    const std::uint64_t count = stack->layers().size();
    const std::uint64_t memory = chain_bytes + count * link_bytes + stack->words().size() * 8;
    const bool scales = (rules.options & redisbloom_no_scaling) == 0;
    return {{"Capacity", std::to_string(stack->capacity())},
            {"Size", std::to_string(memory)},
            {"Number of filters", std::to_string(count)},
            {"Number of items inserted", std::to_string(stack->size())},
            {"Expansion rate", scales ? std::to_string(rules.growth) : "none"}};
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

} // namespace bloomery::format
