// Filters of other libraries, measured with the same keys in the same way.
#pragma once

#include "bench/harness.hpp"

namespace bloomery::cli {

/// Adds a case for each operation of each peer that this build was made with; a peer that cannot
/// hold that many keys is left out. Throws std::bad_alloc, and as `checked_rate` does.
void add_peers(bench_cases& to, const shared_keys& keys);

} // namespace bloomery::cli
