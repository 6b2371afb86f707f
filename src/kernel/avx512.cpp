// The kernel for x86-64 with AVX-512 F, DQ, BW and VL (Skylake-X and later).
#if defined(__AVX512VL__)
#include "counter_line.hpp"
#include "generic.hpp"
#include "one_key.hpp"

namespace bloomery::inline v0::kernel {

constinit const bulk_functions avx512_bulk = make_bulk();
constinit const one_key_table avx512_one_key = make_one_key();
constinit const counter_functions avx512_counters = make_counters();

void avx512_mix(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
                digest128* into) noexcept {
    mix_all(keys, count, seed, into);
}

} // namespace bloomery::inline v0::kernel
#endif
