// Every header includes this first: it checks that the compiler supports C++20.
//
// After #error, a compiler continues through thousands of lines that it does not understand; at a
// missing header it stops.
#pragma once

#if __cplusplus < 202002L
#error bloomery needs C++20: compile with -std=c++20
#include <see the error above>
#endif
