// The calls of an SQLite store that read the whole table.
#include <bloomery/guard/sqlite.hpp>

#include "scan_batch.hpp"
#include "sqlite_impl.hpp"

#include <charconv>
#include <system_error>

namespace bloomery::inline v0::store {

namespace {

/// The contents of a mark: "rowid 1234 count 1000", or "count 1000".
struct sqlite_moment {
    std::optional<std::int64_t> largest{};
    std::int64_t count = 0;

    [[nodiscard]] std::string text() const {
        std::string made = largest ? "rowid " + std::to_string(*largest) + " " : std::string();
        return made.append("count ").append(std::to_string(count));
    }
};

/// Takes a word and a number from the front of a text.
std::optional<std::int64_t> taken(std::string_view word, std::string_view& from) {
    if (!from.starts_with(word)) return std::nullopt;
    std::int64_t value = 0;
    const char* const end = from.data() + from.size();
    const auto [stop, failure] = std::from_chars(from.data() + word.size(), end, value);
    if (failure != std::errc{}) return std::nullopt;
    from.remove_prefix(static_cast<std::size_t>(stop - from.data()));
    return value;
}

std::optional<sqlite_moment> parsed(std::string_view mark) {
    sqlite_moment made;
    if (mark.starts_with("rowid ")) {
        made.largest = taken("rowid ", mark);
        if (!made.largest || !mark.starts_with(' ')) return std::nullopt;
        mark.remove_prefix(1);
    }
    const std::optional<std::int64_t> count = taken("count ", mark);
    if (!count || !mark.empty()) return std::nullopt;
    made.count = *count;
    return made;
}

sqlite_moment sqlite_now(sqlite_connection& in, const sqlite_table& table) {
    sqlite_statement query(in, table.count());
    sqlite_moment made;
    if (query.step()) {
        made.count = query.integer(0);
        if (!table.row_number.empty()) made.largest = query.integer(1);
    }
    return made;
}

void visit_rows(sqlite_statement& rows, const key_visitor& visit) {
    scan_batch batch(visit);
    while (rows.step()) batch.add(rows.bytes(0));
    batch.flush();
}

std::int64_t count_after(sqlite_connection& in, const sqlite_table& table, std::int64_t number) {
    sqlite_statement query(in, table.count_since());
    query.bind_integer(1, number);
    return query.step() ? query.integer(0) : 0;
}

} // namespace

void sqlite::scan(const key_visitor& visit) {
    const std::unique_ptr<sqlite_connection> own = impl_->open();
    sqlite_statement rows(*own, impl_->table().scan(false));
    visit_rows(rows, visit);
}

std::uint64_t sqlite::count() {
    const auto session = impl_->take();
    return static_cast<std::uint64_t>(sqlite_now(session->connection(), impl_->table()).count);
}

std::string sqlite::mark() {
    const auto session = impl_->take();
    return sqlite_now(session->connection(), impl_->table()).text();
}

bool sqlite::scan_since(const std::string& mark, const key_visitor& visit) {
    const sqlite_table& table = impl_->table();
    const std::optional<sqlite_moment> then = parsed(mark);
    if (!then || then->largest.has_value() == table.row_number.empty()) return false;
    const std::unique_ptr<sqlite_connection> own = impl_->open();
    const sqlite_transaction once(*own, sqlite_transaction::kind::read);
    const sqlite_moment present = sqlite_now(*own, table);
    if (!then->largest) return present.count == then->count;
    if (present.count != then->count + count_after(*own, table, *then->largest)) return false;
    sqlite_statement rows(*own, table.scan(true));
    rows.bind_integer(1, *then->largest);
    visit_rows(rows, visit);
    return true;
}

void sqlite::load(std::span<const entry> rows) {
    const auto session = impl_->take();
    sqlite_transaction change(session->connection(), sqlite_transaction::kind::write);
    for (const entry& each : rows) session->insert(each.key, each.value);
    change.commit();
}

} // namespace bloomery::inline v0::store
