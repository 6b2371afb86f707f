// Keys that have no place in a filter of another system, whose original throws for them: how many
// there were.
#pragma once

#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bloomery::cli {

/// Collects them, batch by batch, while all other keys are answered.
class unplaceable_keys {
public:
    /// Forgets which keys of the last batch they were.
    void begin_batch(std::size_t key_count) {
        if (found_in_batch_ || batch_.bit_count() != key_count) batch_.reset(key_count);
        found_in_batch_ = false;
    }
    /// Notes key `at` of the batch, which is that record of its input and spelled like that.
    void add(std::size_t at, std::uint64_t record, std::string_view text, const char* reason);

    /// Whether key `at` of the batch is one.
    [[nodiscard]] bool operator[](std::size_t at) const noexcept { return batch_[at]; }
    /// How many the batch has, and all batches together.
    [[nodiscard]] std::size_t in_batch() const noexcept {
        return found_in_batch_ ? batch_.count() : 0;
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// The first of all, and the reason.
    [[nodiscard]] const std::string& example() const noexcept { return example_; }

private:
    bool found_in_batch_ = false;
    bitmap batch_;
    std::uint64_t count_ = 0;
    std::string example_;
};

} // namespace bloomery::cli
