// Filters of other systems: Hadoop, HBase and Cassandra.
#include "foreign_groups.hpp"

namespace bloomery::inline v0::detail {

using hadoop_group =
    foreign_group<cassandra_filter, hadoop_filter, hadoop_jenkins_filter, hbase_jenkins_filter,
                  hbase_murmur2_filter, hbase_murmur3_filter>;

const foreign_group_functions foreign_hadoop{hadoop_group::has, hadoop_group::make};

} // namespace bloomery::inline v0::detail
