// All of bloomery. Include this, or just the parts that you use.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/make.hpp>
#include <bloomery/filter/measure.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/hash/function_hash.hpp>
#include <bloomery/hash/highway.hpp>
#include <bloomery/hash/java.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/plan/advise.hpp>
#include <bloomery/plan/choose.hpp>
#include <bloomery/plan/compat.hpp>
#include <bloomery/plan/estimate.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/iterate.hpp>
#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/rates.hpp>
#include <bloomery/plan/redis_cost.hpp>
#include <bloomery/plan/sizing.hpp>
#include <bloomery/plan/solve.hpp>
#include <bloomery/version.hpp>
