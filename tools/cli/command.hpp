// What a verb of the command is: it adds its options to the parser, and its action sets the status.
#pragma once

#include <CLI/CLI.hpp>

namespace bloomery::cli {

/// The exit status, as a script reads it.
enum status : int {
    some = 0,       ///< success; for a search: something was found
    none = 1,       ///< a search that found nothing
    trouble = 2,    ///< bad input, a file that cannot be read, a full disk
    overfilled = 3, ///< done, but past the filter's capacity, and --strict was given
};

// Each adds one verb. Its options live as long as the parser; its action runs when the verb was
// chosen and leaves the exit status in `result`.
void add_plan(CLI::App& app, int& result);
void add_advise(CLI::App& app, int& result);
void add_create(CLI::App& app, int& result);
void add_add(CLI::App& app, int& result);
void add_remove(CLI::App& app, int& result);
void add_count(CLI::App& app, int& result);
void add_test(CLI::App& app, int& result);
void add_grep(CLI::App& app, int& result);
void add_uniq(CLI::App& app, int& result);
void add_except(CLI::App& app, int& result);
void add_cascade(CLI::App& app, int& result);
void add_merge(CLI::App& app, int& result);
void add_intersect(CLI::App& app, int& result);
void add_fold(CLI::App& app, int& result);
void add_info(CLI::App& app, int& result);
void add_verify(CLI::App& app, int& result);
void add_convert(CLI::App& app, int& result);
void add_redis(CLI::App& app, int& result);
void add_guard(CLI::App& app, int& result);
void add_formats(CLI::App& app, int& result);
void add_bench(CLI::App& app, int& result);
void add_doctor(CLI::App& app, int& result);
void add_describe(CLI::App& app, int& result); ///< hidden

} // namespace bloomery::cli
