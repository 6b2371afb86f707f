// flags: -std=gnu++17
// errors: 2
// says: bloomery needs C\+\+20: compile with -std=c\+\+20
// lines: 18
#include <bloomery/key/key.hpp>
