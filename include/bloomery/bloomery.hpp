// All of bloomery. Include this, or just the parts that you use.
//
// Apart, because of what they bring along: filter/pmr.hpp (<memory_resource>), format/redisson.hpp
// (<map>), redis/ and guard/.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_excepted.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/filter/make.hpp>
#include <bloomery/filter/measure.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/foreign_file.hpp>
#include <bloomery/format/mapped.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/format/parquet.hpp>
#include <bloomery/format/reader.hpp>
#include <bloomery/format/redisbloom.hpp>
#include <bloomery/hash/function_hash.hpp>
#include <bloomery/hash/highway.hpp>
#include <bloomery/hash/java.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/key/fixed_width.hpp>
#include <bloomery/key/java_text.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/key/kryo5.hpp>
#include <bloomery/key/utf16.hpp>
#include <bloomery/plan/advise.hpp>
#include <bloomery/plan/choose.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/compat_statistics.hpp>
#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/iterate.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis_cost.hpp>
#include <bloomery/plan/sizing.hpp>
#include <bloomery/plan/solve.hpp>
#include <bloomery/plan/split.hpp>
#include <bloomery/version.hpp>
