#include "demo/place.hpp"

#include <bloomery/error.hpp>

#include "servers/local_server.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <system_error>

namespace bloomery::cli {

namespace {

std::size_t connections_for(const guard_demo_options& o) {
    return std::size_t{o.threads} + 1; // nobody waits for another's
}

} // namespace

demo_folder::demo_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "bloomery-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) fail("cannot create a folder for the demo");
    path_ = name;
}

demo_folder::~demo_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

demo_place::demo_place(const guard_demo_options& o)
    : o_(o), tag_(fmt::format("{:08x}", std::random_device{}())) {
    if (o_.postgres && !o_.keep.empty()) {
        throw bad_argument("--keep works only with SQLite; leave out --postgres or --keep");
    }
    o_.postgres ? find_postgres(*o_.postgres) : find_file();
    if (o_.redis) find_redis(*o_.redis);
}

void demo_place::find_postgres(const std::string& url) {
    postgres_url_ = url.empty() ? own_postgres_.emplace().url() : url;
    table_.emplace(postgres_url_);
}

void demo_place::find_redis(const std::string& url) {
    redis::options how;
    if (url.empty()) {
        how = own_redis_.emplace(folder_.path()).how();
    } else {
        how = redis::parse_url(url);
        const char* const password = std::getenv("REDISCLI_AUTH");
        if (how.password.empty() && password != nullptr) how.password = password;
    }
    how.most_connections = connections_for(o_);
    redis_.emplace(how);
}

void demo_place::find_file() {
    const std::filesystem::path folder = o_.keep.empty() ? folder_.path().string() : o_.keep;
    std::filesystem::create_directories(folder);
    file_ = folder / "demo.db";
    if (std::filesystem::exists(file_)) {
        throw io_error(fmt::format("{} already exists", in_quotes(file_.string())),
                       std::make_error_code(std::errc::file_exists));
    }
}

demo_source demo_place::source() {
    if (table_) {
        return demo_source(store::postgres(postgres_url_, {demo_sql_table::name, "key", "value"},
                                           {.most_connections = connections_for(o_)}));
    }
    return demo_source(
        store::sqlite(file_, {"items", "key", "value"}, {.most_connections = connections_for(o_)}));
}

demo_cache demo_place::cache(const std::string& name) const {
    if (!redis_) return demo_cache{};
    store::redis_cache_options how;
    how.prefix = fmt::format("bloomery-guard-demo:{}:{}:", tag_, name);
    // As long as the demo, and not much longer in a server of somebody's.
    how.expiry = std::chrono::milliseconds(60'000 + std::llround(o_.seconds * 5'000));
    return demo_cache(store::redis_cache(*redis_, how));
}

void demo_place::settle() {
    if (table_) table_->settle();
}

std::string demo_place::source_text() const {
    if (own_postgres_) return "PostgreSQL, started for this demo";
    return table_ ? "PostgreSQL" : "SQLite";
}

std::string demo_place::cache_text() const {
    if (!redis_) return "";
    return own_redis_ ? "Redis, started for this demo" : "Redis";
}

} // namespace bloomery::cli
