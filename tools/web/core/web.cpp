// What the JavaScript package needs beyond bloomery.h: thin calls into the library.
#include "web.hpp"

#include <bloomery/detail/filter/kind_size.hpp>
#include <bloomery/detail/key/json_object.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/plan/sizing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

using namespace bloomery;
using text::json_object;
using web::guarded;

namespace {

using formula = plan::shape (*)(items, rate);

template <plan::compat_shape (*Formula)(items, rate)>
plan::shape classic(items n, rate p) {
    const plan::compat_shape found = Formula(n, p);
    return {layout_kind::classic, found.bit_count, found.hash_count};
}

plan::shape parquet(items n, rate p) {
    return {layout_kind::split_8x32, plan::parquet_bytes(n, p).value * 8, 8};
}

/// What most articles say: m = -n ln p / (ln 2)^2 rounded up, k = m / n ln 2 rounded.
plan::shape textbook(items n, rate p) {
    const plan::shape exact = plan::for_rate(n, p); // which refuses what no formula can take
    const auto keys = static_cast<double>(n.value);
    const double m = std::ceil(-keys * std::log(p.value) / (std::numbers::ln2 * std::numbers::ln2));
    const double k = std::max(1.0, std::round(m / keys * std::numbers::ln2));
    return {exact.layout, static_cast<std::uint64_t>(m), static_cast<std::uint32_t>(k)};
}

// The names are those of the command's `plan --compat`, and the textbook.
constexpr std::array<std::pair<std::string_view, formula>, 10> formulas{{
    {"textbook", textbook},
    {"guava", classic<plan::guava_shape>},
    {"guava-33.4", classic<plan::guava_33_4_shape>},
    {"go", classic<plan::go_shape>},
    {"redisson", classic<plan::redisson_shape>},
    {"spark", classic<plan::spark_shape>},
    {"cassandra", classic<plan::cassandra_shape>},
    {"datasketches", classic<plan::datasketches_shape>},
    {"dcso", classic<plan::dcso_shape>},
    {"parquet", parquet},
}};

std::string plan_of_other(std::string_view system, formula size, items n, rate p) {
    json_object told;
    told.text("system", system);
    try {
        const plan::shape found = size(n, p);
        told.number("bits", found.bit_count);
        told.number("hashes", found.hash_count);
        told.number("bytes", found.byte_count());
        told.number("expectedRate", plan::expected_rate(found, n));
    } catch (const bad_argument& refusal) {
        told.number("bits", 0);
        told.number("hashes", 0);
        told.number("bytes", 0);
        told.number("expectedRate", 1);
        told.text("refused", refusal.what());
    }
    return told.done();
}

// The names are those of the command's `plan --redis --json`.
char* told_cost(const plan::redis_cost& cost, bool split) {
    json_object told;
    told.number("shards", cost.shards);
    if (split) {
        told.number("items_per_shard", cost.items_per_shard);
    }
    told.number("bits_per_shard", cost.shard.bit_count);
    told.number("hashes", cost.shard.hash_count);
    told.number("bitmap_bytes", cost.bitmap_bytes);
    told.number("keys", cost.keys);
    told.number("total_bytes", cost.total_bytes);
    return web::copied_out(told.done());
}

} // namespace

bloomery_status web_plans_of_others(uint64_t n, double p, char** json) {
    return guarded([&] {
        std::string all = "[";
        for (const auto& [system, size] : formulas) {
            all += (all.size() > 1 ? "," : "") + plan_of_other(system, size, items{n}, rate{p});
        }
        *json = web::copied_out(all + "]");
    });
}

bloomery_status web_plan_of_kind(const char* kind, uint64_t n, double p, char** json) {
    return guarded([&] {
        const kind_size found = size_of_kind(parse_kind(kind), items{n}, rate{p});
        json_object told;
        told.number("bytes", found.byte_count);
        told.number("bitsPerItem", found.bits_per_item);
        told.number("expectedRate", found.expected_rate);
        *json = web::copied_out(told.done());
    });
}

bloomery_status web_redis_cost(uint64_t bit_count, uint32_t hash_count, char** json) {
    return guarded([&] {
        const plan::shape array{layout_kind::classic, bit_count, hash_count};
        *json = told_cost(plan::redis_cost_of(array, items{1}), false);
    });
}

bloomery_status web_redis_split(uint64_t n, double p, uint64_t largest, char** json) {
    return guarded(
        [&] { *json = told_cost(plan::redis_cost_of(items{n}, rate{p}, bytes{largest}), true); });
}

bloomery_status web_encode(const bloomery_filter* filter, const bloomery_write_options* options) {
    const auto write = [](const uint8_t* bytes, size_t size, void* /*context*/) {
        return web_take(bytes, size);
    };
    return bloomery_encode_to(filter, options, write, nullptr);
}
