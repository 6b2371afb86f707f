// Which layout a filter gets when nobody says: the fastest that does not waste memory.
#pragma once

#include <bloomery/plan/shape.hpp>

namespace bloomery::plan {

/// The shape of a filter for n keys at a rate of at most p, with the layout that suits them.
///
/// One cache line a key is what makes a filter fast, and lanes make it faster still, so the leaner
/// of split 8x64 and 16x32 is taken; unless blocked is leaner by more than an eighth, which happens
/// at rates above 5 %, where few probes are enough; unless the classic layout takes less than two
/// thirds of the memory, which happens below about 1 in 8 million. A filter of up to 4 KiB is not
/// worth the thrift. Milliseconds. Throws `bad_argument` as `for_rate` does.
[[nodiscard]] shape choose(items n, rate p);

/// The same for one layer of a filter that grows. A key is looked for in every layer, and later
/// ones have low rates, so speed counts for more: the classic layout is taken only where it needs
/// less than half of the memory, which happens below about 1 in a billion. Throws as above.
[[nodiscard]] shape choose_layer(items n, rate p);

/// All of an amount of memory for n keys, in the layout that `choose` takes for the rate that the
/// memory can have. Throws `bad_argument` as `for_memory` does.
[[nodiscard]] shape choose(bytes memory, items n);

} // namespace bloomery::plan
