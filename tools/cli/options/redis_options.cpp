#include "options/redis_options.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"

#include <fmt/format.h>

namespace bloomery::cli {

std::vector<std::string> bitmap_scheme_names() {
    std::vector<std::string> names;
    names.reserve(bitmap_schemes.size());
    for (const layout::scheme_id each : bitmap_schemes) names.emplace_back(layout::name_of(each));
    return names;
}

bool redis_options::said() const {
    if (!url.empty() && !cluster.empty()) {
        throw bad_argument("a filter is either on one server or in a cluster: give --redis or "
                           "--redis-cluster, not both");
    }
    if (!url.empty() || !cluster.empty()) return true;
    if (!scheme.empty()) {
        throw bad_argument("--redis-scheme is for a bitmap in Redis: give --redis too");
    }
    if (replicas) throw bad_argument("--wait-replicas is for a filter in Redis: give --redis too");
    return false;
}

void redis_options::require() const {
    if (!said()) throw bad_argument("Redis server missing: give --redis or --redis-cluster");
}

void add_redis_options(CLI::App& verb, redis_options& to) {
    verb.add_option("--redis", to.url,
                    "Use a filter in this Redis, by its name instead of a file: "
                    "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] or unix://PATH; to hide "
                    "the password from ps, put it in the environment variable REDISCLI_AUTH")
        ->type_name("URL")
        ->group("Redis");
    verb.add_option("--redis-cluster", to.cluster,
                    "The same for a Redis Cluster; name one or more of its servers")
        ->type_name("URL[,URL...]")
        ->group("Redis");
}

void add_redis_scheme_option(CLI::App& verb, redis_options& to) {
    verb.add_option("--redis-scheme", to.scheme,
                    "The name is a bitmap that programs fill with SETBIT from Java's hashCode "
                    "under six masks: as they do it, or with their bugs fixed")
        ->type_name(fmt::format("{}", fmt::join(bitmap_scheme_names(), "|")))
        ->group("Redis");
}

void add_replicas_option(CLI::App& verb, redis_options& to) {
    verb.add_option_function<unsigned>(
            "--wait-replicas", [&to](unsigned count) { to.replicas = count; },
            "Wait until this many replicas have the keys too")
        ->type_name("N")
        ->group("Redis");
}

} // namespace bloomery::cli
