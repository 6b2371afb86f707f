// What COMMAND DOCS, COMMAND INFO and ACL know of our commands.
#pragma once

#include "api.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::redis_module {

// The structures below are read by the server as they lie in memory.

struct history_entry {
    const char* since;
    const char* changes;
};

enum class key_search : int { invalid, unknown, index, keyword };
enum class key_find : int { omitted, unknown, range, number };

/// Which arguments are keys, and what is done to them.
struct key_spec {
    const char* notes;
    std::uint64_t flags;
    key_search begin;
    union {
        struct {
            int position;
        } index;
        struct {
            const char* word;
            int from;
        } keyword;
    } at;
    key_find find;
    union {
        struct {
            int last, step, limit;
        } range;
        struct {
            int number, first, step;
        } number;
    } keys;
};

inline constexpr std::uint64_t key_read = 1U << 0U | 1U << 4U;     ///< read-only, access
inline constexpr std::uint64_t key_insert = 1U << 1U | 1U << 6U;   ///< read-write, insert
inline constexpr std::uint64_t key_update = 1U << 1U | 1U << 5U;   ///< read-write, update
inline constexpr std::uint64_t key_delete = 1U << 1U | 1U << 7U;   ///< read-write, delete
inline constexpr std::uint64_t key_answer = key_insert | 1U << 4U; ///< insert, and tell

enum class argument_type : int {
    text,
    integer,
    real,
    key,
    pattern,
    unix_time,
    word,
    one_of,
    block
};
inline constexpr int argument_optional = 1 << 0;
inline constexpr int argument_multiple = 1 << 1;

struct argument {
    const char* name;
    argument_type type = argument_type::text;
    int key_spec_index = -1;
    const char* token = nullptr;
    const char* summary = nullptr;
    const char* since = nullptr;
    int flags = 0;
    const char* deprecated_since = nullptr;
    argument* parts = nullptr;
    const char* shown = nullptr;
};

// Arguments as our commands have them. A list of them ends with an empty one.

inline constexpr argument item_argument{.name = "item"};
inline constexpr argument many_items_argument{.name = "item", .flags = argument_multiple};
constexpr argument number_argument(const char* name) {
    return {.name = name, .type = argument_type::integer};
}
constexpr argument optional_argument(const char* name, argument_type of, const char* token) {
    return {.name = name, .type = of, .token = token, .flags = argument_optional};
}

struct command_info_version {
    int version = 1;
    std::size_t history_entry_size = sizeof(history_entry);
    std::size_t key_spec_size = sizeof(key_spec);
    std::size_t argument_size = sizeof(argument);
};
inline constexpr command_info_version this_command_info;

struct command_info {
    const command_info_version* version;
    const char* summary;
    const char* complexity;
    const char* since;
    history_entry* history;
    const char* tips;
    int arity;
    key_spec* keys;      ///< ends with an empty one
    argument* arguments; ///< ends with an empty one
};

// Ours, from here on.

/// A command and everything that the server knows about it.
struct command_entry {
    const char* name;
    command_function run;
    const char* flags; ///< of CreateCommand
    const char* acl;   ///< categories, where the server has them for modules; ours is added
    int arity;         ///< with the command's name; negative: at least
    std::uint64_t key_flags;
    std::uint64_t more_key_flags; ///< of the arguments after the first key, if they are keys; or 0
    const char* since;
    const char* summary;
    const char* complexity;
    argument* arguments; ///< those after the key; ends with an empty one
};

/// Makes the category and the commands. Returns `failed` if the server refuses one.
int register_commands(context* in, const char* category, std::span<const command_entry> all);

} // namespace bloomery::redis_module
