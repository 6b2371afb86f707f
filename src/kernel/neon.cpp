// The kernel for 64-bit ARM.
#if defined(__aarch64__)
#include "generic.hpp"
#include "one_key.hpp"

namespace bloomery::inline v0::kernel {

constinit const bulk_functions neon_bulk = make_bulk();
constinit const one_key_table neon_one_key = make_one_key();

void neon_mix(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
              digest128* into) noexcept {
    mix_all(keys, count, seed, into);
}

} // namespace bloomery::inline v0::kernel
#endif
