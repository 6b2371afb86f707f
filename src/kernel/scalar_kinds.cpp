// The simplest code for lines of counters and for unary counters, for every processor.
#include "accurate_verbs.hpp"
#include "counter_line.hpp"
#include "table.hpp"

namespace bloomery::inline v0::kernel {

#if defined(BLOOMERY_PLAIN_FILTERS) // a module that has no other kinds
constinit const counter_functions scalar_counters{};
constinit const accurate_functions scalar_accurate{};
#else
constinit const counter_functions scalar_counters = make_counters();
constinit const accurate_functions scalar_accurate = make_accurate<false>();
#endif

} // namespace bloomery::inline v0::kernel
