// The avx2 kernel's updates of accurate filters. They are scalar code that needs BMI2: where the
// compiler makes vectors of their short loops, erasing takes 5 % longer (Zen 3, g++ 12), so this
// file is compiled without that.
#if defined(__BMI2__)
#include "accurate_verbs.hpp"

namespace bloomery::inline v0::kernel {

constinit const accurate_functions avx2_accurate = make_accurate<true>();
constinit const accurate_functions avx2_accurate_without_pdep = make_accurate<false>();

} // namespace bloomery::inline v0::kernel
#endif
