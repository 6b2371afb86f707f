// Whichever allocation of SQLite fails, the statement ends with an error, and the next one works.
#include "database.hpp"

#include <cstdlib>

namespace bloomery::testing {
namespace {

/// SQLite's own allocator, except that one allocation fails.
struct failing_memory {
    static inline sqlite3_mem_methods usual{};
    static inline long left = -1; ///< allocations until one fails; -1: none fails

    static bool fails() { return left >= 0 && left-- == 0; }
    static void* allocate(int size) { return fails() ? nullptr : usual.xMalloc(size); }
    static void* reallocate(void* old, int size) {
        return fails() ? nullptr : usual.xRealloc(old, size);
    }

    failing_memory() { // before SQLite starts
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual);
        static sqlite3_mem_methods ours = usual;
        ours.xMalloc = allocate;
        ours.xRealloc = reallocate;
        EXPECT_EQ(sqlite3_config(SQLITE_CONFIG_MALLOC, &ours), SQLITE_OK);
    }
};
const failing_memory memory;

TEST(Memory, AFailedAllocationIsAnError) {
    for (const char* const sql : {
             "SELECT bloom_contains(bloom_agg('a', 100), 'a')",
             "SELECT length(bloom_union_agg(bloom_merge(bloom_add(bloom_new(10), 1, 'i64le'), "
             "bloom_new())))",
             "SELECT bloom_contains(bloom_open(bloom_agg(1)), 1)",
             "SELECT length(bloom_info(bloom_new(5, 0.1, 'layout=classic')))",
             "SELECT length(bloom_from(bloom_to(bloom_new(9, 0.1, 'format=guava'), 'guava')))",
             "SELECT (SELECT bits FROM bloom_plan(10, 0.1)) + (SELECT count(*) FROM bloom_formats)",
             "SELECT bloom_contains(x'00', 1)",
         }) {
        SCOPED_TRACE(sql);
        const auto run = [&] {
            try {
                database db;
                return db.value(sql).value_or("null");
            } catch (const sql_error& refused) {
                return std::string("error: ") + refused.what();
            }
        };
        const std::string expected = run();
        int failures = 0;
        for (long at = 0;; ++at) {
            failing_memory::left = at;
            const std::string said = run();
            const bool all_were_given = failing_memory::left >= 0;
            failing_memory::left = -1;
            if (all_were_given) {
                EXPECT_EQ(said, expected);
                break;
            }
            // SQLite does without some of its memory.
            if (said != expected) {
                EXPECT_NE(said.find("error: "), std::string::npos) << at << ": " << said;
                ++failures;
            }
        }
        EXPECT_GT(failures, 10);
    }
}

} // namespace
} // namespace bloomery::testing
