// Filters of other systems: Guava, Spark, Redisson and Hutool.
#include "foreign_groups.hpp"

namespace bloomery::inline v0::detail {

using java_group = foreign_group<guava_filter, guava_32_filter, spark_1_filter, spark_2_filter,
                                 redisson_filter, redisson_split_filter, hutool_32_filter,
                                 hutool_64_filter, hutool_set_filter, hutool_map_filter>;

const foreign_group_functions foreign_java{java_group::has, java_group::make};

} // namespace bloomery::inline v0::detail
