// The kernel for x86-64 with AVX-512 F, DQ, BW and VL (Skylake-X, Zen 4 and later).
#if defined(__AVX512VL__)
#include "generic.hpp"

namespace bloomery::kernel {

constinit const table avx512_table = make_table();

} // namespace bloomery::kernel
#endif
