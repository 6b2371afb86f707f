// The plainest kernel, for every processor.
#define BLOOMERY_LANES_SCALAR
#include "generic.hpp"

namespace bloomery::kernel {

constinit const table scalar_table = make_table();

} // namespace bloomery::kernel
