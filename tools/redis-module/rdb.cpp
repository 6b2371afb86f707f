#include "rdb.hpp"

#include "call.hpp"

#include <exception>

namespace bloomery::redis_module {

bool is_from_client(stream* from) noexcept {
    if (server.context_of_stream == nullptr) return false;
    const int flags = server.context_flags(server.context_of_stream(from));
    return (flags & (context_is_loading | context_is_of_replica)) == 0;
}

void* load_or_null(stream* from, void* (*read)(stream*, int), int version) noexcept {
    try {
        return read(from, version);
    } catch (const io_failed&) {
        server.log_io_error(from, "warning", "%s", "The saved value of a filter is truncated");
    } catch (const refusal& why) {
        server.log_io_error(from, "warning", "%s", why.text.c_str());
    } catch (const std::exception& why) {
        server.log_io_error(from, "warning", "%s", why.what());
    }
    return nullptr;
}

} // namespace bloomery::redis_module
