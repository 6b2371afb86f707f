#include <bloomery/storage/dynamic_counters.hpp>

namespace bloomery::storage {

template class dynamic_counters<>;

} // namespace bloomery::storage
