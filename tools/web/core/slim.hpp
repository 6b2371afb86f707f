// What slim.cpp and slim_keys.cpp share: a filter is a plain Bloom filter.
#pragma once

#include <bloomery/filter/filter.hpp>

#include "web.hpp"

struct bloomery_filter {
    bloomery::filter value;
};
