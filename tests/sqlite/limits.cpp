// Limits of memory, and interrupts.
#include "database.hpp"

#include <cstdint>

namespace bloomery {
namespace {

using testing::counted;
using testing::database;

TEST(Limits, AFilterThatNoValueCanHoldIsRefusedAtOnce) {
    database db;
    const std::string said =
        db.refusal(counted(1000000000) + "SELECT bloom_agg(i, 10000000000) FROM counted");
    EXPECT_EQ(said.substr(0, 60), "bloom_agg: the filter would have 12624134720 bytes, and a va")
        << said;
    EXPECT_NE(said.find("at most 1000000000 (SQLITE_LIMIT_LENGTH"), std::string::npos) << said;
}

TEST(Limits, AGrowingFilterStopsAtTheLimit) {
    database db;
    sqlite3_limit(db.handle(), SQLITE_LIMIT_LENGTH, 100000);
    EXPECT_NE(db.refusal(counted(1000000) + "SELECT bloom_agg(i) FROM counted")
                  .find("at most 100000 (SQLITE_LIMIT_LENGTH"),
              std::string::npos);
    EXPECT_NE(db.refusal("SELECT bloom_agg(1, 100, 0.01, 'kind=counting,bits=8 items=1')"), "");
    EXPECT_NE(db.refusal("SELECT bloom_from(bloom_to(bloom_agg(1, 10000, 0.01, 'format=guava'), "
                         "'guava'), 'guava')"),
              "");
}

TEST(Limits, AnotherSystemsFilterObeysTheLimitToo) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg(1, 10000, 0.01, 'format=guava')");
    sqlite3_limit(db.handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(f.size()) - 5000);
    const testing::statement made = db.prepare("SELECT bloom_to(?1, 'guava')");
    EXPECT_EQ(sqlite3_bind_blob64(made.get(), 1, f.data(), f.size(), SQLITE_STATIC), SQLITE_TOOBIG);
}

/// An SQL function that returns its argument, and interrupts the statement when that is a certain
/// number.
struct stopper {
    std::int64_t at;
    std::int64_t last = -1; ///< what it was called with at last

    static void call(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
        stopper& of = *static_cast<stopper*>(sqlite3_user_data(context));
        of.last = sqlite3_value_int64(values[0]);
        if (of.last == of.at) sqlite3_interrupt(sqlite3_context_db_handle(context));
        sqlite3_result_int64(context, of.last);
    }
    void add_to(const database& db) {
        sqlite3_create_function(db.handle(), "stopper", 1, SQLITE_UTF8, this, call, nullptr,
                                nullptr);
    }
};

/// How many bytes SQLite had at most while an aggregate of 10 million rows was interrupted.
std::int64_t memory_of_interrupted(const database& db, const std::string& aggregate) {
    stopper stop{.at = 50000};
    stop.add_to(db);
    (void)sqlite3_memory_highwater(1);
    EXPECT_EQ(db.refusal(counted(10000000) + "SELECT length(" + aggregate + ") FROM counted"),
              "interrupted");
    EXPECT_EQ(stop.last, stop.at); // no row came after it
    return sqlite3_memory_highwater(0);
}

TEST(Limits, AnInterruptEndsAnAggregateInTheMiddle) {
    database db;
    EXPECT_GT(memory_of_interrupted(db, "bloom_agg(stopper(i))"), 0);
    // The filter of 126 MB is not encoded for a result that nobody gets.
    EXPECT_LT(memory_of_interrupted(db, "bloom_agg(stopper(i), 100000000)"), 10000000);
    EXPECT_LT(memory_of_interrupted(db, "bloom_agg('key' || stopper(i), 100000000, 0.001)"),
              10000000);
}

TEST(Limits, AnInterruptEndsTheWritingOfAFilter) {
    database db;
    const std::string f = db.bytes("SELECT bloom_agg(1, 10000000)");
    stopper stop{.at = 7};
    stop.add_to(db);
    // The function is interrupted before it begins, and looks every few megabytes.
    EXPECT_EQ(db.refusal("SELECT length(bloom_add(?1, stopper(7)))", f), "interrupted");
}

TEST(Limits, TheConnectionWorksAfterAnInterrupt) {
    database db;
    (void)memory_of_interrupted(db, "bloom_agg(stopper(i), 1000000)");
    EXPECT_EQ(db.number("SELECT bloom_contains(bloom_agg(1, 10), 1)"), 1);
}

} // namespace
} // namespace bloomery
