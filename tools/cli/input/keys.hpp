// The keys that a verb works on: which inputs, how they are cut, and what of a record is the key.
#pragma once

#include <bloomery/filter/any_filter.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "input/input.hpp"
#include "input/key_encoder.hpp"
#include "input/records.hpp"
#include "input/unplaceable.hpp"
#include "output/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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
    std::optional<key_encoding> kind; ///< what --key says
    key_encoding kind_of_filter =
        key_encoding::bytes; ///< what it is for the filter, where --key is silent
    std::vector<std::string> inputs;
    bool skip_unplaceable = false;

    /// What a key is. O(1), never throws.
    [[nodiscard]] key_encoding resolved_kind() const noexcept {
        return kind.value_or(kind_of_filter);
    }
};

/// Adds --key: what a key is.
void add_key_kind_option(CLI::App& verb, key_options& to);

/// Adds -0, -d, -f, -t and --key.
void add_record_options(CLI::App& verb, key_options& to, const char* delimiter = "-d,--delimiter");

/// The same, and the inputs as the last arguments.
void add_key_options(CLI::App& verb, key_options& to, const char* delimiter = "-d,--delimiter");

/// Adds --skip-unplaceable.
void add_skip_option(CLI::App& verb, key_options& to);

/// The exit status of a verb that would have ended with `result`: `trouble`, after a sentence on
/// standard error, if there were such keys and nobody said to skip them.
[[nodiscard]] int judge_places(const unplaceable_keys& found, const std::string& path,
                               const key_options& said, int result);

/// The keys of one batch of records, hashed where the filter lets them be.
class key_batch {
public:
    /// Takes the keys out of the records, of which the first is number `first` of its input, and
    /// hashes them for `hasher`. They are valid as long as the records are. Throws bad_argument for
    /// a text that is not a key of the kind wanted.
    void take(std::span<const std::string_view> records, std::uint64_t first,
              const key_options& options, const any_filter& hasher);

    /// The digests, if the filter that they were hashed for hashes ahead.
    [[nodiscard]] any_filter::digests digests() const noexcept { return digests_; }

    // Each of these leaves out the keys that have no place in the filter, and notes them in
    // `without`; their bits are clear, and their counts 0.

    /// Asks a filter of the same hash for all keys, or adds them all.
    void ask(const any_filter& asked, bitmap& maybe, unplaceable_keys& without) const;
    void try_insert(any_filter& into, bitmap& fresh, unplaceable_keys& without) const;

    /// Takes all keys out of a filter of the same hash; bit i becomes whether key i was in. Throws
    /// unsupported if the filter cannot do that.
    void erase(any_filter& from, bitmap& erased, unplaceable_keys& without) const;
    /// How often each key is in a filter of the same hash. Throws unsupported, too.
    void count(const any_filter& in, std::vector<std::uint64_t>& counts,
               unplaceable_keys& without) const;

    /// Calls `visit` with each key, which is a text or an integer.
    template <class Visit>
    void each(Visit visit) const {
        if (integers_) {
            for (const std::uint64_t key : numbers_) visit(key);
        } else {
            for (const std::string_view key : texts_) visit(key);
        }
    }

    /// What makes key i itself: two keys are equal exactly if these bytes are.
    [[nodiscard]] std::string_view identity(std::size_t at) const noexcept {
        if (!integers_) return texts_[at];
        return {reinterpret_cast<const char*>(&numbers_[at]), sizeof numbers_[at]}; // NOLINT
    }

    /// Adds to a filter, whatever its hash, the keys whose bit is clear.
    void insert_rest(const bitmap& unless, any_filter& into) const;

private:
    void encode(key_encoding kind, std::uint64_t first);
    void hash_for(const any_filter& hasher);
    template <class Call>
    void with_keys(Call call) const;
    template <class Keys>
    void ask_parts(const any_filter& asked, Keys keys, std::size_t first, bitmap& maybe,
                   unplaceable_keys& without) const;
    template <class Keys>
    void insert_placeable(any_filter& into, Keys keys, bitmap& fresh,
                          unplaceable_keys& without) const;
    template <class Call>
    void noting(std::size_t at, unplaceable_keys& without, Call call) const;

    bool hashed_ = false;
    std::uint64_t first_ = 1;

    bool integers_ = false;
    std::span<const std::string_view> texts_;   ///< the bytes of the keys, once taken
    std::span<const std::string_view> spelled_; ///< the keys as they were read
    std::vector<std::string_view> fields_;
    key_encoder encoder_;
    std::vector<char> encoded_; ///< no string: a short one would lie elsewhere once moved
    std::vector<std::size_t> lengths_;
    std::vector<std::string_view> views_;
    std::vector<std::uint64_t> numbers_;
    std::vector<digest128> digests_;
};

/// One batch as a verb sees it.
struct record_batch {
    std::span<const std::string_view> records;
    const key_batch& keys;
    bool live; ///< it comes from a pipe or a terminal, where somebody may wait for the answer
};

/// The inputs of a verb, opened: standard input if none was named.
[[nodiscard]] std::vector<input> open_inputs(const key_options& options);

/// Reads every input to its end and calls `work` for each batch, with a progress line titled
/// `what`. Keys come hashed for `hasher`; large files are read, cut and hashed on a thread of their
/// own. A false from `work` ends the reading. Throws what reading, the keys or `work` throw.
void for_each_batch(std::span<const input> inputs, const key_options& options,
                    const std::string& what, const any_filter& hasher,
                    const std::function<bool(const record_batch&)>& work);

} // namespace bloomery::cli
