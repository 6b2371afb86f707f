// --redis and its companions: which server holds the filter that a verb names.
#pragma once

#include <bloomery/detail/layout/scheme.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What was said of a server. Without one, a filter is a file.
struct redis_options {
    std::string url;                  ///< of one server
    std::string cluster;              ///< of some servers of a cluster, with commas between them
    std::string scheme;               ///< of a bitmap that has no config
    std::optional<unsigned> replicas; ///< that must have what is inserted

    /// Whether a filter is in Redis. Throws bad_argument for two servers, and for a companion of
    /// --redis without it.
    [[nodiscard]] bool said() const;
    /// Throws bad_argument unless it is.
    void require() const;
};

/// Adds --redis and --redis-cluster.
void add_redis_options(CLI::App& verb, redis_options& to);

/// The schemes of bitmaps that --redis-scheme takes.
inline constexpr std::array bitmap_schemes{layout::scheme_id::hash_code_6,
                                           layout::scheme_id::hash_code_6_mended};
[[nodiscard]] std::vector<std::string> bitmap_scheme_names();

/// Adds --redis-scheme.
void add_redis_scheme_option(CLI::App& verb, redis_options& to);

/// Adds --wait-replicas.
void add_replicas_option(CLI::App& verb, redis_options& to);

} // namespace bloomery::cli
