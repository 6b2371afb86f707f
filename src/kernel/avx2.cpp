// The kernel for x86-64 with AVX2, BMI1, BMI2 and POPCNT (Haswell, Zen and later).
#if defined(__AVX2__)
#include "counter_line.hpp"
#include "dleft_ask.hpp"
#include "generic.hpp"
#include "one_key.hpp"

namespace bloomery::inline v0::kernel {

constinit const bulk_functions avx2_bulk = make_bulk();
constinit const one_key_table avx2_one_key = make_one_key();
constinit const counter_functions avx2_counters = make_counters();
constinit const dleft_askers avx2_dleft{{prepare_dleft, answer_dleft},
                                        {prepare_dleft, answer_dleft}};

void avx2_mix(const std::uint64_t* keys, std::size_t count, std::uint64_t seed,
              digest128* into) noexcept {
    mix_all(keys, count, seed, into);
}

} // namespace bloomery::inline v0::kernel
#endif
