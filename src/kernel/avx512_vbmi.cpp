// What x86-64 with AVX-512 does better if it also has VBMI, VBMI2 and GFNI (Ice Lake, Zen 4 and
// later).
#if defined(__AVX512VBMI2__)
#include "accurate_ask_avx512.hpp"
#include "accurate_line_avx512.hpp"
#include "dleft_ask.hpp"

namespace bloomery::inline v0::kernel {

constinit const accurate_functions avx512_vbmi_accurate{
    {line_verbs<3>, line_verbs<4>, line_verbs<5>, line_verbs<0>}, dense_verbs<true>};
constinit const accurate_askers avx512_vbmi_accurate_ask{
    {with_bytes<1>, with_bytes<2>, with_bytes<3>, with_bytes<4>, with_bytes<5>, with_bytes<6>}};
constinit const dleft_askers avx512_vbmi_dleft{{prepare_dleft, answer_at_once},
                                               {prepare_dleft, answer_dleft}};

} // namespace bloomery::inline v0::kernel
#endif
