// Stands in for guard_build.cpp and demo/ where the command is built without databases.
#include <bloomery/error.hpp>

#include "demo/demo.hpp"
#include "verbs/guard_build.hpp"

namespace bloomery::cli {

namespace {

[[noreturn]] void refuse_guard() {
    throw unsupported("this bloomery was built without databases; build it where hiredis, SQLite "
                      "and libpq are installed");
}

} // namespace

int build_filter_of_column(const guard_build_options& /*o*/) { refuse_guard(); }

void play_guard_demo(const guard_demo_options& /*o*/) { refuse_guard(); }

} // namespace bloomery::cli
