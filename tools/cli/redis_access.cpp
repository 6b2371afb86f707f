#include "redis_access.hpp"

#include <bloomery/redis/filter.hpp>
#include <bloomery/redis/module.hpp>

#include "output/progress.hpp"
#include "wording.hpp"

#include <cstdlib>
#include <utility>

namespace bloomery::cli {

namespace {

using redis::redis_filter;

redis::options options_of(const redis_options& said) {
    said.require();
    redis::options how =
        said.cluster.empty() ? redis::parse_url(said.url) : redis::parse_cluster_urls(said.cluster);
    if (how.password.empty()) {
        if (const char* const password = std::getenv("REDISCLI_AUTH")) how.password = password;
    }
    return how;
}

layout::scheme_id bitmap_scheme(const std::string& name) {
    for (const layout::scheme_id known : bitmap_schemes) {
        if (layout::name_of(known) == name) return known;
    }
    refuse_unknown("scheme of a bitmap in Redis", name, bitmap_scheme_names());
}

/// Draws a line with the number of bytes done; it is erased with the last copy.
redis::progress_consumer drawing(std::string what) {
    const auto line = std::make_shared<std::optional<progress>>();
    return [line, what = std::move(what)](std::uint64_t done, std::uint64_t of) {
        if (!*line) line->emplace(what, of, progress_unit::bytes);
        (*line)->update(done, done);
    };
}

class access final : public redis_access {
public:
    explicit access(const redis_options& said)
        : via_(options_of(said)), replicas_(said.replicas.value_or(0)) {
        if (!said.scheme.empty()) scheme_ = bitmap_scheme(said.scheme);
    }

    any_filter open(const std::string& name) override {
        return ready(scheme_ ? redis_filter::setbit(via_, name, *scheme_) : found(name));
    }

    bool exists(const std::string& name) override { return redis_filter::exists(via_, name); }

    any_filter create(const std::string& name, const redis_creation& from) override {
        if (from.redisson && from.m && from.k) {
            const design made_for{from.n ? from.n->value : 0, from.p ? from.p->value : 0};
            return ready(redis_filter::create_redisson(via_, name, *from.m, *from.k, made_for));
        }
        const items n = from.n.value_or(items{0}); // which is refused
        const rate p = from.p.value_or(rate{0});
        if (from.redisson) return ready(redis_filter::create_redisson(via_, name, n, p));
        return ready(redis_filter::create(via_, name, n, p, from.largest_shard, drawing("create")));
    }

    any_filter open_or_create(const std::string& name, items n, rate p) override {
        return ready(redis_filter::open_or_create(via_, name, n, p));
    }

    void claim(any_filter& in, any_filter::digests keys, bitmap& fresh, bitmap& doubtful) override {
        in.get_if<redis_filter>()->try_insert_many(keys, fresh, doubtful);
    }

    void push(const any_filter& from, const std::string& name) override {
        static_cast<void>(redis_filter::push(via_, name, from, drawing("push")));
    }
    void load(const any_filter& from, const std::string& key, bool replace,
              std::uint32_t growth) override {
        redis::load_into_module(via_, key, from, {.replace = replace, .growth = growth},
                                drawing("load"));
    }
    any_filter pull(const std::string& name) override { return found(name).pull(drawing("pull")); }
    bool drop(const std::string& name) override { return redis_filter::drop(via_, name); }
    void rename(const std::string& name, const std::string& to) override { found(name).rename(to); }
    void copy(const std::string& name, const std::string& to) override {
        static_cast<void>(found(name).copy(to, drawing("copy")));
    }
    void expire(const std::string& name, std::chrono::seconds after) override {
        found(name).expire_after(after);
    }
    void persist(const std::string& name) override { found(name).persist(); }
    std::optional<std::chrono::seconds> time_left(const std::string& name) override {
        return found(name).time_left();
    }

private:
    [[nodiscard]] redis_filter found(const std::string& name) const {
        return redis_filter::open(via_, name);
    }
    [[nodiscard]] any_filter ready(redis_filter made) const {
        made.wait_for_replicas(replicas_);
        return any_filter(std::in_place, std::move(made));
    }

    redis::client via_;
    unsigned replicas_;
    std::optional<layout::scheme_id> scheme_{};
};

} // namespace

std::unique_ptr<redis_access> connect_to_redis(const redis_options& to) {
    return std::make_unique<access>(to);
}

} // namespace bloomery::cli
