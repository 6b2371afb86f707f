// The typed errors of the library.
//
// Every function that refuses its input throws one of these and leaves the objects it was called on
// unchanged. The text of each is one sentence that says what is wrong and what to do about it.
#pragma once

#include <bloomery/cxx20.hpp>

#include <stdexcept>
#include <string>
#include <system_error>

namespace bloomery {

/// The base of everything that bloomery throws on purpose.
class error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An argument that no filter can be made of: a rate outside (0, 1), no items, zero or too many
/// hashes, a size that overflows 64 bits.
class bad_argument : public error {
public:
    using error::error;
};

/// Two filters that cannot be combined; `what()` names the first fact in which they differ.
class incompatible : public error {
public:
    using error::error;
};

/// The memory asked for exceeds a limit or was refused by the system.
class memory_refused : public error {
public:
    using error::error;
};

/// Bytes that are no filter: damaged, truncated, trailing, or never one.
class bad_data : public error {
public:
    using error::error;
};

/// A file that its last writer did not live to seal, where the caller wants none of those.
class unsealed : public bad_data {
public:
    using bad_data::bad_data;
};

/// A filter that is well formed, but of a version, kind or hash that this build does not know.
class unsupported : public error {
public:
    using error::error;
};

/// A key that has no place in a filter of another system: the original throws there too.
class no_place : public error {
public:
    using error::error;
};

/// A filter that was made for so many keys has them, and was made not to grow.
class filter_full : public error {
public:
    using error::error;
};

/// The operating system refused to read or write; `code()` holds its reason.
class io_error : public error {
public:
    io_error(const std::string& sentence, std::error_code code)
        : error(sentence + ": " + code.message()), code_(code) {}

    /// The system's own error code. O(1), never throws.
    [[nodiscard]] std::error_code code() const noexcept { return code_; }

private:
    std::error_code code_;
};

} // namespace bloomery
