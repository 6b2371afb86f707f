#include "bloom_commands.hpp"

#include "bloom_type.hpp"
#include "command_info.hpp"

namespace bloomery::redis_module {

namespace {

using type = argument_type;

constexpr const char* write = "write deny-oom";
constexpr const char* read = "readonly fast";

// The server copies all of these when it is told.
argument bloom_reserve_arguments[] = {{.name = "error_rate", .type = type::real},
                                      number_argument("capacity"),
                                      optional_argument("expansion", type::integer, "EXPANSION"),
                                      optional_argument("nonscaling", type::word, "NONSCALING"),
                                      optional_argument("layout", type::text, "LAYOUT"),
                                      {}};
argument bloom_insert_arguments[] = {
    optional_argument("capacity", type::integer, "CAPACITY"),
    optional_argument("error", type::real, "ERROR"),
    optional_argument("expansion", type::integer, "EXPANSION"),
    optional_argument("validatescaleto", type::integer, "VALIDATESCALETO"),
    optional_argument("nocreate", type::word, "NOCREATE"),
    optional_argument("nonscaling", type::word, "NONSCALING"),
    {.name = "items", .token = "ITEMS", .flags = argument_multiple},
    {}};
argument bloom_item_arguments[] = {item_argument, {}};
argument bloom_many_arguments[] = {many_items_argument, {}};
argument info_arguments[] = {{.name = "field", .flags = argument_optional}, {}};
argument scandump_arguments[] = {number_argument("iterator"), {}};
argument loadchunk_arguments[] = {number_argument("iterator"), {.name = "data"}, {}};
argument source_arguments[] = {
    {.name = "source", .type = type::key, .key_spec_index = 1, .flags = argument_multiple}, {}};

const command_entry bloom_commands[] = {
    {"bf.reserve", command_of<bloom_reserve>, write, "write fast", -4, key_insert, 0, "1.0.0",
     "Creates an empty Bloom filter for a number of items and a false-positive rate", "O(1)",
     bloom_reserve_arguments},
    {"bf.add", command_of<bloom_add>, write, "write", 3, key_answer, 0, "1.0.0",
     "Adds an item and returns whether it was definitely new; creates the filter if it does not "
     "exist",
     "O(l k) for l layers of k hashes", bloom_item_arguments},
    {"bf.madd", command_of<bloom_madd>, write, "write", -3, key_answer, 0, "1.0.0",
     "Adds items and returns for each whether it was definitely new; creates the filter if it "
     "does not exist",
     "O(n l k) for n items, l layers of k hashes", bloom_many_arguments},
    {"bf.insert", command_of<bloom_insert>, write, "write", -4, key_answer, 0, "1.0.0",
     "Adds items, and sets how the filter is created if it does not exist",
     "O(n l k) for n items, l layers of k hashes", bloom_insert_arguments},
    {"bf.exists", command_of<bloom_exists>, read, "read", 3, key_read, 0, "1.0.0",
     "Returns whether an item may have been added or definitely was not",
     "O(l k) for l layers of k hashes", bloom_item_arguments},
    {"bf.mexists", command_of<bloom_mexists>, read, "read", -3, key_read, 0, "1.0.0",
     "Returns for each item whether it may have been added or definitely was not",
     "O(n l k) for n items, l layers of k hashes", bloom_many_arguments},
    {"bf.info", command_of<bloom_info>, read, "read fast", -2, key_read, 0, "1.0.0",
     "Returns the capacity, the size and other properties of a Bloom filter", "O(l) for l layers",
     info_arguments},
    {"bf.card", command_of<bloom_card>, read, "read fast", 2, key_read, 0, "2.4.4",
     "Returns the number of distinct items added", "O(l) for l layers", nullptr},
    {"bf.debug", command_of<bloom_debug>, read, "read", 2, key_read, 0, "1.0.0",
     "Returns the properties of each layer", "O(l) for l layers", nullptr},
    {"bf.scandump", command_of<bloom_scandump>, read, "read", 3, key_read, 0, "1.0.0",
     "Returns a Bloom filter in chunks, for BF.LOADCHUNK", "O(b) for a chunk of b bytes",
     scandump_arguments},
    {"bf.loadchunk", command_of<bloom_loadchunk>, write, "write", 4, key_insert, 0, "1.0.0",
     "Restores a chunk of a Bloom filter that BF.SCANDUMP returned", "O(b) for a chunk of b bytes",
     loadchunk_arguments},
    {"bf.merge", command_of<bloom_merge>, write, "write slow", -3, key_insert, key_read, "1.0.0",
     "Adds all items of other Bloom filters", "O(b) for filters of b bytes", source_arguments},
    {"bf.intersect", command_of<bloom_intersect>, write, "write slow", -3, key_insert, key_read,
     "1.0.0", "Keeps the items that may be in all of the Bloom filters",
     "O(b) for filters of b bytes", source_arguments},
    {"bf.clear", command_of<bloom_clear>, "write", "write", 2, key_delete, 0, "1.0.0",
     "Removes all items from a Bloom filter", "O(b) for a filter of b bytes", nullptr},
};

} // namespace

int register_bloom(context* in) {
    if (register_bloom_types(in) != ok) return failed;
    return register_commands(in, "bloom", bloom_commands);
}

} // namespace bloomery::redis_module
