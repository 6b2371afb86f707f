// The calls of a PostgreSQL store that read the whole table.
#include <bloomery/detail/text/number.hpp>
#include <bloomery/guard/postgres.hpp>

#include "postgres_copy.hpp"
#include "postgres_impl.hpp"

#include <array>

namespace bloomery::inline v0::store {

namespace {

/// Whether row versions reveal their age, and for which table, server and timeline. Partitions and
/// inheriting tables can be attached to a table with all their old rows. A standby has no timeline
/// of its own yet.
constexpr const char* moment_query =
    "SELECT c.relkind = 'r' AND NOT c.relhassubclass AND NOT pg_catalog.pg_is_in_recovery(), "
    "'table ' || c.oid || ' timeline ' || CASE WHEN pg_catalog.pg_is_in_recovery() THEN '' ELSE "
    "substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END || "
    "' system ' || (SELECT system_identifier FROM pg_catalog.pg_control_system()), "
    "pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot()), "
    "pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()) "
    "FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass($1)";

struct postgres_moment {
    bool is_of_use = false;
    std::string place{};
    std::uint64_t oldest = 0; ///< transaction in progress
    std::uint64_t next = 0;   ///< transaction to be over
};

postgres_moment postgres_now(postgres_connection& through, const postgres_table& table) {
    const std::array asked{table.name.text()};
    const postgres_result found = through.query(moment_query, asked);
    if (found.rows() == 0) {
        throw store_error("the table " + table.name.table + " no longer exists; create it again");
    }
    return {found.bytes(0, 0) == "t", std::string(found.bytes(0, 1)),
            text::number_in<std::uint64_t>(found.bytes(0, 2)).value_or(0),
            text::number_in<std::uint64_t>(found.bytes(0, 3)).value_or(0)};
}

/// The transaction of a mark "xid 1234 PLACE", if the place matches.
std::optional<std::uint64_t> transaction_of(std::string_view mark, const postgres_moment& present) {
    constexpr std::string_view word = "xid ";
    if (!mark.starts_with(word)) return std::nullopt;
    mark.remove_prefix(word.size());
    const std::size_t space = mark.find(' ');
    if (space == std::string_view::npos || mark.substr(space + 1) != present.place) {
        return std::nullopt;
    }
    return text::number_in<std::uint64_t>(mark.substr(0, space));
}

/// Rows keep the low 32 bits of the transaction that wrote them, even when frozen. The half of the
/// circle after the mark counts as new; this may include some frozen rows.
constexpr std::uint64_t circle = std::uint64_t{1} << 32U;
constexpr std::uint64_t margin = 10'000'000; // for transactions that begin meanwhile

std::string is_since(std::uint64_t transaction) {
    std::string made = "(xmin::text::bigint + ";
    made += std::to_string(circle - transaction % circle);
    made.append(") % ").append(std::to_string(circle));
    return made.append(" < ").append(std::to_string(circle / 2));
}

void visit_keys(postgres_connection& through, const std::string& copy, const key_visitor& visit) {
    scan_batch batch(visit);
    copy_reader reader(batch);
    through.begin_copy_out(copy);
    for (;;) {
        const postgres_connection::piece piece = through.next_piece();
        if (!piece.bytes) break;
        reader.read({piece.bytes.get(), piece.count});
    }
    if (!reader.is_done()) throw unavailable("PostgreSQL sent only some of the keys: try again");
    batch.flush();
}

/// Calls with a separate connection without a time limit.
template <class Call>
auto patiently(std::unique_ptr<postgres_connection> through, Call call) {
    try {
        return call(*through);
    } catch (const postgres_refused& why) {
        refuse_read(why);
    }
}

void append_row(std::string& to, const entry& row, const postgres_table& table) {
    if (!table.key_type.may_hold(row.key)) {
        throw store_error("the column " + table.key_column + " cannot hold the key " +
                          shown(row.key) + ": load other keys, or use a column of bytes");
    }
    append_field(to, row.key, table.key_type.is_bytes());
    if (!table.value_column.empty()) {
        to += '\t';
        if (row.value) {
            append_field(to, *row.value, table.value_type.is_bytes());
        } else {
            to += "\\N";
        }
    }
    to += '\n';
}

} // namespace

void postgres::scan(const key_visitor& visit) {
    patiently(impl_->open_patient(), [&](postgres_connection& through) {
        visit_keys(through, impl_->table().copy_out(""), visit);
    });
}

std::uint64_t postgres::count() {
    return patiently(impl_->open_patient(), [&](postgres_connection& through) {
        const postgres_result found =
            through.query("SELECT count(*) FROM " + impl_->table().name.text());
        return text::number_in<std::uint64_t>(found.bytes(0, 0)).value_or(0);
    });
}

std::string postgres::mark() {
    const postgres_moment present = impl_->read(
        [&](postgres_connection& through) { return postgres_now(through, impl_->table()); });
    if (!present.is_of_use) return "none";
    return "xid " + std::to_string(present.oldest) + " " + present.place;
}

bool postgres::scan_since(const std::string& mark, const key_visitor& visit) {
    return patiently(impl_->open_patient(), [&](postgres_connection& through) {
        // One snapshot for both the age of the mark and the rows.
        through.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        const postgres_moment present = postgres_now(through, impl_->table());
        const std::optional<std::uint64_t> then = transaction_of(mark, present);
        if (!present.is_of_use || !then || *then > present.next ||
            present.next - *then > circle / 2 - margin) {
            return false;
        }
        visit_keys(through, impl_->table().copy_out(is_since(*then)), visit);
        return true;
    });
}

void postgres::load(std::span<const entry> rows) {
    constexpr std::size_t piece = std::size_t{1} << 16U;
    const postgres_table& table = impl_->table();
    const std::unique_ptr<postgres_connection> through = impl_->open_patient();
    try {
        through->begin_copy_in(table.copy_in());
        std::string lines;
        for (const entry& row : rows) {
            append_row(lines, row, table);
            if (lines.size() < piece) continue;
            through->send_piece(lines);
            lines.clear();
        }
        if (!lines.empty()) through->send_piece(lines);
        try {
            through->end_copy_in();
        } catch (const postgres_lost& why) {
            throw outcome_unknown(std::string(why.what()) +
                                  "; whether the rows were added is unknown");
        }
    } catch (const postgres_refused& why) {
        refuse_write(why);
    }
}

} // namespace bloomery::inline v0::store
