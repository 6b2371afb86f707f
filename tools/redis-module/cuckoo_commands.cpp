// The commands CF.*, with the arguments, answers and errors of RedisBloom.
#include "cuckoo_commands.hpp"

#include "command_info.hpp"
#include "cuckoo_type.hpp"
#include "room.hpp"
#include "settings.hpp"

#include <string>

namespace bloomery::redis_module {

const char* cuckoo_over_limit(const char* no_memory) noexcept {
    return over_limit_text("ERR operation exceeds cuckoo object memory limit", no_memory);
}

void refuse_existing(const open_key& key) {
    if (cuckoo_in(key) != nullptr) throw refusal{"ERR item exists"};
    refuse_key(key);
}

namespace {

/// A server sends one piece at a time and serves nobody else meanwhile.
constexpr std::uint64_t dump_piece = std::uint64_t{1} << 20U;

std::uint64_t hash_of(const text* item) noexcept { return cuckoo_filter::hash(key_bytes(item)); }

void exists(const call& of) {
    of.require(of.count() == 3);
    const open_key key(of, of[1], open_read);
    const cuckoo_filter* const filter = cuckoo_in(key);
    reply_yes_no(of.in(), filter != nullptr && filter->contains(hash_of(of[2])));
}

void exist_many(const call& of) {
    of.require(of.count() >= 3);
    const open_key key(of, of[1], open_read);
    const cuckoo_filter* const filter = cuckoo_in(key);
    const std::span<text* const> items = of.from(2);
    server.reply_array(of.in(), static_cast<long>(items.size()));
    if (filter == nullptr) {
        for (std::size_t i = 0; i < items.size(); ++i) reply_yes_no(of.in(), false);
        return;
    }
    for_each_item(
        of, *filter, items, 0,
        [&](const text* /*item*/, std::uint64_t hash) {
            reply_yes_no(of.in(), filter->contains(hash));
        },
        [&](const text* /*item*/) { server.reply_error(of.in(), too_long_text); });
}

void count(const call& of) {
    of.require(of.count() == 3);
    const open_key key(of, of[1], open_read);
    const cuckoo_filter* const filter = cuckoo_in(key);
    const std::uint64_t found = filter != nullptr ? filter->count(hash_of(of[2])) : 0;
    server.reply_number(of.in(), static_cast<long long>(found));
}

void erase(const call& of) {
    of.require(of.count() == 3);
    open_key key(of, of[1], open_read | open_write);
    cuckoo_filter* const filter = cuckoo_in(key);
    if (filter == nullptr) throw refusal{"Not found"};
    const bool erased = filter->erase(hash_of(of[2]));
    reply_yes_no(of.in(), erased);
    if (!erased) return;
    server.replicate_verbatim(of.in());
    key.close();
    of.tell_changed("cuckoo.del");
}

void compact(const call& of) {
    of.require(of.count() == 2);
    const open_key key(of, of[1], open_read | open_write);
    cuckoo_filter* const filter = cuckoo_in(key);
    if (filter == nullptr) throw refusal{"Cuckoo filter was not found"};
    if (filter->compact()) {
        server.replicate_verbatim(of.in());
        server.signal_modified_key(of.in(), of[1]);
    }
    server.reply_status(of.in(), "OK");
}

void info(const call& of) {
    of.require(of.count() == 2);
    const open_key key(of, of[1], open_read);
    const cuckoo_filter& filter = require_cuckoo(key);
    const cuckoo_fields fields = filter.fields();
    const auto tell = [&](const char* name, std::uint64_t number) {
        server.reply_status(of.in(), name);
        server.reply_number(of.in(), static_cast<long long>(number));
    };
    server.reply_map(of.in(), 8);
    tell("Size", filter.memory());
    tell("Number of buckets", fields.buckets);
    tell("Number of filters", fields.filters);
    tell("Number of items inserted", fields.items);
    tell("Number of items deleted", fields.deletes);
    tell("Bucket size", fields.bucket_size);
    tell("Expansion rate", fields.expansion);
    tell("Max iterations", fields.iterations);
}

void debug(const call& of) {
    of.require(of.count() == 2);
    const open_key key(of, of[1], open_read);
    const cuckoo_fields fields = require_cuckoo(key).fields();
    std::string line;
    const auto tell = [&](const char* name, std::uint64_t number) {
        line += name + std::to_string(number);
    };
    tell("bktsize:", fields.bucket_size);
    tell(" buckets:", fields.buckets);
    tell(" items:", fields.items);
    tell(" deletes:", fields.deletes);
    tell(" filters:", fields.filters);
    tell(" max_iterations:", fields.iterations);
    tell(" expansion:", fields.expansion);
    reply_text(of.in(), line);
}

void reply_cuckoo_piece(context* to, std::uint64_t next, byte_view piece) noexcept {
    server.reply_array(to, 2);
    server.reply_number(to, static_cast<long long>(next));
    if (next == 0) {
        server.reply_null(to);
    } else {
        server.reply_bytes(to, reinterpret_cast<const char*>(piece.data()), piece.size());
    }
}

// Position 0 is the header, and 1 + n the byte n of all sub-filters laid end to end. Each reply
// says where to go on; CF.LOADCHUNK takes it together with the piece, so there a position is where
// the piece ends.

void scan_dump(const call& of) {
    of.require(of.count() == 3);
    long long position = 0;
    if (server.to_number(of[2], &position) != ok || position < 0) {
        throw refusal{"Invalid position"};
    }
    const open_key key(of, of[1], open_read);
    const cuckoo_filter& filter = require_cuckoo(key);
    if (filter.fields().items == 0) {
        reply_cuckoo_piece(of.in(), 0, {});
    } else if (position == 0) {
        reply_cuckoo_piece(of.in(), 1, filter.header());
    } else {
        const auto from = static_cast<std::uint64_t>(position) - 1;
        const byte_view piece = filter.piece(from, dump_piece);
        reply_cuckoo_piece(of.in(), piece.empty() ? 0 : from + piece.size() + 1, piece);
    }
}

void load_header(const call& of, open_key& key) {
    if (!key.is_empty()) refuse_existing(key);
    const std::optional<cuckoo_fields> fields = cuckoo_filter::read_header(key_bytes(of[3]));
    if (!fields) throw refusal{"Invalid header"};
    if (fields->filters > most_loaded_cuckoo_filters(of.must_obey())) {
        throw refusal{"ERR the filter has " + std::to_string(fields->filters) +
                      " sub-filters: set cf-max-expansions to as many to load it"};
    }
    made_cuckoo_filter made = cuckoo_filter::empty_from_fields(*fields, most_bytes(of.must_obey()));
    constexpr const char* failed_text = "Couldn't create filter!";
    if (made.why == cuckoo_outcome::over_limit) throw refusal{cuckoo_over_limit(failed_text)};
    if (made.filter == nullptr) throw refusal{failed_text};
    require_room(of, made.filter->slots());
    key.set(cuckoo_type, made.filter.release());
}

void load_cuckoo_piece(const call& of, const open_key& key, long long position) {
    cuckoo_filter& filter = require_cuckoo(key);
    const byte_view piece = key_bytes(of[3]);
    const std::uint64_t end = position > 0 ? static_cast<std::uint64_t>(position) - 1 : 0;
    if (end < piece.size() || !filter.put_piece(end - piece.size(), piece)) {
        throw refusal{"Couldn't load chunk!"};
    }
}

void load_chunk(const call& of) {
    of.require(of.count() == 4);
    open_key key(of, of[1], open_read | open_write);
    long long position = 0;
    if (server.to_number(of[2], &position) != ok || position == 0) {
        throw refusal{"Invalid position"};
    }
    const bool is_header = position == 1;
    if (is_header) {
        load_header(of, key);
    } else {
        load_cuckoo_piece(of, key, position);
    }
    server.replicate_verbatim(of.in());
    server.reply_status(of.in(), "OK");
    key.close();
    of.tell_changed(is_header ? "cuckoo.reserve" : "cuckoo.add");
}

using type = argument_type;

argument cuckoo_item_argument[] = {item_argument, {}};
argument cuckoo_item_arguments[] = {many_items_argument, {}};
argument cuckoo_reserve_arguments[] = {
    number_argument("capacity"),
    optional_argument("bucketsize", type::integer, "BUCKETSIZE"),
    optional_argument("maxiterations", type::integer, "MAXITERATIONS"),
    optional_argument("expansion", type::integer, "EXPANSION"),
    {}};
argument cuckoo_insert_arguments[] = {optional_argument("capacity", type::integer, "CAPACITY"),
                                      optional_argument("nocreate", type::word, "NOCREATE"),
                                      {.name = "items", .type = type::word, .token = "ITEMS"},
                                      many_items_argument,
                                      {}};
argument dump_arguments[] = {number_argument("iterator"), {}};
argument load_arguments[] = {number_argument("iterator"), {.name = "data"}, {}};

constexpr const char* since = "1.0.0";
constexpr const char* changes = "write deny-oom";
constexpr const char* reads = "readonly fast";
constexpr const char* per_filter = "O(k), where k is the number of sub-filters";
constexpr const char* per_add =
    "O(k + i), where k is the number of sub-filters and i the number of iterations";
constexpr const char* per_adds =
    "O(n * (k + i)), where n is the number of items, k the number of sub-filters and i the "
    "number of iterations";

const command_entry commands[] = {
    {"cf.reserve", command_of<cuckoo_reserve>, changes, "write fast", -3, key_insert, 0, since,
     "Creates an empty cuckoo filter", "O(1)", cuckoo_reserve_arguments},
    {"cf.add", command_of<cuckoo_add>, changes, "write", 3, key_insert, 0, since,
     "Adds an item to a cuckoo filter; creates the filter if it does not exist", per_add,
     cuckoo_item_argument},
    {"cf.addnx", command_of<cuckoo_add_if_absent>, changes, "write", 3, key_answer, 0, since,
     "Adds an item to a cuckoo filter unless it may already be there", per_add,
     cuckoo_item_argument},
    {"cf.insert", command_of<cuckoo_insert>, changes, "write", -4, key_insert, 0, since,
     "Adds items to a cuckoo filter; creates the filter if it does not exist", per_adds,
     cuckoo_insert_arguments},
    {"cf.insertnx", command_of<cuckoo_insert_if_absent>, changes, "write", -4, key_answer, 0, since,
     "Adds the items that are definitely not in a cuckoo filter", per_adds,
     cuckoo_insert_arguments},
    {"cf.exists", command_of<exists>, reads, "read", 3, key_read, 0, since,
     "Returns whether an item may be in a cuckoo filter", per_filter, cuckoo_item_argument},
    {"cf.mexists", command_of<exist_many>, reads, "read", -3, key_read, 0, since,
     "Returns for each item whether it may be in a cuckoo filter",
     "O(n * k), where n is the number of items and k the number of sub-filters",
     cuckoo_item_arguments},
    {"cf.count", command_of<count>, reads, "read", 3, key_read, 0, since,
     "Returns how many times an item may have been added to a cuckoo filter", per_filter,
     cuckoo_item_argument},
    {"cf.del", command_of<erase>, "write fast", "write", 3, key_delete, 0, since,
     "Removes an item from a cuckoo filter, once", per_filter, cuckoo_item_argument},
    // RedisBloom lets any number of arguments through to the command, which refuses them itself.
    {"cf.compact", command_of<compact>, "write", "write", -1, key_update, 0, since,
     "Moves items to older sub-filters of a cuckoo filter and drops the ones left empty",
     "O(s * k), where s is the number of slots and k the number of sub-filters", nullptr},
    {"cf.scandump", command_of<scan_dump>, reads, "read", 3, key_read, 0, since,
     "Returns a cuckoo filter in chunks, for CF.LOADCHUNK",
     "O(n), where n is the size of the chunk", dump_arguments},
    {"cf.loadchunk", command_of<load_chunk>, changes, "write", 4, key_insert, 0, since,
     "Restores a chunk of a cuckoo filter that CF.SCANDUMP returned",
     "O(n), where n is the size of the chunk", load_arguments},
    {"cf.info", command_of<info>, reads, "read fast", 2, key_read, 0, since,
     "Returns the size and the settings of a cuckoo filter", "O(1)", nullptr},
    {"cf.debug", command_of<debug>, reads, "read", 2, key_read, 0, since,
     "Returns the settings of a cuckoo filter in one line", "O(1)", nullptr},
};

} // namespace

int register_cuckoo(context* in) {
    if (register_cuckoo_type(in) != ok) return failed;
    return register_commands(in, "cuckoo", commands);
}

} // namespace bloomery::redis_module
