// All of bloomery. Include this, or just the parts you use.
//
// Not included, because they include large headers or need other libraries: filter/pmr.hpp
// (<memory_resource>), redis/ and guard/.
#pragma once

#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/detail/hash/java.hpp>
#include <bloomery/detail/plan/iterate.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/concepts.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/foreign.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/format/redis.hpp>
#include <bloomery/hash/function_hash.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/key/encodings.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/plan/advise.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis.hpp>
#include <bloomery/plan/sizing.hpp>
#include <bloomery/version.hpp>
