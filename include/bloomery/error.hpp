// The typed errors of the library.
//
// Every function that refuses its input throws one of these and leaves the objects it was called on
// unchanged. The text of each says what is wrong and what to do about it.
#pragma once

#include <bloomery/detail/export.hpp>

#include <stdexcept>
#include <string>
#include <system_error>

namespace bloomery::inline v0 {

/// The base class of all errors that bloomery throws.
class BLOOMERY_EXPORT error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An invalid argument: a rate outside (0, 1), no items, zero or too many hashes, a size that
/// overflows 64 bits.
class BLOOMERY_EXPORT bad_argument : public error {
public:
    using error::error;
};

/// Two filters that cannot be combined; `what()` names the first difference.
class BLOOMERY_EXPORT incompatible : public error {
public:
    using error::error;
};

/// The requested memory exceeds a limit or was refused by the system.
class BLOOMERY_EXPORT memory_refused : public error {
public:
    using error::error;
};

/// A file needs more memory than the bits it contains, and more than the limits allow for that.
class BLOOMERY_EXPORT claim_refused : public memory_refused {
public:
    using memory_refused::memory_refused;
};

/// Bytes that are not a filter: damaged, truncated, with trailing data, or never one.
class BLOOMERY_EXPORT bad_data : public error {
public:
    using error::error;
};

/// A file whose last writer died before sealing it, if the caller refuses such files.
class BLOOMERY_EXPORT unsealed : public bad_data {
public:
    using bad_data::bad_data;
};

/// A well-formed filter with a version, kind or hash that this build does not support.
class BLOOMERY_EXPORT unsupported : public error {
public:
    using error::error;
};

/// A key without a position in a filter of another system: the original throws for it too.
class BLOOMERY_EXPORT no_place : public error {
public:
    using error::error;
};

/// The filter is full: it holds as many keys as it was made for, and does not grow.
class BLOOMERY_EXPORT filter_full : public error {
public:
    using error::error;
};

/// A filter that came from a file would grow beyond the limits.
class BLOOMERY_EXPORT growth_refused : public filter_full {
public:
    using filter_full::filter_full;
};

/// The operating system reported a read or write error; `code()` holds the reason.
class BLOOMERY_EXPORT io_error : public error {
public:
    /// `sentence: the reason`, and, if given, `; advice`.
    io_error(const std::string& sentence, std::error_code code, const std::string& advice = {})
        : error(sentence + ": " + code.message() + (advice.empty() ? "" : "; " + advice)),
          code_(code) {}

    /// The system's error code. O(1), never throws.
    [[nodiscard]] std::error_code code() const noexcept { return code_; }

private:
    std::error_code code_;
};

} // namespace bloomery::inline v0
