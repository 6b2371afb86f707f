// The keys that a verb works on: which inputs, how they are cut, and what of a record is the key.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "input.hpp"
#include "progress.hpp"
#include "records.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace bloomery::cli {

/// What the options of a verb that reads keys say.
struct key_options {
    record_format format;
    bool integers = false; ///< a key is the number that its text spells, as integers are in C++
    std::vector<std::string> inputs;
};

/// Adds -0, -d, -f, -t, --key, and the inputs as the last arguments.
void add_key_options(CLI::App& verb, key_options& to);

/// The keys of one batch of records, and the bulk calls in the form that these keys need.
class key_batch {
public:
    explicit key_batch(const key_options& options) : options_(options) {}

    /// Takes the keys out of the records. They are valid as long as the records are. Throws
    /// bad_argument for a key that should be an integer and is none.
    void take(std::span<const std::string_view> records);

    void try_insert(any_filter& into, bitmap& fresh) const;
    std::uint64_t insert(any_filter& into) const;
    void may_contain(const any_filter& asked, bitmap& maybe) const;

    /// What makes key i itself: two keys are equal exactly if these bytes are.
    [[nodiscard]] std::string_view identity(std::size_t at) const noexcept {
        if (!options_.integers) return texts_[at];
        return {reinterpret_cast<const char*>(&numbers_[at]), sizeof numbers_[at]}; // NOLINT
    }

private:
    const key_options& options_;
    std::span<const std::string_view> texts_;
    std::vector<std::string_view> fields_;
    std::vector<std::uint64_t> numbers_;
    std::uint64_t records_before_ = 0;
};

/// One batch as a verb sees it.
struct record_batch {
    std::span<const std::string_view> records;
    const key_batch& keys;
};

/// The inputs of a verb, opened: standard input if none was named.
[[nodiscard]] std::vector<input> open_inputs(const key_options& options);

/// Reads every input to its end and calls `work` for each batch, with a progress line titled
/// `what`. A false from `work` ends the reading. Throws what reading, the keys or `work` throw.
void for_each_batch(std::span<const input> inputs, const key_options& options,
                    const std::string& what, const std::function<bool(const record_batch&)>& work);

} // namespace bloomery::cli
