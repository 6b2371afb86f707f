#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>

#include <string_view>

namespace bloomery::inline v0 {

namespace {

std::string differ(std::string_view fact, std::string_view a, std::string_view b) {
    return "they differ in " + std::string(fact) + ": " + std::string(a) + " and " + std::string(b);
}

std::string differ(std::string_view fact, std::uint64_t a, std::uint64_t b) {
    return differ(fact, std::to_string(a), std::to_string(b));
}

} // namespace

std::string_view name_of(filter_kind kind) noexcept {
    constexpr std::array<std::string_view, 12> names{
        "unknown",       "bloom", "counting", "scalable", "constant", "spectral",
        "dynamic-count", "dleft", "accurate", "window",   "excepted", "cascade"};
    const auto at = static_cast<std::size_t>(kind);
    return at < names.size() ? names[at] : names[0];
}

compatibility compare(const spec& a, const spec& b) {
    if (a.kind != b.kind) {
        return {"they are of different kinds"};
    }
    if (a.shape.layout != b.shape.layout) {
        return {differ("layout", plan::name_of(a.shape.layout), plan::name_of(b.shape.layout))};
    }
    if (a.scheme != b.scheme) {
        return {"they place the bits of a key by different schemes"};
    }
    if (a.shape.bit_count != b.shape.bit_count) {
        return {differ("their number of bits", a.shape.bit_count, b.shape.bit_count)};
    }
    if (a.shape.hash_count != b.shape.hash_count) {
        return {differ("their hashes per key", a.shape.hash_count, b.shape.hash_count)};
    }
    if (a.hash != b.hash) {
        return {differ("hash", hash::name(a.hash), hash::name(b.hash))};
    }
    if (a.seed != b.seed) {
        return {"their hashes have different seeds or keys"};
    }
    if (a.scheme == layout::scheme_id::redisson_split && a.parameters[0] != b.parameters[0]) {
        return {differ("their number of shards", a.parameters[0], b.parameters[0])};
    }
    if (a.parameters != b.parameters) {
        return {"they were made with different parameters of their kind"};
    }
    return {};
}

void detail::require_compatible(const compatibility& verdict, std::string_view done) {
    if (!verdict) {
        throw incompatible("the filters cannot be " + std::string(done) + ": " + verdict.reason);
    }
}

} // namespace bloomery::inline v0
