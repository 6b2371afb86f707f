// Where the demo's rows and its cache are, and what is removed when it ends.
#pragma once

#include <bloomery/redis/client.hpp>

#include "demo/demo.hpp"
#include "demo/stores.hpp"
#include "demo/table.hpp"
#include "servers/local_postgres.hpp"
#include "servers/local_redis.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace bloomery::cli {

/// A folder of its own under the system's for such, removed with all that is in it.
class demo_folder {
public:
    /// Throws io_error.
    demo_folder();
    demo_folder(const demo_folder&) = delete;
    demo_folder& operator=(const demo_folder&) = delete;
    ~demo_folder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// Servers that were started or found, and files that were made.
class demo_place {
public:
    /// Starts what has to be started. Throws what local_postgres, local_redis and the stores
    /// throw, io_error, bad_argument.
    explicit demo_place(const guard_demo_options& o);

    /// The rows: an empty table.
    [[nodiscard]] demo_source source();
    /// A cache that has nothing in it; another one for each name.
    [[nodiscard]] demo_cache cache(const std::string& name) const;
    /// To be called after the rows were loaded.
    void settle();

    /// What they are, for people; the second is empty without a cache.
    [[nodiscard]] std::string source_text() const;
    [[nodiscard]] std::string cache_text() const;

private:
    void find_postgres(const std::string& url);
    void find_redis(const std::string& url);
    void find_file();

    guard_demo_options o_;
    demo_folder folder_;
    std::filesystem::path file_{}; ///< of SQLite
    std::optional<local_postgres> own_postgres_{};
    std::optional<demo_sql_table> table_{}; ///< goes before its server
    std::string postgres_url_{};
    std::optional<local_redis> own_redis_{};
    std::optional<redis::client> redis_{};
    std::string tag_; ///< of this demo's entries in a Redis that others use too
};

} // namespace bloomery::cli
