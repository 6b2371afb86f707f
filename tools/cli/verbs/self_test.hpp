// Do the kernels of this build agree on this processor?
#pragma once

#include <bloomery/kernel/kernel.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>

namespace bloomery::cli {

/// Two kernels that do not do the same; the sentence names them and the layout.
class disagreement : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the test did, for the report.
struct self_test_result {
    std::size_t layout_count;
    std::size_t key_count;
};

/// For every layout, inserts some thousand integer keys with each kernel, compares the bits, and
/// asks for the keys with each other kernel and one at a time. Takes milliseconds; the kernel in
/// use is the same afterwards. Throws `disagreement` on a key that is missed or a bit that differs.
self_test_result test_kernels(std::span<const kernel::id> usable);

} // namespace bloomery::cli
