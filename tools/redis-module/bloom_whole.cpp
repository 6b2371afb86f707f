// BF.MERGE, BF.INTERSECT, BF.CLEAR: what RedisBloom does not have
#include "bloom_commands.hpp"
#include "bloom_type.hpp"
#include "settings.hpp"

#include <memory>
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
    [[nodiscard]] std::span<const bloom_object* const> filters() const noexcept { return filters_; }

private:
    std::vector<std::unique_ptr<open_key>> keys_;
    std::vector<const bloom_object*> filters_;
};

/// Joins sources into the first key, which is one of them if it is there. Whatever fails, it is as
/// it was: with more than one source, the work is done on a copy.
template <class Join>
void join(const call& now, const char* event, Join with) {
    now.require(now.count() >= 3);
    const sources from(now);
    open_key key(now, now[1], open_read | open_write);
    bloom_object* const into = key.is_empty() ? nullptr : &require_bloom(key);
    std::span<const bloom_object* const> rest = from.filters();
    if (into != nullptr && rest.size() == 1) {
        if (rest[0] != into) with(*into, *rest[0]);
    } else {
        std::unique_ptr<bloom_object> joined = (into != nullptr ? into : rest[0])->copy();
        if (into == nullptr) rest = rest.subspan(1);
        for (const bloom_object* const one : rest) {
            if (one != into) with(*joined, *one);
        }
        put(key, std::move(joined));
    }
    server.replicate_verbatim(now.in());
    now.notify(event);
    server.reply_status(now.in(), "OK");
}

} // namespace

void bloom_merge(const call& now) {
    const std::uint64_t limit = most_bytes(now.must_obey());
    join(now, "bloom.merge",
         [limit](bloom_object& into, const bloom_object& other) { into.merge(other, limit); });
}

void bloom_intersect(const call& now) {
    join(now, "bloom.intersect",
         [](bloom_object& into, const bloom_object& other) { into.intersect(other); });
}

void bloom_clear(const call& now) {
    now.require(now.count() == 2);
    const open_key key(now, now[1], open_read | open_write);
    bloom_object& filter = require_bloom(key);
    if (filter.facts().items != 0 || filter.layer_count() > 1) {
        filter.clear();
        server.replicate_verbatim(now.in());
        now.notify("bloom.clear");
    }
    server.reply_status(now.in(), "OK");
}

} // namespace bloomery::redis_module
