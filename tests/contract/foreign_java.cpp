// The contract for filters of other systems: those of the Java world.
#include "foreign.hpp"

namespace bloomery::testing {
namespace {

BLOOMERY_FOREIGN(guava_filter)
BLOOMERY_FOREIGN(guava_32_filter)
BLOOMERY_FOREIGN(redisson_filter)
BLOOMERY_FOREIGN(spark_1_filter)
BLOOMERY_FOREIGN(spark_2_filter)
BLOOMERY_FOREIGN(hutool_32_filter)
BLOOMERY_FOREIGN(hutool_64_filter)
BLOOMERY_FOREIGN(hutool_set_filter)
BLOOMERY_FOREIGN(hutool_map_filter)
BLOOMERY_FOREIGN(additive_8_filter)
BLOOMERY_FOREIGN(hash_code_6_filter)
BLOOMERY_FOREIGN(hash_code_6_mended_filter)
struct redisson_split_filter_subject : usual_subject {
    static constexpr const char* name = "redisson_split_filter";
    using type = redisson_split_filter;
    static type make() {
        return type(layout::redisson_split(plan::split_shape{4, 8000, 7}), {}, design{});
    }
};

using java_subjects =
    ::testing::Types<guava_filter_subject, guava_32_filter_subject, redisson_filter_subject,
                     redisson_split_filter_subject, spark_1_filter_subject, spark_2_filter_subject,
                     hutool_32_filter_subject, hutool_64_filter_subject, hutool_set_filter_subject,
                     hutool_map_filter_subject, additive_8_filter_subject,
                     hash_code_6_filter_subject, hash_code_6_mended_filter_subject>;
INSTANTIATE_TYPED_TEST_SUITE_P(Java, FilterContract, java_subjects, subject_names);
const std::size_t java_count =
    cover<guava_filter_subject, guava_32_filter_subject, redisson_filter_subject,
          redisson_split_filter_subject, spark_1_filter_subject, spark_2_filter_subject,
          hutool_32_filter_subject, hutool_64_filter_subject, hutool_set_filter_subject,
          hutool_map_filter_subject, additive_8_filter_subject, hash_code_6_filter_subject,
          hash_code_6_mended_filter_subject>();

} // namespace
} // namespace bloomery::testing
