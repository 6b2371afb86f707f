#include "verbs/exact.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>

#include "output/output.hpp"
#include "output/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

struct line_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
        return std::hash<std::string_view>{}(text);
    }
};
using exact_set = std::unordered_set<std::string, line_hash, std::equal_to<>>;

bool insert_new(exact_set& set, std::string_view key) {
    if (set.find(key) != set.end()) return false; // looked up first: a string is made only if new
    set.emplace(key);
    return true;
}

void require_two_passes(std::span<const input> inputs) {
    for (const input& from : inputs) {
        if (!from.is_seekable()) {
            throw bad_argument("--exact reads its input more than once, and " + from.name() +
                               " can be read only once; save it to a file first");
        }
    }
}

void go_back(std::span<const input> inputs) {
    for (const input& from : inputs) from.go_back();
}

// Takes `seen` for good: its memory is free again for the second pass.
any_filter find_doubtful(any_filter seen, std::span<const input> inputs,
                         const key_options& options) {
    const items most{std::max<std::uint64_t>(1, seen.made_for().item_capacity)};
    any_filter doubtful = blocked_filter(most, rate{1e-3});
    bitmap fresh;
    for_each_batch(inputs, options, "uniq, first pass", seen, [&](const record_batch& batch) {
        seen.try_insert_many(batch.keys.digests(), fresh);
        batch.keys.insert_rest(fresh, doubtful);
        return true;
    });
    return doubtful;
}

std::uint64_t count_records_of(const input& from, char delimiter, progress& line,
                               std::uint64_t& bytes) {
    std::vector<char> buffer(std::size_t{1} << 20U);
    std::uint64_t records = 0;
    char last = delimiter;
    while (const std::size_t got = from.read(buffer)) {
        const auto end = buffer.begin() + static_cast<std::ptrdiff_t>(got);
        records += static_cast<std::uint64_t>(std::count(buffer.begin(), end, delimiter));
        last = *(end - 1);
        bytes += got;
        line.update(bytes, bytes);
    }
    from.go_back();
    return records + (last == delimiter ? 0 : 1);
}

} // namespace

std::optional<std::uint64_t> count_records(std::span<const input> inputs, char delimiter) {
    std::optional<std::uint64_t> size = 0;
    for (const input& from : inputs) {
        if (!from.is_seekable()) return std::nullopt;
        size = size && from.size() ? std::optional(*size + *from.size()) : std::nullopt;
    }
    progress line("counting lines", size, progress_unit::bytes);
    std::uint64_t records = 0;
    std::uint64_t bytes = 0;
    for (const input& from : inputs) records += count_records_of(from, delimiter, line, bytes);
    return records;
}

namespace {

/// Goes through all inputs once more, with the bits of the keys that may occur twice.
template <class Work>
void pass_again(std::span<const input> inputs, const key_options& options, const char* what,
                const any_filter& doubtful, Work work) {
    go_back(inputs);
    bitmap in_doubt;
    for_each_batch(inputs, options, what, doubtful, [&](const record_batch& batch) {
        doubtful.may_contain_many(batch.keys.digests(), in_doubt);
        work(batch, in_doubt);
        return true;
    });
}

/// Prints the lines of which `choose` says what is wanted: it is given each key, and whether it may
/// occur twice.
template <class Choose>
void print_chosen(any_filter seen, std::span<const input> inputs, const key_options& options,
                  bool wanted, Choose choose) {
    require_two_passes(inputs);
    const any_filter doubtful = find_doubtful(std::move(seen), inputs, options);
    constexpr std::size_t large_buffer = std::size_t{256} << 10U;
    output out(STDOUT_FILENO, "standard output", large_buffer, output::mode::behind);
    bitmap chosen;
    pass_again(inputs, options, "uniq, second pass", doubtful,
               [&](const record_batch& batch, const bitmap& in_doubt) {
                   chosen.reset(batch.records.size());
                   for (std::size_t i = 0; i < batch.records.size(); ++i) {
                       chosen.set(i, choose(batch.keys.identity(i), in_doubt[i]));
                   }
                   write_selected(out, batch.records, chosen, wanted, options.format.delimiter);
               });
    out.close();
}

} // namespace

void uniq_exactly(any_filter seen, std::span<const input> inputs, const key_options& options,
                  bool again) {
    exact_set known;
    print_chosen(
        std::move(seen), inputs, options, !again,
        [&](std::string_view key, bool in_doubt) { return !in_doubt || insert_new(known, key); });
}

void repeated_exactly(any_filter seen, std::span<const input> inputs, const key_options& options) {
    exact_set known;
    exact_set told;
    print_chosen(std::move(seen), inputs, options, true, [&](std::string_view key, bool in_doubt) {
        return in_doubt && !insert_new(known, key) && insert_new(told, key);
    });
}

void count_exactly(any_filter seen, std::span<const input> inputs, const key_options& options,
                   const line_teller& tell) {
    require_two_passes(inputs);
    const any_filter doubtful = find_doubtful(std::move(seen), inputs, options);
    std::unordered_map<std::string, std::uint64_t, line_hash, std::equal_to<>> counts;
    pass_again(inputs, options, "uniq, second pass", doubtful,
               [&](const record_batch& batch, const bitmap& in_doubt) {
                   for (std::size_t i = 0; i < batch.records.size(); ++i) {
                       if (!in_doubt[i]) continue;
                       const std::string_view key = batch.keys.identity(i);
                       const auto found = counts.find(key);
                       found == counts.end() ? void(counts.emplace(key, 1)) : void(++found->second);
                   }
               });
    pass_again(inputs, options, "uniq, third pass", doubtful,
               [&](const record_batch& batch, const bitmap& in_doubt) {
                   for (std::size_t i = 0; i < batch.records.size(); ++i) {
                       const auto found =
                           in_doubt[i] ? counts.find(batch.keys.identity(i)) : counts.end();
                       // Told at its first place; after that its count is 0.
                       const std::uint64_t count =
                           found == counts.end() ? 1 : std::exchange(found->second, 0);
                       if (count != 0) tell(count, batch.records[i]);
                   }
               });
}

} // namespace bloomery::cli
