// The one thing that every header includes first: what compiles it must know C++20.
//
// A compiler goes on after #error, through thousands of lines that it does not understand; a header
// that is not there is where it stops.
#pragma once

#if __cplusplus < 202002L
#error bloomery needs C++20: compile with -std=c++20
#include <see the error above>
#endif
