#include "redis_options.hpp"

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
        throw bad_argument("a filter is on one server or in a cluster: give --redis or "
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
    if (!said()) throw bad_argument("say where Redis is: give --redis or --redis-cluster");
}

void add_redis_options(CLI::App& verb, redis_options& to) {
    verb.add_option("--redis", to.url,
                    "The filter is in this Redis, and its name is given instead of a file: "
                    "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] or unix://PATH; a password "
                    "may stand in the environment variable REDISCLI_AUTH instead, where ps does "
                    "not show it")
        ->type_name("URL")
        ->group("Redis");
    verb.add_option("--redis-cluster", to.cluster,
                    "The same for a Redis Cluster, of which one or several servers are named")
        ->type_name("URL[,URL...]")
        ->group("Redis");
}

void add_redis_scheme_option(CLI::App& verb, redis_options& to) {
    verb.add_option("--redis-scheme", to.scheme,
                    "The name is that of a bitmap that programs fill with SETBIT by Java's hash "
                    "code under six masks, with their mistakes or mended")
        ->type_name(fmt::format("{}", fmt::join(bitmap_scheme_names(), "|")))
        ->group("Redis");
}

void add_replicas_option(CLI::App& verb, redis_options& to) {
    verb.add_option_function<unsigned>(
            "--wait-replicas", [&to](unsigned count) { to.replicas = count; },
            "Keys are in only when so many replicas have them too")
        ->type_name("N")
        ->group("Redis");
}

} // namespace bloomery::cli
