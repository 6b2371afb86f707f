// The part of the module interface of Redis and Valkey that we use.
//
// A server hands out its functions by name: the first word of the context that it calls
// RedisModule_OnLoad with is a function which finds them. So no header of a vendor is needed, and
// one binary runs on every server that has the functions marked `required`. Names and meaning are
// those of the reference of Redis modules, without the prefix `RedisModule_`.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bloomery::redis_module {

// What the server alone knows the insides of.
struct context;
struct text; ///< RedisModuleString
struct key_handle;
struct command;
struct data_type;
struct stream;       ///< RedisModuleIO: an RDB or an append-only file
struct digest_state; ///< RedisModuleDigest
struct defrag_context;
struct info_context;
struct key_options; ///< RedisModuleKeyOptCtx
struct server_info; ///< RedisModuleServerInfoData

inline constexpr int ok = 0;
inline constexpr int failed = 1;
inline constexpr int open_read = 1;
inline constexpr int open_write = 2;
inline constexpr int type_of_no_key = 0;
inline constexpr int type_of_module = 6;
inline constexpr int context_is_of_replica = 1 << 3;
inline constexpr int context_is_replicated = 1 << 12;
inline constexpr int context_is_loading = 1 << 13;
inline constexpr int context_speaks_resp3 = 1 << 22;
inline constexpr int notify_generic = 1 << 2;
inline constexpr int handle_io_errors = 1 << 0;
inline constexpr int no_implicit_signal = 1 << 1;
inline constexpr int handle_async_load = 1 << 2;
inline constexpr unsigned config_is_memory = 1U << 7;
inline constexpr unsigned config_without_prefix = 1U << 9; ///< Redis 8 only

using command_function = int (*)(context*, text**, int);
using get_text_config = text* (*)(const char* name, void* of);
using set_text_config = int (*)(const char* name, text* to, void* of, text** why);
using get_number_config = long long (*)(const char* name, void* of);
using set_number_config = int (*)(const char* name, long long to, void* of, text** why);
using get_bool_config = int (*)(const char* name, void* of);
using set_bool_config = int (*)(const char* name, int to, void* of, text** why);
using apply_config = int (*)(context*, void* of, text** why);
using info_function = void (*)(info_context*, int for_crash_report);

/// How the server handles values of a type of ours. Later servers read as much of it as `version`
/// says.
struct type_methods {
    std::uint64_t version = 4;
    void* (*rdb_load)(stream*, int version) = nullptr;
    void (*rdb_save)(stream*, void* value) = nullptr;
    void (*aof_rewrite)(stream*, text* key, void* value) = nullptr;
    std::size_t (*mem_usage)(const void* value) = nullptr;
    void (*digest)(digest_state*, void* value) = nullptr;
    void (*free)(void* value) = nullptr;
    int (*aux_load)(stream*, int version, int when) = nullptr;
    void (*aux_save)(stream*, int when) = nullptr;
    int aux_save_triggers = 0;
    std::size_t (*free_effort)(text* key, const void* value) = nullptr;
    void (*unlink)(text* key, const void* value) = nullptr;
    void* (*copy)(text* from, text* to, const void* value) = nullptr;
    int (*defrag)(defrag_context*, text* key, void** value) = nullptr;
    std::size_t (*mem_usage2)(key_options*, const void* value, std::size_t samples) = nullptr;
    std::size_t (*free_effort2)(key_options*, const void* value) = nullptr;
    void (*unlink2)(key_options*, const void* value) = nullptr;
    void* (*copy2)(key_options*, const void* value) = nullptr;
};

struct command_info; // command_info.hpp

