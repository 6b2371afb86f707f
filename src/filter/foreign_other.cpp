// Filters of other systems: Go, DCSO, DataSketches and the literature.
#include "foreign_groups.hpp"

namespace bloomery::inline v0::detail {

using other_group = foreign_group<go_filter, go_fnv_filter, dcso_filter, datasketches_filter,
                                  additive_8_filter, hash_code_6_filter, hash_code_6_mended_filter>;

const foreign_group_functions foreign_other{other_group::has, other_group::make};

} // namespace bloomery::inline v0::detail
