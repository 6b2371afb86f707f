#include "verbs/adding.hpp"

#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/redis/client.hpp>

#include "command.hpp"
#include "wording.hpp"

#include <fmt/format.h>

namespace bloomery::cli {

void add_keys(opened_filter& into, const std::string& path, const std::string& what,
              std::span<const input> inputs, const key_options& from, added_keys& added) {
    if (without_exceptions(into.filter).spec().kind == filter_kind::cascade) {
        throw unsupported(path + ": keys cannot be added to a cascade; build it again from all "
                                 "of its keys with bloomery cascade");
    }
    const key_options reading = into.reading(from);
    bitmap new_ones;
    for_each_batch(inputs, reading, what, into.filter, [&](const record_batch& batch) {
        added.read += batch.records.size();
        try {
            batch.keys.try_insert(into.filter, new_ones, added.without);
        } catch (const growth_refused& e) {
            throw growth_refused(fmt::format("{}: {}; nothing was added", path, e.what()));
        } catch (const filter_full& e) {
            throw filter_full(fmt::format("{}: {}; nothing was added", path, e.what()));
        } catch (const redis::unreachable& e) {
            throw redis::unreachable(
                fmt::format("{}; the first {} are stored", e.what(),
                            counted(added.read - batch.records.size(), "key")));
        }
        added.fresh += new_ones.count();
        return true;
    });
}

int judge_added(const any_filter& filled, const std::string& path, bool strict) {
    const filter_kind kind = without_exceptions(filled).spec().kind;
    if (kind == filter_kind::scalable || kind == filter_kind::window) return some;
    return judge_fill(filled.made_for(), filled.stats(), path, strict);
}

} // namespace bloomery::cli
