// Where the tests find files. In a source of its own, so that ccache shares the other objects
// between clones.
#pragma once

#include <string>

namespace bloomery::testing {

/// A file or folder in tests/data, such as "/native/v1.bloom".
std::string test_data(const std::string& path);
/// The module for Redis, in the build folder.
std::string module_file();

} // namespace bloomery::testing
