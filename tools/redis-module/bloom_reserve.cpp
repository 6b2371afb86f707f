// BF.RESERVE
#include "bloom_commands.hpp"
#include "bloom_request.hpp"
#include "bloom_type.hpp"
#include "room.hpp"
#include "settings.hpp"

namespace bloomery::redis_module {

namespace {

double rate_of(const text* from) {
    bool is_number = false;
    const std::optional<double> rate = rate_in(from, &is_number);
    if (!is_number) throw refusal{"ERR bad error rate"};
    if (!rate) throw refusal{"ERR error rate must be in the range (0.000000, 1.000000)"};
    return *rate;
}

long long reserved_number(const text* from, const char* name, whole_range range) {
    long long value = 0;
    if (server.to_number(from, &value) != ok) throw refusal{std::string("ERR bad ") + name};
    if (!range.has(value)) {
        throw refusal{std::string("ERR ") + name + " must be in the range " + range.text()};
    }
    return value;
}

bloom_request request_of(const call& from) {
    bloom_request request = bloom_request::configured_one();
    request.rate = rate_of(from[2]);
    request.capacity = reserved_number(from[3], "capacity", bloom_capacities);
    bool nonscaling = false;
    std::optional<long long> expansion;
    for (std::size_t i = 4; i < from.count(); ++i) {
        if (is_word(from[i], "nonscaling")) {
            nonscaling = true;
        } else if (is_word(from[i], "expansion")) {
            if (++i == from.count()) throw refusal{"ERR no expansion"};
            expansion = reserved_number(from[i], "expansion", bloom_expansions);
        } else if (is_word(from[i], "layout")) {
            if (++i == from.count() || !is_word(from[i], "split")) {
                throw refusal{"ERR the layout must be SPLIT"};
            }
            request.split = true;
        } else if (!from.must_obey()) { // RedisBloom accepted any word, and may have sent it
            throw refusal{"ERR unknown argument received"};
        }
    }
    if (nonscaling && expansion.value_or(0) != 0) {
        throw refusal{"Nonscaling filters cannot expand"};
    }
    if (expansion) {
        request.expansion = *expansion;
        request.grows = *expansion != 0;
    } else if (nonscaling) {
        request.stays();
    }
    return request;
}

/// With all that our own configuration decided.
void replicate(const call& of, const bloom_request& request) {
    const std::string rate = exact_text(request.rate);
    const auto send = [&](const char* format, auto... rest) {
        server.replicate(of.in(), "BF.RESERVE", format, of[1], rate.c_str(), request.capacity,
                         rest...);
    };
    const bool by_word = !request.grows && request.expansion != 0;
    if (by_word && request.split) {
        send("sclccc", "NONSCALING", "LAYOUT", "SPLIT");
    } else if (by_word) {
        send("sclc", "NONSCALING");
    } else if (request.split) {
        send("sclclcc", "EXPANSION", request.expansion, "LAYOUT", "SPLIT");
    } else {
        send("sclcl", "EXPANSION", request.expansion);
    }
}

} // namespace

void bloom_reserve(const call& now) {
    now.require(now.count() >= 4 && (now.count() <= 9 || now.must_obey()));
    const bloom_request request = request_of(now);
    open_key key(now, now[1], open_read | open_write);
    if (bloom_in(key) != nullptr) throw refusal{"ERR item exists"};
    if (!key.is_empty()) refuse_key(key);
    std::unique_ptr<bloom_object> made = make_bloom(request, most_bytes(now.must_obey()));
    require_room(now, made->bit_bytes());
    put(key, std::move(made));
    replicate(now, request);
    key.close();
    now.tell_changed("bloom.reserve");
    server.reply_status(now.in(), "OK");
}

} // namespace bloomery::redis_module
