// A cascade out of two inputs of keys: those that are in, and those that are out.
#pragma once

#include <bloomery/filter/cascade.hpp>
#include <bloomery/hash/native.hpp>

#include "input/input.hpp"
#include "input/keys.hpp"

#include <optional>
#include <span>

namespace bloomery::cli {

/// What a cascade is built from.
struct cascade_inputs {
    std::span<const input> in;
    std::span<const input> out;
    key_options keys{};
    std::optional<items> others{}; ///< how many keys of `out` will come, if somebody knows
};

/// Reads both to their ends. The keys of a file are counted first; of a pipe of which nobody knows,
/// ten for each stored key are expected, which costs memory at most. Throws bad_argument that names
/// a key that is in both, and what reading and building throw.
[[nodiscard]] cascade build_cascade_of(const cascade_inputs& from, const native_hash& hash);

} // namespace bloomery::cli
