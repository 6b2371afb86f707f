// Cuckoo filters as values of the server.
#pragma once

#include "api.hpp"
#include "call.hpp"
#include "cuckoo_filter.hpp"

namespace bloomery::redis_module {

/// Set by `register_cuckoo_type`.
extern data_type* cuckoo_type;

/// Makes the type MBbloomCF, which reads and writes RedisBloom's files. Returns `failed` if the
/// server refuses it.
int register_cuckoo_type(context* in);

/// The filter that a key holds, or null.
inline cuckoo_filter* cuckoo_in(const open_key& key) noexcept {
    return static_cast<cuckoo_filter*>(key.value(cuckoo_type));
}
/// The same; throws refusal if there is none.
inline cuckoo_filter& require_cuckoo(const open_key& key) {
    cuckoo_filter* const found = cuckoo_in(key);
    if (found == nullptr) refuse_key(key);
    return *found;
}

} // namespace bloomery::redis_module
