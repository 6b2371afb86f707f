// The cases of the other kinds of filter: those that delete, count, grow and forget.
#pragma once

#include "bench_harness.hpp"

namespace bloomery::cli {

inline constexpr const char* bulk_erase = "bulk erase";
inline constexpr const char* single_erase = "erase, one by one";

/// Adds lookups, inserts of new keys and, where a kind has them, erases of the same keys, so that
/// every round leaves the filter as it was. Filters are made for the keys that they hold and those
/// of two segments more. Throws as `checked_rate` does, and memory_refused.
void add_kinds(bench_cases& to, const shared_keys& keys);

} // namespace bloomery::cli
