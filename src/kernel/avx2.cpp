// The kernel for x86-64 with AVX2 (Haswell, Zen and later).
#if defined(__AVX2__)
#include "generic.hpp"

namespace bloomery::kernel {

constinit const table avx2_table = make_table();

} // namespace bloomery::kernel
#endif
