// Filters of other systems: LevelDB, RocksDB, RedisBloom and Parquet.
#include "foreign_groups.hpp"

namespace bloomery::inline v0::detail {

using stores_group = foreign_group<redisbloom_filter, redisbloom_32_filter, leveldb_filter,
                                   rocksdb_4_filter, rocksdb_5_filter, parquet_filter>;

const foreign_group_functions foreign_stores{stores_group::has, stores_group::make};

} // namespace bloomery::inline v0::detail
