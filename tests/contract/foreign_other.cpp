// The contract for filters of other systems: stores, Hadoop and the rest.
#include "foreign.hpp"

namespace bloomery::testing {
namespace {

BLOOMERY_FOREIGN(go_filter)
BLOOMERY_FOREIGN(go_fnv_filter)
BLOOMERY_FOREIGN(cassandra_filter)
BLOOMERY_FOREIGN(hadoop_filter)
BLOOMERY_FOREIGN(hadoop_jenkins_filter)
BLOOMERY_FOREIGN(hbase_jenkins_filter)
BLOOMERY_FOREIGN(hbase_murmur2_filter)
BLOOMERY_FOREIGN(hbase_murmur3_filter)
BLOOMERY_FOREIGN(redisbloom_filter)
BLOOMERY_FOREIGN(redisbloom_32_filter)
BLOOMERY_FOREIGN(leveldb_filter)
BLOOMERY_FOREIGN(rocksdb_4_filter)
BLOOMERY_FOREIGN(rocksdb_5_filter)
BLOOMERY_FOREIGN(parquet_filter)
BLOOMERY_FOREIGN(datasketches_filter)
BLOOMERY_FOREIGN(dcso_filter)

template <class F>
struct nibbles : usual_subject {
    static constexpr abilities can{.erase = true, .count = true, .share = false};
    static constexpr bool merge_differs = true;
    using type = F;
    static F make() { return F(bits{20'000}, hashes{7}); }
    static F make_other() { return F(bits{40'000}, hashes{7}); }
};
struct hadoop_counting_filter_subject : nibbles<hadoop_counting_filter> {
    static constexpr const char* name = "hadoop_counting_filter";
};
struct hadoop_jenkins_counting_filter_subject : nibbles<hadoop_jenkins_counting_filter> {
    static constexpr const char* name = "hadoop_jenkins_counting_filter";
};

using other_subjects =
    ::testing::Types<go_filter_subject, go_fnv_filter_subject, cassandra_filter_subject,
                     hadoop_filter_subject, hadoop_jenkins_filter_subject,
                     hadoop_counting_filter_subject, hadoop_jenkins_counting_filter_subject,
                     hbase_jenkins_filter_subject, hbase_murmur2_filter_subject,
                     hbase_murmur3_filter_subject, redisbloom_filter_subject,
                     redisbloom_32_filter_subject, leveldb_filter_subject, rocksdb_4_filter_subject,
                     rocksdb_5_filter_subject, parquet_filter_subject, datasketches_filter_subject,
                     dcso_filter_subject>;
INSTANTIATE_TYPED_TEST_SUITE_P(Other, FilterContract, other_subjects, subject_names);
const std::size_t other_count =
    cover<go_filter_subject, go_fnv_filter_subject, cassandra_filter_subject, hadoop_filter_subject,
          hadoop_jenkins_filter_subject, hadoop_counting_filter_subject,
          hadoop_jenkins_counting_filter_subject, hbase_jenkins_filter_subject,
          hbase_murmur2_filter_subject, hbase_murmur3_filter_subject, redisbloom_filter_subject,
          redisbloom_32_filter_subject, leveldb_filter_subject, rocksdb_4_filter_subject,
          rocksdb_5_filter_subject, parquet_filter_subject, datasketches_filter_subject,
          dcso_filter_subject>();

} // namespace
} // namespace bloomery::testing
