#include "verbs/repeats.hpp"

#include "output/output.hpp"
#include "verbs/spool.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace bloomery::cli {

void print_repeated(any_filter& seen, any_filter& told, std::span<const input> inputs,
                    const key_options& options) {
    output out(STDOUT_FILENO, "standard output", std::size_t{256} << 10U, output::mode::behind);
    std::vector<digest128> again;
    bitmap fresh;
    bitmap untold;
    bitmap selected;
    for_each_batch(inputs, options, "uniq", seen, [&](const record_batch& batch) {
        const any_filter::digests keys = batch.keys.digests();
        seen.try_insert_many(keys, fresh);
        again.clear();
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (!fresh[i]) again.push_back(keys[i]);
        }
        told.try_insert_many(again, untold);
        selected.reset(keys.size());
        for (std::size_t i = 0, next = 0; i < keys.size(); ++i) {
            if (!fresh[i] && untold[next++]) selected.set(i);
        }
        write_selected(out, batch.records, selected, true, options.format.delimiter);
        if (batch.live) out.flush();
        return true;
    });
    out.close();
}

void count_lines(any_filter& seen, std::span<const input> inputs, const key_options& options,
                 const line_teller& tell) {
    spool lines;
    std::unordered_map<std::uint64_t, std::uint64_t> repeats;
    bitmap fresh;
    for_each_batch(inputs, options, "uniq", seen, [&](const record_batch& batch) {
        const any_filter::digests keys = batch.keys.digests();
        seen.try_insert_many(keys, fresh);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (fresh[i]) {
                lines.write(keys[i].low, batch.records[i]);
            } else {
                ++repeats[keys[i].low];
            }
        }
        return true;
    });
    lines.for_each([&](std::uint64_t key, std::string_view line) {
        const auto found = repeats.find(key);
        tell(1 + (found == repeats.end() ? 0 : found->second), line);
    });
}

} // namespace bloomery::cli
