#include "bloom_commands.hpp"

#include "bloom_type.hpp"
#include "command_info.hpp"
#include "kinds.hpp"

#include <array>

namespace bloomery::redis_module {

namespace {

using type = argument_type;

constexpr const char* write = "write deny-oom";
constexpr const char* read = "readonly fast";

argument end() { return {.name = nullptr}; }
argument number(const char* name) { return {.name = name, .type = type::integer}; }
argument one_item() { return {.name = "item"}; }
argument many_items() { return {.name = "item", .flags = argument_multiple}; }
argument word(const char* name, const char* token) {
    return {.name = name, .type = type::word, .token = token, .flags = argument_optional};
}
argument option(const char* name, type of, const char* token) {
    return {.name = name, .type = of, .token = token, .flags = argument_optional};
}
argument source() {
    return {.name = "source", .type = type::key, .key_spec_index = 1, .flags = argument_multiple};
}

// The server copies all of these when it is told.
std::array bloom_reserve_arguments{argument{.name = "error_rate", .type = type::real},
                                   number("capacity"),
                                   option("expansion", type::integer, "EXPANSION"),
                                   word("nonscaling", "NONSCALING"),
                                   option("layout", type::text, "LAYOUT"),
                                   end()};
std::array bloom_insert_arguments{
    option("capacity", type::integer, "CAPACITY"),
    option("error", type::real, "ERROR"),
    option("expansion", type::integer, "EXPANSION"),
    option("validatescaleto", type::integer, "VALIDATESCALETO"),
    word("nocreate", "NOCREATE"),
    word("nonscaling", "NONSCALING"),
    argument{.name = "items", .token = "ITEMS", .flags = argument_multiple},
    end()};
std::array item_arguments{one_item(), end()};
std::array many_arguments{many_items(), end()};
std::array no_arguments{end()};
std::array info_arguments{argument{.name = "field", .flags = argument_optional}, end()};
std::array scandump_arguments{number("iterator"), end()};
std::array loadchunk_arguments{number("iterator"), argument{.name = "data"}, end()};
std::array source_arguments{source(), end()};

const std::array<command_entry, 14> all_commands{{
    {"bf.reserve", command_of<bloom_reserve>, write, "write fast", -4, key_insert, 0, "1.0.0",
     "Makes an empty Bloom filter for a number of items and a rate of false positives", "O(1)",
     bloom_reserve_arguments.data()},
    {"bf.add", command_of<bloom_add>, write, "write", 3, key_answer, 0, "1.0.0",
     "Adds an item and tells whether it was surely new; makes the filter if there is none",
     "O(l k) for l layers of k hashes", item_arguments.data()},
    {"bf.madd", command_of<bloom_madd>, write, "write", -3, key_answer, 0, "1.0.0",
     "Adds items and tells of each whether it was surely new; makes the filter if there is none",
     "O(n l k) for n items, l layers of k hashes", many_arguments.data()},
    {"bf.insert", command_of<bloom_insert>, write, "write", -4, key_answer, 0, "1.0.0",
     "Adds items, and says how the filter is to be made if there is none",
     "O(n l k) for n items, l layers of k hashes", bloom_insert_arguments.data()},
    {"bf.exists", command_of<bloom_exists>, read, "read", 3, key_read, 0, "1.0.0",
     "Tells whether an item may have been added, or surely was not",
     "O(l k) for l layers of k hashes", item_arguments.data()},
    {"bf.mexists", command_of<bloom_mexists>, read, "read", -3, key_read, 0, "1.0.0",
     "Tells of each item whether it may have been added, or surely was not",
     "O(n l k) for n items, l layers of k hashes", many_arguments.data()},
    {"bf.info", command_of<bloom_info>, read, "read fast", -2, key_read, 0, "1.0.0",
     "Tells the capacity, the size and other facts of a Bloom filter", "O(l) for l layers",
     info_arguments.data()},
    {"bf.card", command_of<bloom_card>, read, "read fast", 2, key_read, 0, "2.4.4",
     "Tells how many items were added that were new", "O(l) for l layers", no_arguments.data()},
    {"bf.debug", command_of<bloom_debug>, read, "read", 2, key_read, 0, "1.0.0",
     "Tells the facts of each layer", "O(l) for l layers", no_arguments.data()},
    {"bf.scandump", command_of<bloom_scandump>, read, "read", 3, key_read, 0, "1.0.0",
     "Hands out a Bloom filter in pieces, for BF.LOADCHUNK", "O(b) for a piece of b bytes",
     scandump_arguments.data()},
    {"bf.loadchunk", command_of<bloom_loadchunk>, write, "write", 4, key_insert, 0, "1.0.0",
     "Takes a piece of a Bloom filter, as BF.SCANDUMP hands it out", "O(b) for a piece of b bytes",
     loadchunk_arguments.data()},
    {"bf.merge", command_of<bloom_merge>, write, "write slow", -3, key_insert, key_read, "1.0.0",
     "Adds all items of other Bloom filters", "O(b) for filters of b bytes",
     source_arguments.data()},
    {"bf.intersect", command_of<bloom_intersect>, write, "write slow", -3, key_insert, key_read,
     "1.0.0", "Keeps the items that all of the Bloom filters may have",
     "O(b) for filters of b bytes", source_arguments.data()},
    {"bf.clear", command_of<bloom_clear>, "write", "write", 2, key_delete, 0, "1.0.0",
     "Forgets all items of a Bloom filter", "O(b) for a filter of b bytes", no_arguments.data()},
}};

} // namespace

int register_bloom(context* in) {
    return register_bloom_types(in) == ok && register_commands(in, "bloom", all_commands) == ok
               ? ok
               : failed;
}

} // namespace bloomery::redis_module
