// A table in PostgreSQL that is there as long as the demo.
#pragma once

#include <memory>
#include <string>

namespace bloomery::cli {

/// See above: bloomery_guard_demo (key text PRIMARY KEY, value text).
class demo_sql_table {
public:
    static constexpr const char* name = "bloomery_guard_demo";

    /// Makes it. Throws store::unavailable, and store::store_error if there is one already: it may
    /// be somebody's.
    explicit demo_sql_table(std::string url);
    demo_sql_table(const demo_sql_table&) = delete;
    demo_sql_table& operator=(const demo_sql_table&) = delete;
    /// Drops it, if the server is still there.
    ~demo_sql_table();

    /// Lets the server settle after a load, so that it does not do so while others are timed.
    /// Throws as above.
    void settle();

private:
    std::string url_;
};

} // namespace bloomery::cli
