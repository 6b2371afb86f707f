// The simplest kernel, for every processor. A module of WebAssembly uses vectors as a whole or not
// at all, so it has this one only, with what it was compiled for.
#if !defined(__wasm_simd128__)
#define BLOOMERY_LANES_SCALAR
#endif
#include "generic.hpp"
#include "one_key.hpp"

namespace bloomery::inline v0::kernel {

constinit const bulk_functions scalar_bulk = make_bulk();
constinit const one_key_table scalar_one_key = make_one_key();

void scalar_mix(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                digest128* into) noexcept {
    mix_all(keys, count, seed, into);
}

} // namespace bloomery::inline v0::kernel
