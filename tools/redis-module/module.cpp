// Where the server enters: the one symbol that bloomery.so has.
#include <bloomery/version.hpp>

#include "api.hpp"
#include "bloom_commands.hpp"
#include "cuckoo_commands.hpp"
#include "settings.hpp"
#include "totals.hpp"

#include <cstdio>
#include <span>

namespace {

using namespace bloomery::redis_module;

/// RedisBloom's, because its files and clients look for it.
constexpr const char* module_name = "bf";
constexpr int interface_version = 1;

int load(context* in, std::span<text*> arguments) {
    if (const char* const missing = find_functions(in)) {
        // Without the server's log there is only this.
        std::fprintf(stderr,
                     "bloomery: this server has no RedisModule_%s; Redis 7.0 or Valkey 8 "
                     "is needed\n",
                     missing);
        return failed;
    }
    // First, because lines of the log carry the name.
    server.set_module_attribs(in, module_name, BLOOMERY_VERSION, interface_version);
    if (server.is_module_name_busy(module_name) != 0) {
        server.log(in, "warning", "A module named bf is already loaded: unload RedisBloom first");
        return failed;
    }
    server.set_module_options(in, handle_io_errors | no_implicit_signal | handle_async_load);
    if (register_settings(in, arguments) != ok) return failed;
    if (register_bloom(in) != ok || register_cuckoo(in) != ok ||
        server.register_info(in, tell_info) != ok) {
        server.log(in, "warning", "The server rejected a command or a type of bloomery");
        return failed;
    }
    server.log(in, "notice", "bloomery %s", bloomery::version);
    return ok;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int
RedisModule_OnLoad(context* in, text** arguments, int count) {
    return load(in, {arguments, static_cast<std::size_t>(count)});
}
