// The commands BF.*, each a function of the call.
#pragma once

#include "call.hpp"

namespace bloomery::redis_module {

/// Makes the types and the commands BF.*. Returns `failed` if the server refuses one.
int register_bloom(context* in);

void bloom_reserve(const call& now);
void bloom_add(const call& now);
void bloom_madd(const call& now);
void bloom_insert(const call& now);
void bloom_exists(const call& now);
void bloom_mexists(const call& now);
void bloom_card(const call& now);
void bloom_info(const call& now);
void bloom_debug(const call& now);
void bloom_scandump(const call& now);
void bloom_loadchunk(const call& now);
void bloom_merge(const call& now);
void bloom_intersect(const call& now);
void bloom_clear(const call& now);

} // namespace bloomery::redis_module
