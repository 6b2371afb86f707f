// All kinds of filters.
#pragma once

#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
