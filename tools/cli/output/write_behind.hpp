// Writes the last buffer while the next one is filled.
#pragma once

#include "bounded_queue.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

namespace bloomery::cli {

/// A thread that writes buffers in the order in which they come. `write` returns 0 or an errno
/// value; after the first error nothing more is written, and every later call returns that error.
class write_behind {
public:
    using buffer = std::unique_ptr<char[]>;
    using writer = std::function<int(std::string_view)>;

    write_behind(writer write, std::size_t buffer_bytes);
    write_behind(const write_behind&) = delete;
    write_behind& operator=(const write_behind&) = delete;

    /// Writes what is still on the way, and ends the thread.
    ~write_behind();

    /// Hands a filled buffer over and puts an empty one in its place. Returns an error seen so far.
    int exchange(buffer& filled, std::size_t used);

    /// Waits until all is written. Returns an error seen so far.
    int wait();

private:
    struct filled_buffer {
        buffer bytes;
        std::size_t used;
    };
    struct empty_buffer {
        buffer bytes;
        int error;
    };

    void run();
    int take(buffer& into);

    writer write_;
    int error_ = 0; ///< the caller's copy
    bounded_queue<filled_buffer> filled_{2};
    bounded_queue<empty_buffer> empty_{3};
    std::thread thread_;
};

} // namespace bloomery::cli
