// The kernel for 64-bit ARM.
#if defined(__aarch64__)
#include "generic.hpp"

namespace bloomery::kernel {

constinit const table neon_table = make_table();

} // namespace bloomery::kernel
#endif
