// The kinds of values that the module adds to a server, each with its commands.
#pragma once

#include "api.hpp"

namespace bloomery::redis_module {

/// Makes the types and the commands BF.*. Returns `failed` if the server refuses one.
int register_bloom(context* in);
/// The same of CF.*.
int register_cuckoo(context* in);

} // namespace bloomery::redis_module
