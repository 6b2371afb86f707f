// BF.MERGE, BF.INTERSECT, BF.CLEAR: what RedisBloom does not have
#include "bloom_commands.hpp"
#include "bloom_type.hpp"
#include "settings.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bloomery::redis_module {

namespace {

/// The sources, all there. The keys stay open as long as they are looked at.
class sources {
public:
    explicit sources(const call& from) {
        for (text* const name : from.from(2)) {
            keys_.push_back(std::make_unique<open_key>(from, name, open_read));
            filters_.push_back(&require_bloom(*keys_.back()));
        }
    }
    /// Each once, but for one that they are joined into.
    [[nodiscard]] std::vector<const bloom_object*> without(const bloom_object* one) const {
        std::vector<const bloom_object*> rest;
        for (const bloom_object* const filter : filters_) {
            if (filter != one && std::ranges::find(rest, filter) == rest.end()) {
                rest.push_back(filter);
            }
        }
        return rest;
    }

    void close() noexcept { keys_.clear(); }

private:
    std::vector<std::unique_ptr<open_key>> keys_;
    std::vector<const bloom_object*> filters_;
};

/// All bits are read while no other client is served, so there is a limit on them.
void require_quick(const bloom_object* into, std::span<const bloom_object* const> others) {
    const auto most = static_cast<std::uint64_t>(configured.merge_limit);
    std::uint64_t bytes = into != nullptr ? into->bit_bytes() : 0;
    for (const bloom_object* const one : others) bytes += one->bit_bytes();
    if (most == 0 || bytes <= most) return;
    throw refusal{"ERR the filters have " + std::to_string(bytes) +
                  " bytes together, more than bf-merge-limit allows (" + std::to_string(most) +
                  "): combining them would keep other clients waiting"};
}

/// Joins sources into the first key, which is one of them if it is there. Whatever fails, it is as
/// it was: with more than one source, the work is done on a copy.
template <class Join>
void join(const call& now, const char* event, Join with) {
    now.require(now.count() >= 3);
    sources from(now);
    open_key key(now, now[1], open_read | open_write);
    bloom_object* const into = key.is_empty() ? nullptr : &require_bloom(key);
    const std::vector<const bloom_object*> others = from.without(into);
    if (others.empty()) {
        server.reply_status(now.in(), "OK");
        return;
    }
    if (!now.must_obey()) require_quick(into, others);
    if (into == nullptr && others[0]->bit_bytes() > most_bytes(now.must_obey())) {
        throw refusal{bloom_over_limit("ERR Insufficient memory")};
    }
    if (into != nullptr && others.size() == 1) {
        with(*into, *others[0]);
    } else {
        std::span<const bloom_object* const> rest = others;
        std::unique_ptr<bloom_object> joined = (into != nullptr ? into : rest[0])->copy();
        if (into == nullptr) rest = rest.subspan(1);
        for (const bloom_object* const one : rest) with(*joined, *one);
        if (into != nullptr) {
            into->swap(*joined);
        } else {
            put(key, std::move(joined));
        }
    }
    server.replicate_verbatim(now.in());
    key.close();
    from.close();
    now.tell_changed(event);
    server.reply_status(now.in(), "OK");
}

/// Not known of large arrays: looking at them takes longer than clearing them.
bool is_surely_zero(std::span<const std::byte> bytes) noexcept {
    constexpr std::size_t worth_a_look = std::size_t{1} << 20U;
    return bytes.size() <= worth_a_look && is_zero(bytes.data(), bytes.size());
}

} // namespace

void bloom_merge(const call& now) {
    const filter_limits limit = bloom_limits(now.must_obey());
    join(now, "bloom.merge",
         [limit](bloom_object& into, const bloom_object& other) { into.merge(other, limit); });
}

void bloom_intersect(const call& now) {
    join(now, "bloom.intersect",
         [](bloom_object& into, const bloom_object& other) { into.intersect(other); });
}

void bloom_clear(const call& now) {
    now.require(now.count() == 2);
    open_key key(now, now[1], open_read | open_write);
    bloom_object& filter = require_bloom(key);
    // Pieces that were loaded set bits without a count, and estimates may be 0.
    if (filter.facts().items != 0 || filter.layer_count() > 1 || !is_surely_zero(filter.bits(0))) {
        filter.clear();
        server.replicate_verbatim(now.in());
        key.close();
        now.tell_changed("bloom.clear");
    }
    server.reply_status(now.in(), "OK");
}

} // namespace bloomery::redis_module
