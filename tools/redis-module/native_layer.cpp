#include "native_layer.hpp"

#include <bloomery/error.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/plan/sizing.hpp>

#include <algorithm>
#include <limits>

namespace bloomery::redis_module {

namespace {

/// The error of the layer on top of one. It is not halved for ever: the split layouts need ever
/// more memory for rates that small, and the sum of what many such layers add is small all the
/// same.
double tightened(double error) noexcept {
    constexpr double least = 1e-7;
    return error <= least ? error : std::max(error * 0.5, least);
}

/// One cache line a key, in the layout that needs less memory.
plan::shape leaner_split(items n, rate p) {
    const plan::shape eight = plan::for_rate(n, p, layout_kind::split_8x64);
    const plan::shape sixteen = plan::for_rate(n, p, layout_kind::split_16x32);
    return sixteen.bit_count < eight.bit_count ? sixteen : eight;
}

format::redis_layer layer_for(std::uint64_t capacity, double error, const native_rules& rules) {
    format::redis_layer layer;
    layer.what.hash = rules.hash.id();
    layer.what.seed = rules.hash.seed();
    layer.what.shape = leaner_split(items{capacity}, rate{error});
    layer.entries = capacity;
    layer.error = error;
    return layer;
}

server_bytes lines(const format::redis_layer& of) {
    return server_bytes(of.what.shape.byte_count(), server_bytes::start::of_a_line);
}

} // namespace

format::redis_layer first_native_layer(std::uint64_t capacity, double rate,
                                       const native_rules& rules) {
    return layer_for(capacity, rules.grows() ? rate * 0.5 : rate, rules);
}

format::redis_layer next_native_layer(const format::redis_layer& below, const native_rules& rules) {
    if (below.entries > std::numeric_limits<std::uint64_t>::max() / rules.growth) {
        throw bad_argument("a layer cannot have so many keys");
    }
    return layer_for(below.entries * rules.growth, tightened(below.error), rules);
}

native_layer::native_layer(const format::redis_layer& of)
    : facts(of), size(of.size), bits(lines(of)), layout_(of.what.shape) {}

native_layer::native_layer(const format::redis_layer& of, const server_bytes& filled)
    : native_layer(of) {
    std::copy_n(filled.data(), bits.size(), bits.data());
}

void native_layer::ask(std::span<const digest128> keys, std::uint64_t* maybe) const noexcept {
    kernel::contains(layout_.target(words()), keys, maybe);
}

void native_layer::insert(std::span<const digest128> keys, std::uint64_t* fresh) noexcept {
    kernel::try_insert(layout_.target(words()), keys, fresh);
}

const format::redis_layer& native_layer::planned_next(const native_rules& by) const {
    if (!next_) next_ = next_native_layer(facts, by);
    return *next_;
}

bool native_layer::is_below(const native_layer& other, const native_rules& by) const noexcept {
    return other.facts.entries == facts.entries * by.growth &&
           other.facts.error == tightened(facts.error);
}

native_layer native_layer::copy() const {
    native_layer made(now());
    std::copy_n(bits.data(), bits.size(), made.bits.data());
    return made;
}

format::redis_layer native_layer::now() const noexcept {
    format::redis_layer layer = facts;
    layer.size = size;
    return layer;
}

} // namespace bloomery::redis_module
