// Lines that wait on the disk until all is known about them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// Numbered lines in a temporary file without a name, in TMPDIR or /tmp, which is gone when the
/// process ends, however it ends.
class spool {
public:
    /// Throws io_error.
    spool();

    /// Throws io_error, of a full disk for instance.
    void write(std::uint64_t number, std::string_view line);

    /// Calls `visit` for all lines in their order. Nothing may be written afterwards. Throws
    /// io_error, and what `visit` throws.
    void for_each(const std::function<void(std::uint64_t, std::string_view)>& visit);

private:
    [[noreturn]] void fail(const char* what) const;

    struct closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    std::string folder_;
    std::unique_ptr<std::FILE, closer> file_;
};

} // namespace bloomery::cli
