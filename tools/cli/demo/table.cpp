#include "demo/table.hpp"

#include <bloomery/guard/store.hpp>

#include <fmt/format.h>
#include <libpq-fe.h>

#include <string_view>
#include <utility>

namespace bloomery::cli {

namespace {

struct hang_up {
    void operator()(PGconn* connection) const { PQfinish(connection); }
    void operator()(PGresult* result) const { PQclear(result); }
};

/// The first line of what the server says, for a sentence of ours.
std::string first_line(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    if (text.starts_with("ERROR:  ")) text.remove_prefix(8);
    return std::string(text);
}

void run_statement(const std::string& url, const std::string& statement) {
    const std::unique_ptr<PGconn, hang_up> to(PQconnectdb(url.c_str()));
    if (to == nullptr || PQstatus(to.get()) != CONNECTION_OK) {
        throw store::unavailable(
            fmt::format("cannot connect to PostgreSQL: {}", first_line(PQerrorMessage(to.get()))));
    }
    // A notice would go to standard error by itself.
    PQsetNoticeProcessor(to.get(), [](void* /*context*/, const char* /*notice*/) {}, nullptr);
    const std::unique_ptr<PGresult, hang_up> done(PQexec(to.get(), statement.c_str()));
    if (PQresultStatus(done.get()) == PGRES_COMMAND_OK) return;
    const char* const state = PQresultErrorField(done.get(), PG_DIAG_SQLSTATE);
    if (state != nullptr && std::string_view(state) == "42P07") { // duplicate_table
        throw store::store_error(fmt::format("the table {} already exists; drop it if a demo "
                                             "that was killed left it behind",
                                             demo_sql_table::name));
    }
    throw store::store_error(
        fmt::format("PostgreSQL reports an error: {}", first_line(PQerrorMessage(to.get()))));
}

} // namespace

demo_sql_table::demo_sql_table(std::string url) : url_(std::move(url)) {
    run_statement(url_, fmt::format("CREATE TABLE {} (key text PRIMARY KEY, value text)", name));
}

demo_sql_table::~demo_sql_table() {
    try {
        run_statement(url_, fmt::format("DROP TABLE {}", name));
        // NOLINTNEXTLINE(bugprone-empty-catch): it went with its server
    } catch (const store::store_error&) {
    }
}

void demo_sql_table::settle() { run_statement(url_, fmt::format("VACUUM ANALYZE {}", name)); }

} // namespace bloomery::cli
