// bloomery bench: what this build does on this machine.
#include "bench/run.hpp"
#include "command.hpp"

#include <memory>

namespace bloomery::cli {

void add_bench(CLI::App& app, int& result) {
    auto o = std::make_shared<bench_options>();
    CLI::App* verb = app.add_subcommand("bench", "Measure how fast this build is on this machine");
    add_bench_options(*verb, *o);
    verb->footer(
        "The cases are interleaved; bare hashing and bare memory access are measured too, as the "
        "floor.\n"
        "With --json: version, processor, threads, compiler, kernel, rate, rounds, "
        "keys_per_round,\n"
        "and results, each with operation, subject, items, bytes, rate (measured), min_ns and\n"
        "median_ns (per key), and times_floor; null where it does not apply.\n"
        "Example: bloomery bench --quick");
    verb->callback([o, &result] {
        run_bench(*o);
        result = some;
    });
}

} // namespace bloomery::cli
