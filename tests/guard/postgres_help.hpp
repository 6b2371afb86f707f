// A PostgreSQL for the tests of one program, and another client of it.
#pragma once

#include <bloomery/guard/postgres.hpp>

#include "servers/local_postgres.hpp"

#include <libpq-fe.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace bloomery::testing {

/// Started at the first call, ended with the program. It does not wait for the disk: what a crash
/// of the machine does is not asked here.
inline cli::local_postgres& shared_postgres() {
    static cli::local_postgres server(
        {.settings = {"fsync = off", "autovacuum = off", "max_prepared_transactions = 5",
                      "max_connections = 60"}});
    return server;
}

/// A client that is not ours.
class other_client {
public:
    explicit other_client(const std::string& url = shared_postgres().url())
        : handle_(PQconnectdb(url.c_str())) {
        if (PQstatus(handle_.get()) != CONNECTION_OK) {
            throw std::runtime_error(PQerrorMessage(handle_.get()));
        }
        PQsetNoticeProcessor(handle_.get(), [](void*, const char*) {}, nullptr);
    }

    /// The first field of what statements gave. Throws what the server says against them.
    std::string run(const std::string& sql) {
        const std::unique_ptr<PGresult, clear> got(PQexec(handle_.get(), sql.c_str()));
        const ExecStatusType status = PQresultStatus(got.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            throw std::runtime_error(sql + ": " + PQresultErrorMessage(got.get()));
        }
        return PQntuples(got.get()) == 0 ? "" : PQgetvalue(got.get(), 0, 0);
    }

private:
    struct finish {
        void operator()(PGconn* handle) const { PQfinish(handle); }
    };
    struct clear {
        void operator()(PGresult* what) const { PQclear(what); }
    };
    std::unique_ptr<PGconn, finish> handle_;
};

/// A store on a table that is made for it, of keys and values of these types.
inline store::postgres store_on(const std::string& table, const std::string& key_type = "text",
                                const std::string& value_type = "bytea",
                                store::postgres_options how = {}) {
    other_client().run("CREATE TABLE " + table + " (id " + key_type + " PRIMARY KEY, body " +
                       value_type + ")");
    return store::postgres(shared_postgres().url(), {table, "id", "body"}, how);
}

} // namespace bloomery::testing