// F(our name, the server's name, result, parameters...)
#define BLOOMERY_REQUIRED_FUNCTIONS(F)                                                             \
    F(try_alloc, TryAlloc, void*, std::size_t)                                                     \
    F(free, Free, void, void*)                                                                     \
    F(is_module_name_busy, IsModuleNameBusy, int, const char*)                                     \
    F(set_module_attribs, SetModuleAttribs, void, context*, const char*, int, int)                 \
    F(set_module_options, SetModuleOptions, void, context*, int)                                   \
    F(create_command, CreateCommand, int, context*, const char*, command_function, const char*,    \
      int, int, int)                                                                               \
    F(get_command, GetCommand, command*, context*, const char*)                                    \
    F(set_command_info, SetCommandInfo, int, command*, const command_info*)                        \
    F(wrong_arity, WrongArity, int, context*)                                                      \
    F(reply_number, ReplyWithLongLong, int, context*, long long)                                   \
    F(reply_bool, ReplyWithBool, int, context*, int)                                               \
    F(reply_status, ReplyWithSimpleString, int, context*, const char*)                             \
    F(reply_error, ReplyWithError, int, context*, const char*)                                     \
    F(reply_array, ReplyWithArray, int, context*, long)                                            \
    F(reply_map, ReplyWithMap, int, context*, long)                                                \
    F(reply_bytes, ReplyWithStringBuffer, int, context*, const char*, std::size_t)                 \
    F(reply_null, ReplyWithNull, int, context*)                                                    \
    F(context_flags, GetContextFlags, int, context*)                                               \
    F(open_key, OpenKey, key_handle*, context*, text*, int)                                        \
    F(close_key, CloseKey, void, key_handle*)                                                      \
    F(key_type, KeyType, int, key_handle*)                                                         \
    F(module_type, ModuleTypeGetType, data_type*, key_handle*)                                     \
    F(module_value, ModuleTypeGetValue, void*, key_handle*)                                        \
    F(set_module_value, ModuleTypeSetValue, int, key_handle*, data_type*, void*)                   \
    F(bytes_of, StringPtrLen, const char*, const text*, std::size_t*)                              \
    F(to_number, StringToLongLong, int, const text*, long long*)                                   \
    F(to_double, StringToDouble, int, const text*, double*)                                        \
    F(create_text, CreateString, text*, context*, const char*, std::size_t)                        \
    F(free_text, FreeString, void, context*, text*)                                                \
    F(replicate_verbatim, ReplicateVerbatim, int, context*)                                        \
    F(notify_keyspace_event, NotifyKeyspaceEvent, int, context*, int, const char*, text*)          \
    F(create_data_type, CreateDataType, data_type*, context*, const char*, int, type_methods*)     \
    F(save_number, SaveUnsigned, void, stream*, std::uint64_t)                                     \
    F(load_number, LoadUnsigned, std::uint64_t, stream*)                                           \
    F(save_double, SaveDouble, void, stream*, double)                                              \
    F(load_double, LoadDouble, double, stream*)                                                    \
    F(save_bytes, SaveStringBuffer, void, stream*, const char*, std::size_t)                       \
    F(load_bytes, LoadStringBuffer, char*, stream*, std::size_t*)                                  \
    F(is_io_error, IsIOError, int, stream*)                                                        \
    F(digest_add_bytes, DigestAddStringBuffer, void, digest_state*, const char*, std::size_t)      \
    F(digest_add_number, DigestAddLongLong, void, digest_state*, long long)                        \
    F(digest_end_sequence, DigestEndSequence, void, digest_state*)                                 \
    F(defrag_alloc, DefragAlloc, void*, defrag_context*, void*)                                    \
    F(defrag_should_stop, DefragShouldStop, int, defrag_context*)                                  \
    F(defrag_cursor_set, DefragCursorSet, int, defrag_context*, unsigned long)                     \
    F(defrag_cursor_get, DefragCursorGet, int, defrag_context*, unsigned long*)                    \
    F(register_text_config, RegisterStringConfig, int, context*, const char*, const char*,         \
      unsigned, get_text_config, set_text_config, apply_config, void*)                             \
    F(register_number_config, RegisterNumericConfig, int, context*, const char*, long long,        \
      unsigned, long long, long long, get_number_config, set_number_config, apply_config, void*)   \
    F(register_bool_config, RegisterBoolConfig, int, context*, const char*, int, unsigned,         \
      get_bool_config, set_bool_config, apply_config, void*)                                       \
    F(signal_modified_key, SignalModifiedKey, int, context*, text*)                                \
    F(used_memory_ratio, GetUsedMemoryRatio, float)                                                \
    F(get_server_info, GetServerInfo, server_info*, context*, const char*)                         \
    F(free_server_info, FreeServerInfo, void, context*, server_info*)                              \
    F(number_in_info, ServerInfoGetFieldUnsigned, unsigned long long, server_info*, const char*,   \
      int*)                                                                                        \
    F(text_in_info, ServerInfoGetFieldC, const char*, server_info*, const char*)                   \
    F(load_configs, LoadConfigs, int, context*)                                                    \
    F(register_info, RegisterInfoFunc, int, context*, info_function)                               \
    F(info_add_section, InfoAddSection, int, info_context*, const char*)                           \
    F(info_add_number, InfoAddFieldULongLong, int, info_context*, const char*, unsigned long long)

// Those that take any number of arguments.
#define BLOOMERY_REQUIRED_OPEN_FUNCTIONS(F)                                                        \
    F(replicate, Replicate, int, context*, const char*, const char*)                               \
    F(emit_aof, EmitAOF, void, stream*, const char*, const char*)                                  \
    F(log, Log, void, context*, const char*, const char*)                                          \
    F(log_io_error, LogIOError, void, stream*, const char*, const char*)

// Null on servers that do not have them: Redis 7.0 among others.
#define BLOOMERY_OPTIONAL_FUNCTIONS(F)                                                             \
    F(server_version, GetServerVersion, int)                                                       \
    F(context_of_stream, GetContextFromIO, context*, stream*)                                      \
    F(try_calloc, TryCalloc, void*, std::size_t, std::size_t)                                      \
    F(add_acl_category, AddACLCategory, int, context*, const char*)                                \
    F(set_command_acl_categories, SetCommandACLCategories, int, command*, const char*)

/// The functions of the server that loaded us.
struct server_functions {
#define BLOOMERY_FUNCTION(name, server_name, result, ...) result (*name)(__VA_ARGS__) = nullptr;
#define BLOOMERY_OPEN_FUNCTION(name, server_name, result, ...)                                     \
    result (*name)(__VA_ARGS__, ...) = nullptr;
    BLOOMERY_REQUIRED_FUNCTIONS(BLOOMERY_FUNCTION)
    BLOOMERY_REQUIRED_OPEN_FUNCTIONS(BLOOMERY_OPEN_FUNCTION)
    BLOOMERY_OPTIONAL_FUNCTIONS(BLOOMERY_FUNCTION)
#undef BLOOMERY_FUNCTION
#undef BLOOMERY_OPEN_FUNCTION
};

/// Filled by `find_functions`, before anything else of the module runs.
extern server_functions server;

/// Asks the server for all functions. Returns the name of a required one that it does not have, or
/// null.
const char* find_functions(context* from);

/// Whether the server has its functions under the names of Valkey, too.
bool server_is_valkey() noexcept;

} // namespace bloomery::redis_module
