// Whether a filter that a client wants fits into maxmemory.
#pragma once

#include "call.hpp"

#include <cstdint>

namespace bloomery::redis_module {

/// Throws refusal if a filter of so many bytes, which was made already and has no key yet, would
/// make the server evict many other keys or, if it evicts none, refuse all writes from then on.
void require_room(const call& of, std::uint64_t bytes);

} // namespace bloomery::redis_module
