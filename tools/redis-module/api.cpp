#include "api.hpp"

namespace bloomery::redis_module {

server_functions server;

namespace {

bool is_valkey = false;

/// What every context of every server begins with.
using find_function = int (*)(const char* name, void* into);

} // namespace

const char* find_functions(context* from) {
    const find_function find = *reinterpret_cast<find_function*>(from);
    const char* missing = nullptr;
    void* found = nullptr;
    is_valkey = find("ValkeyModule_CreateCommand", static_cast<void*>(&found)) == ok;
#define BLOOMERY_FIND(name, server_name, result, ...)                                              \
    if (find("RedisModule_" #server_name, static_cast<void*>(&server.name)) != ok) {               \
        server.name = nullptr;                                                                     \
    }
#define BLOOMERY_REQUIRE(name, server_name, result, ...)                                           \
    BLOOMERY_FIND(name, server_name, result, __VA_ARGS__)                                          \
    if (server.name == nullptr && missing == nullptr) {                                            \
        missing = #server_name;                                                                    \
    }
    BLOOMERY_REQUIRED_OPEN_FUNCTIONS(BLOOMERY_REQUIRE)
    BLOOMERY_REQUIRED_FUNCTIONS(BLOOMERY_REQUIRE)
    BLOOMERY_OPTIONAL_FUNCTIONS(BLOOMERY_FIND)
#undef BLOOMERY_REQUIRE
#undef BLOOMERY_FIND
    return missing;
}

bool server_is_valkey() noexcept { return is_valkey; }

} // namespace bloomery::redis_module
