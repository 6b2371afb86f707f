// Stands in for redis_access.cpp where the command is built without Redis.
#include <bloomery/error.hpp>

#include "redis_access.hpp"

namespace bloomery::cli {

std::unique_ptr<redis_access> connect_to_redis(const redis_options& to) {
    to.require();
    throw unsupported("this bloomery was built without Redis; build it where hiredis is installed");
}

} // namespace bloomery::cli
