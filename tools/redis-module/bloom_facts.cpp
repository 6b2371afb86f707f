// BF.CARD, BF.INFO, BF.DEBUG
#include "bloom_commands.hpp"
#include "bloom_type.hpp"

#include <array>
#include <string>

namespace bloomery::redis_module {

namespace {

void reply_expansion(context* to, const bloom_facts& facts) noexcept {
    if (facts.expansion) {
        server.reply_number(to, *facts.expansion);
    } else {
        server.reply_null(to);
    }
}

void reply_count(context* to, std::uint64_t number) noexcept {
    server.reply_number(to, static_cast<long long>(number));
}

/// A fact of BF.INFO: the word that asks for it, the name it goes by, and its value.
struct fact {
    const char* word;
    const char* name;
    void (*reply)(context* to, const bloom_facts& facts) noexcept;
};

constexpr std::size_t told_unasked = 5; // RedisBloom's; clients read them by their places

constexpr std::array<fact, 7> all_facts{{
    {"capacity", "Capacity",
     [](context* to, const bloom_facts& f) noexcept { reply_count(to, f.capacity); }},
    {"size", "Size", [](context* to, const bloom_facts& f) noexcept { reply_count(to, f.bytes); }},
    {"filters", "Number of filters",
     [](context* to, const bloom_facts& f) noexcept { reply_count(to, f.filters); }},
    {"items", "Number of items inserted",
     [](context* to, const bloom_facts& f) noexcept { reply_count(to, f.items); }},
    {"expansion", "Expansion rate", reply_expansion},
    {"error", "Error rate",
     [](context* to, const bloom_facts& f) noexcept { reply_text(to, exact_text(f.rate)); }},
    {"layout", "Layout",
     [](context* to, const bloom_facts& f) noexcept { reply_text(to, f.layout); }},
}};

void reply_one(const call& now, const bloom_facts& facts, const text* word) {
    for (const fact& one : all_facts) {
        if (!is_word(word, one.word)) continue;
        if (now.speaks_resp3()) {
            server.reply_map(now.in(), 1);
            server.reply_status(now.in(), one.name);
        } else {
            server.reply_array(now.in(), 1);
        }
        one.reply(now.in(), facts);
        return;
    }
    throw refusal{"Invalid information value"};
}

} // namespace

void bloom_card(const call& now) {
    now.require(now.count() == 2);
    const open_key key(now, now[1], open_read);
    const std::uint64_t items = key.is_empty() ? 0 : require_bloom(key).facts().items;
    reply_count(now.in(), items);
}

void bloom_info(const call& now) {
    now.require(now.count() == 2 || now.count() == 3);
    const open_key key(now, now[1], open_read);
    const bloom_facts facts = require_bloom(key).facts();
    if (now.count() == 3) return reply_one(now, facts, now[2]);
    if (now.speaks_resp3()) {
        server.reply_map(now.in(), told_unasked);
    } else {
        server.reply_array(now.in(), 2 * told_unasked);
    }
    for (std::size_t i = 0; i < told_unasked; ++i) {
        server.reply_status(now.in(), all_facts[i].name);
        all_facts[i].reply(now.in(), facts);
    }
}

void bloom_debug(const call& now) {
    now.require(now.count() == 2);
    const open_key key(now, now[1], open_read);
    const bloom_object& filter = require_bloom(key);
    server.reply_array(now.in(), static_cast<long>(1 + filter.layer_count()));
    reply_text(now.in(), "size:" + std::to_string(filter.facts().items));
    for (std::size_t i = 0; i < filter.layer_count(); ++i) {
        reply_text(now.in(), filter.debug_line(i));
    }
}

} // namespace bloomery::redis_module
