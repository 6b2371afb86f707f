// What the verb guard does, apart from its options: shut where the command was built without the
// databases.
#pragma once

#include "filter_io.hpp"
#include "shape_options.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace bloomery::cli {

/// A filter of a column, and where it goes.
struct guard_build_options {
    std::string source; ///< the file of an SQLite database, or a URL of a PostgreSQL one
    std::string table;
    std::string column;
    std::string path;
    shape_options shape{}; ///< the number of keys is the source's
    double headroom = 0.25;
    access_options access{}; ///< the secret
    bool keep_secret = false;
    std::string comment{};
    bool force = false;
    bool json = false;
};

/// Reads the keys and writes the file; returns the exit status. Throws what the stores throw,
/// io_error, bad_argument, and unsupported where the command was built without them.
int build_filter_of_column(const guard_build_options& o);

/// What the demo plays, and on what.
struct guard_demo_options {
    std::optional<std::string> postgres{}; ///< empty: one that the demo starts
    std::optional<std::string> redis{};    ///< the same
    std::uint64_t rows = 1'000'000;
    std::uint64_t requests = 200'000; ///< of each phase, at most
    double seconds = 3;               ///< of each phase, at most
    unsigned threads = 4;
    rate planned{0.01};
    std::uint64_t seed = 1;
    bool json = false;
    std::string keep{}; ///< a folder that the SQLite database stays in
};

/// Plays it and prints what was measured; returns the exit status. Throws what the stores throw,
/// and unsupported as above. A signal ends it after the servers that it started and the files that
/// it made are gone.
int play_guard_demo(const guard_demo_options& o);

} // namespace bloomery::cli
