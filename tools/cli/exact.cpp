#include "exact.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>

#include "output.hpp"
#include "progress.hpp"
#include "selection.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
        return std::hash<std::string_view>{}(text);
    }
};
using exact_set = std::unordered_set<std::string, text_hash, std::equal_to<>>;

bool insert_new(exact_set& set, std::string_view key) {
    if (set.find(key) != set.end()) return false; // looked up first: a string is made only if new
    set.emplace(key);
    return true;
}

std::vector<off_t> positions_of(std::span<const input> inputs) {
    std::vector<off_t> positions;
    for (const input& from : inputs) {
        if (!from.is_seekable()) {
            throw bad_argument("--exact reads its input twice, and " + from.name() +
                               " cannot be: save it to a file first");
        }
        positions.push_back(::lseek(from.fd(), 0, SEEK_CUR));
    }
    return positions;
}

void go_back(std::span<const input> inputs, std::span<const off_t> positions) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (::lseek(inputs[i].fd(), positions[i], SEEK_SET) < 0) {
            throw io_error("cannot go back in " + inputs[i].name(),
                           std::error_code(errno, std::generic_category()));
        }
    }
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

} // namespace

std::optional<std::uint64_t> count_records(std::span<const input> inputs, char delimiter) {
    std::uint64_t total = 0;
    std::uint64_t bytes = 0;
    for (const input& from : inputs) bytes += from.size().value_or(0);
    progress line("counting lines", bytes, progress_unit::bytes);
    std::uint64_t done = 0;
    std::vector<char> buffer(std::size_t{1} << 20U);
    for (const input& from : inputs) {
        if (!from.is_seekable()) return std::nullopt;
        off_t at = ::lseek(from.fd(), 0, SEEK_CUR);
        char last = delimiter;
        for (;;) {
            const ssize_t got = ::pread(from.fd(), buffer.data(), buffer.size(), at);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break; // a read that fails here fails again, and loudly, when it counts
            const auto end = buffer.begin() + got;
            total += static_cast<std::uint64_t>(std::count(buffer.begin(), end, delimiter));
            last = *(end - 1);
            at += got;
            done += static_cast<std::uint64_t>(got);
            line.update(done, done);
        }
        total += last == delimiter ? 0 : 1;
    }
    return total;
}

void uniq_exactly(any_filter seen, std::span<const input> inputs, const key_options& options,
                  bool repeated) {
    const std::vector<off_t> starts = positions_of(inputs);
    const any_filter doubtful = find_doubtful(std::move(seen), inputs, options);
    go_back(inputs, starts);

    output out(STDOUT_FILENO, "standard output", std::size_t{256} << 10U, output::mode::behind);
    exact_set known;
    bitmap in_doubt;
    bitmap first;
    for_each_batch(inputs, options, "uniq, second pass", doubtful, [&](const record_batch& batch) {
        doubtful.may_contain_many(batch.keys.digests(), in_doubt);
        first.reset(batch.records.size());
        for (std::size_t i = 0; i < batch.records.size(); ++i) {
            first.set(i, !in_doubt[i] || insert_new(known, batch.keys.identity(i)));
        }
        write_selected(out, batch.records, first, !repeated, options.format.delimiter);
        return true;
    });
    out.close();
}

} // namespace bloomery::cli
