// bloomery except: keys that are known to be absent, on the list that a filter keeps of them.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/excepted.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "options/number_options.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace bloomery::cli {

namespace {

struct except_options {
    std::string path;
    key_options keys;
    access_options access;
    std::optional<std::uint64_t> most;
    bool remove = false;
    bool verbose = false;
};

/// What became of the keys.
struct except_counts {
    std::uint64_t done = 0;     ///< listed, or taken off the list
    std::uint64_t needless = 0; ///< the filter denies them by itself, or they were not listed
    std::uint64_t refused = 0;  ///< the list is full
};

/// Lists belong to native filters of our own; those of other systems have no room for one.
void require_room_for_list(const except_options& o) {
    if (!is_native_file(o.path, o.access) ||
        load_header(o.path).what.scheme != layout::scheme_id::native) {
        throw unsupported(o.path + ": a filter of another system cannot store a list of "
                                   "exceptions; make a native filter with bloomery create and "
                                   "add the keys to it");
    }
    if (load_header(o.path).what.kind == filter_kind::window) {
        throw unsupported(o.path + ": a window forgets keys by itself and has no list of "
                                   "exceptions; use a filter of another kind");
    }
}

any_excepted& list_of(any_filter& loaded, const except_options& o) {
    exception_options options;
    options.most_entries = o.most.value_or(options.most_entries);
    loaded = with_exceptions(std::move(loaded), options);
    any_excepted& listed = *loaded.get_if<any_excepted>();
    if (const std::uint64_t now = listed.exceptions().options().most_entries;
        o.most && *o.most != now) {
        throw bad_argument(fmt::format("{}: its list was made for {} keys, and --most does not "
                                       "change that; leave it out",
                                       o.path, grouped(now)));
    }
    return listed;
}

template <class Key>
void except_one(any_excepted& listed, const Key& key, bool remove, except_counts& told) {
    if (remove) {
        ++(listed.withdraw(key) ? told.done : told.needless);
        return;
    }
    switch (listed.report_false_positive(key)) {
    case bloomery::status::not_present:
        ++told.needless;
        break;
    case bloomery::status::full:
        ++told.refused;
        break;
    default:
        ++told.done;
    }
}

int tell(const except_counts& told, const except_options& o) {
    if (o.verbose && o.remove) {
        warn(fmt::format("removed {} from the list of {}; {} were not on it",
                         counted(told.done, "key"), o.path, grouped(told.needless)));
    } else if (o.verbose) {
        warn(fmt::format("listed {} in {}; {} are definitely absent anyway",
                         counted(told.done, "key"), o.path, grouped(told.needless)));
    }
    if (told.refused != 0) {
        warn(fmt::format("{}: the list is full, and {} keys are not on it; make a larger filter, "
                         "which has fewer false positives",
                         o.path, grouped(told.refused)));
        return trouble;
    }
    return told.done > 0 ? some : none;
}

int run_except(const except_options& o) {
    require_room_for_list(o);
    const std::vector<input> inputs = open_inputs(o.keys);
    except_counts told;
    announce_wait(o.path);
    update(
        o.path,
        [&](any_filter& loaded) {
            any_excepted& listed = list_of(loaded, o);
            for_each_batch(inputs, o.keys, "except", loaded, [&](const record_batch& batch) {
                batch.keys.each([&](const auto& key) { except_one(listed, key, o.remove, told); });
                return true;
            });
            // A filter without exceptions is changed in place, and mapped: it stays, or
            // becomes, the plain one.
            if (listed.exceptions().entry_count() == 0) {
                loaded = any_filter(std::move(listed).inner());
            }
        },
        o.access.decoding());
    return tell(told, o);
}

} // namespace

void add_except(CLI::App& app, int& result) {
    auto o = std::make_shared<except_options>();
    CLI::App* verb = app.add_subcommand(
        "except", "List known-absent keys, for which the filter then answers no");
    verb->add_option("FILTER", o->path, "The filter")->required();
    verb->add_flag("--remove", o->remove, "Remove the keys from the list");
    add_number(*verb, "--most", o->most, "N", "Capacity of a new list (default: 65,536)");
    verb->add_flag("-v,--verbose", o->verbose, "Report how many keys were listed");
    add_key_options(*verb, o->keys);
    add_access_options(*verb, o->access);
    verb->footer(
        "For false positives of the filter, which the store behind it does not have: every verb "
        "then says\n"
        "no for them. Do not list a key that was added: it would be denied. add removes the keys "
        "that it\n"
        "adds from the list; keys that the filter denies anyway are not listed.\n"
        "The list is stored in the file, which add then reads whole and replaces instead of "
        "mapping it; when\n"
        "its last key is removed, the file is a plain filter again.\n"
        "Exit status: 0 if any key was listed (or removed), 1 if none, 2 on error.\n"
        "Example: bloomery except users.bloom < not-found.txt");
    verb->callback([o, &result] { result = run_except(*o); });
}

} // namespace bloomery::cli
