#include "unplaceable.hpp"

#include "command.hpp"
#include "units.hpp"
#include "warn.hpp"

#include <fmt/format.h>

namespace bloomery::cli {

void add_skip_option(CLI::App& verb, bool& skip) {
    verb.add_flag("--skip-unplaceable", skip,
                  "Exit as if keys were not there that have no place in a filter of another system "
                  "(hutool, hash-code-6, Hadoop), instead of with 2")
        ->group("Keys");
}

int judge_places(const unplaceable_keys& found, const std::string& path, bool skip, int result) {
    if (found.count() == 0 || skip) return result;
    warn(fmt::format("{}: {} no place in the filter and {} left out, such as {}", path,
                     found.count() == 1 ? "1 key has" : format_count(found.count()) + " keys have",
                     found.count() == 1 ? "was" : "were", found.example()));
    return trouble;
}

} // namespace bloomery::cli
