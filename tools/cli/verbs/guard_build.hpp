// The work of `bloomery guard build`; it refuses where the command was built without databases.
#pragma once

#include "filter_io.hpp"
#include "options/shape_options.hpp"

#include <string>

namespace bloomery::cli {

/// A filter of a column, and where it goes.
struct guard_build_options : new_file {
    std::string source; ///< the file of an SQLite database, or a URL of a PostgreSQL one
    std::string table;
    std::string column;
    shape_options shape{}; ///< the number of keys is the source's
    double headroom = 0.25;
    access_options access{}; ///< the secret
    bool json = false;
};

/// Reads the keys and writes the file; returns the exit status. Throws what the stores throw,
/// io_error, bad_argument, and unsupported where the command was built without them.
int build_filter_of_column(const guard_build_options& o);

} // namespace bloomery::cli
