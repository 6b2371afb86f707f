#include "output/write_behind.hpp"

namespace bloomery::cli {

// Two buffers besides the caller's: one on its way to the disk, one to go on with.
write_behind::write_behind(writer write, std::size_t buffer_bytes) : write_(std::move(write)) {
    for (int i = 0; i < 2; ++i) {
        empty_.push({std::make_unique_for_overwrite<char[]>(buffer_bytes), 0});
    }
    thread_ = std::thread([this] { run(); });
}

write_behind::~write_behind() {
    filled_.close(); // what is in it is still written
    thread_.join();
}

int write_behind::exchange(buffer& filled, std::size_t used) {
    filled_.push({std::move(filled), used});
    return take(filled);
}

// All buffers are back when nothing is on the way.
int write_behind::wait() {
    buffer first;
    buffer second;
    take(first);
    take(second);
    empty_.push({std::move(first), 0});
    empty_.push({std::move(second), 0});
    return error_;
}

int write_behind::take(buffer& into) {
    if (auto returned = empty_.pop()) {
        into = std::move(returned->bytes);
        if (error_ == 0) error_ = returned->error;
    }
    return error_;
}

void write_behind::run() {
    int error = 0;
    while (auto next = filled_.pop()) {
        if (error == 0) error = write_({next->bytes.get(), next->used});
        empty_.push({std::move(next->bytes), error});
    }
}

} // namespace bloomery::cli
