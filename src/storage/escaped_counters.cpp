#include <bloomery/storage/escaped_counters.hpp>

namespace bloomery::storage {

template class escaped_counters<>;

} // namespace bloomery::storage
