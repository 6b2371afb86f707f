// The exports of a shared library: marks everything that a header declares and the library
// compiles.
#pragma once

#include <bloomery/detail/cxx20.hpp>

/// Marks functions and classes that are compiled in the library. Everything else is hidden.
#if defined(__GNUC__)
#define BLOOMERY_EXPORT __attribute__((visibility("default")))
#else
#define BLOOMERY_EXPORT
#endif
