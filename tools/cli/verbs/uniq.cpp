// bloomery uniq: each line once, in order, in one pass and little memory.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/plan/sizing.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "options/number_options.hpp"
#include "options/shape_options.hpp"
#include "output/json_output.hpp"
#include "output/output.hpp"
#include "standard_streams.hpp"
#include "verbs/capacity_watch.hpp"
#include "verbs/exact.hpp"
#include "verbs/first_seen.hpp"
#include "verbs/repeats.hpp"
#include "verbs/uniq_redis.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::cli {

namespace {

constexpr items pipe_capacity{10'000'000};
constexpr rate default_rate{1e-6};

struct uniq_options {
    shape_options shape;
    key_options keys;
    access_options access;
    std::string state;
    std::string window; ///< a number of lines, or a time
    bool exact = false;
    bool again = false;    ///< -v: what was seen before, each time
    bool repeated = false; ///< -d: the same, once
    bool count = false;    ///< -c
    bool json = false;
    bool strict = false;
};

/// Whether there is a number of lines that must not be exceeded: one that somebody gave and insists
/// on, or that follows from the memory.
bool is_bounded(const uniq_options& o) {
    return o.shape.memory.has_value() || (o.strict && o.shape.n.has_value());
}

/// A filter that takes any number of lines and holds its rate: the first layer is for those that
/// are expected, and more are put on it if more come.
any_filter growing_filter(const shape_options& shape, const uniq_options& o) {
    scalable_options how;
    how.fast_layers = true;
    // If -n is right there is one layer, and it shall have most of the rate.
    if (o.shape.n) how.tightening = 0.2;
    return scalable_filter(*shape.n, *shape.p, how, hash_of(shape.seed, o.access.secret()));
}

/// Prints what `seen`, which holds so many keys, has not seen; returns whether that overfilled it.
bool stream(any_filter& seen, std::uint64_t held, std::span<const input> inputs,
            const uniq_options& o) {
    output out(STDOUT_FILENO, "standard output", std::size_t{256} << 10U, output::mode::behind);
    capacity_watch watch(seen, held, o.shape.n.has_value());
    bitmap fresh;
    unplaceable_keys without; // of another system, which nothing here is
    for_each_batch(inputs, o.keys, "uniq", seen, [&](const record_batch& batch) {
        advance_clock(seen);
        batch.keys.try_insert(seen, fresh, without);
        write_selected(out, batch.records, fresh, !o.again, o.keys.format.delimiter);
        watch.add(fresh.count());
        if (batch.live) out.flush();
        return true;
    });
    out.close();
    return watch.overfilled();
}

/// The size of a filter that does not grow: as given, or estimated from the inputs.
shape_options settle(const uniq_options& o) {
    shape_options shape = o.shape;
    if (!shape.p && !shape.memory) shape.p = default_rate;
    if (!shape.n && !(shape.p && shape.memory)) {
        throw bad_argument("a new --state file needs the number of distinct lines over all its "
                           "runs: give -n");
    }
    return shape;
}

/// The empty filter for lines that are forgotten at the end. Files have their lines counted, and
/// need no filter that grows.
any_filter filter_for(const uniq_options& o, std::span<const input> inputs) {
    shape_options shape = o.shape;
    if (!shape.p && !shape.memory) shape.p = default_rate;
    if (shape.n || (shape.p && shape.memory)) {
        return is_bounded(o) ? new_filter(shape, o.access.secret()) : growing_filter(shape, o);
    }
    if (const auto counted = count_records(inputs, o.keys.format.delimiter)) {
        shape.n = items{std::max<std::uint64_t>(1, *counted)};
        return new_filter(shape, o.access.secret());
    }
    shape.n = pipe_capacity;
    return shape.memory ? new_filter(shape, o.access.secret()) : growing_filter(shape, o);
}

/// Prints what the file has not seen, and lets it remember a batch once that is out: a run that is
/// killed may print some lines again the next time, but never forgets to print one.
bool stream_remembering(any_filter& seen, std::uint64_t held, std::span<const input> inputs,
                        const uniq_options& o) {
    output out(STDOUT_FILENO, "standard output");
    capacity_watch watch(seen, held);
    first_seen fresh_keys;
    bitmap fresh;
    for_each_batch(inputs, o.keys, "uniq", seen, [&](const record_batch& batch) {
        fresh_keys.find(seen, batch.keys.digests(), fresh);
        write_selected(out, batch.records, fresh, !o.again, o.keys.format.delimiter);
        out.flush();
        seen.insert_many(fresh_keys.found());
        watch.add(fresh_keys.found().size());
        return true;
    });
    out.close();
    return watch.overfilled();
}

/// A file with a list of exceptions is replaced when all is out: an excepted line was not seen.
bool stream_with_list(std::span<const input> inputs, const uniq_options& o) {
    bool past_capacity = false;
    announce_wait(o.state);
    const auto change = [&](any_filter& seen) {
        past_capacity = stream(seen, surely_held(seen), inputs, o);
    };
    update(o.state, change, o.access.decoding());
    return past_capacity;
}

bool stream_with_state(std::span<const input> inputs, const uniq_options& o) {
    make_if_missing(o.state, [&] { return new_filter(settle(o), o.access.secret()); });
    std::optional<any_filter> found = open_in_place(o.state, o.access);
    if (!found && load_header(o.state).what.kind == filter_kind::excepted) {
        return stream_with_list(inputs, o);
    }
    any_filter seen = found ? std::move(*found) : open_to_add(o.state, o.access); // which refuses
    const std::uint64_t capacity = seen.made_for().item_capacity;
    if (o.shape.n && o.shape.n->value != capacity) {
        warn(fmt::format("{} was made for {} lines, and -n does not change that", o.state,
                         grouped(capacity)));
    }
    bool past_capacity = false;
    finish_in_place(
        seen, [&] { past_capacity = stream_remembering(seen, surely_held(seen), inputs, o); });
    return past_capacity;
}

bool stream_with_redis(std::span<const input> inputs, const uniq_options& o) {
    if (o.state.empty()) {
        throw bad_argument("uniq --redis needs the name of the filter: give --state");
    }
    if (o.exact || !o.window.empty() || o.shape.memory) {
        throw bad_argument("--redis goes with --state, -n and -p, not with --exact, --window or "
                           "--bytes");
    }
    return uniq_in_redis(
        {o.access, o.keys, o.state, o.shape.n, o.shape.p.value_or(default_rate), o.again}, inputs);
}

/// Forgets what is older than the window, so that the stream may go on for ever; returns whether
/// more came in a part of its time than it was made for.
bool stream_in_window(std::span<const input> inputs, const uniq_options& o) {
    if (o.exact || !o.state.empty() || o.shape.memory) {
        throw bad_argument("--window goes with -n and -p, not with --exact, --state or --bytes");
    }
    window_options window;
    items n = o.shape.n.value_or(pipe_capacity);
    if (std::string_view("smhd").find(o.window.back()) != std::string_view::npos) {
        window.span = parse_duration(o.window);
    } else if (o.shape.n) {
        throw bad_argument("a --window of lines already sets their number; leave out -n");
    } else {
        n = items{parse_count(o.window)};
    }
    window_filter made(n, o.shape.p.value_or(default_rate), window,
                       hash_of(o.shape.seed, o.access.secret()));
    any_filter seen(std::move(made));
    stream(seen, 0, inputs, o);
    if (!seen.get_if<window_filter>()->window_shortened()) return false;
    warn(fmt::format("at times lines came faster than {} in {}, and some were forgotten too "
                     "early; start again with a larger -n",
                     grouped(n.value), o.window));
    return true;
}

/// -c and -d, which look at one input as a whole.
int run_repeats(const std::vector<input>& inputs, const uniq_options& o) {
    if (o.again || !o.state.empty() || !o.window.empty() || o.access.in_redis()) {
        throw bad_argument(
            "-c and -d look at one input as a whole; leave -v, --state, --window and "
            "--redis out");
    }
    any_filter seen = filter_for(o, inputs);
    if (!o.count) {
        if (o.exact) {
            repeated_exactly(std::move(seen), inputs, o.keys);
        } else {
            uniq_options known = o; // so that files are not counted twice
            if (!o.shape.memory) known.shape.n = items{seen.made_for().item_capacity};
            any_filter told = filter_for(known, inputs);
            print_repeated(seen, told, inputs, o.keys);
        }
        return some;
    }
    output out(STDOUT_FILENO, "standard output");
    const auto tell = [&](std::uint64_t count, std::string_view line) {
        if (o.repeated && count < 2) return;
        if (o.json) return out.write(json_line({{"count", count}, {"line", line}}));
        out.write(fmt::format("{:7} ", count)); // as uniq(1) does
        out.write_record(line, o.keys.format.delimiter);
    };
    o.exact ? count_exactly(std::move(seen), inputs, o.keys, tell)
            : count_lines(seen, inputs, o.keys, tell);
    out.close();
    return some;
}

int run_uniq(const uniq_options& o) {
    if (o.json && !o.count) throw bad_argument("--json is for counts: give -c too");
    const std::vector<input> inputs = open_inputs(o.keys);
    if (o.count || o.repeated) return run_repeats(inputs, o);
    if (o.access.in_redis()) return stream_with_redis(inputs, o) && o.strict ? overfilled : some;
    if (!o.window.empty()) return stream_in_window(inputs, o) && o.strict ? overfilled : some;
    if (o.exact && !o.state.empty()) {
        throw bad_argument("--exact reads its input twice and cannot know what a --state file has "
                           "seen; use one of them");
    }
    if (o.state == "-") throw bad_argument("--state needs a file, not standard output: name one");
    bool past_capacity = false;
    if (!o.state.empty()) {
        past_capacity = stream_with_state(inputs, o);
    } else if (o.exact) {
        uniq_exactly(filter_for(o, inputs), inputs, o.keys, o.again);
    } else {
        any_filter seen = filter_for(o, inputs);
        past_capacity = stream(seen, 0, inputs, o);
    }
    return past_capacity && o.strict ? overfilled : some;
}

} // namespace

void add_uniq(CLI::App& app, int& result) {
    auto o = std::make_shared<uniq_options>();
    CLI::App* verb = app.add_subcommand("uniq", "Print each line once, in order, without sorting");
    add_goal_options(*verb, o->shape);
    add_number(*verb, "-b,--bytes", o->shape.memory, "SIZE",
               "The memory to use, instead of -n or -p");
    verb->add_flag("-c,--count", o->count,
                   "Print the count before each line, when all input has been read; without "
                   "--exact, lines are miscounted at the rate -p");
    verb->add_flag("-d,--repeated", o->repeated,
                   "Print only lines that occur more than once, each once");
    verb->add_flag("-v,--invert", o->again,
                   "Print each line that was (maybe) seen before, instead of each new one");
    add_json_flag(*verb, o->json, "With -c, print a JSON object for each line");
    verb->add_option("--state", o->state,
                     "Remember the lines seen in this file, or in the filter of this name in "
                     "Redis, across runs; created with -n and -p if it does not exist")
        ->type_name("FILE");
    verb->add_option("--window", o->window,
                     "For endless streams: forget lines not seen within the last N lines, or "
                     "within this time (90s, 15m, 24h, 7d; -n is the most lines in that time)")
        ->type_name("N|TIME");
    verb->add_flag("--exact", o->exact,
                   "Lose nothing: read the input a second time to settle the doubtful lines; "
                   "needs files, not a pipe");
    verb->add_flag(
        "--strict", o->strict,
        "Do not grow past -n; exit with 3 if there were more distinct lines or, with --window, "
        "they came faster");
    add_key_options(*verb, o->keys, "--delimiter"); // -d is what it is in uniq(1)
    add_secret_option(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    add_replicas_option(*verb, o->access.redis);
    verb->footer(
        "Without --exact, a unique line is dropped at the rate -p (default: 1 in a million).\n"
        "Without -n, the lines of files are counted first. For a pipe, and if there are more "
        "lines than\n"
        "-n, the filter grows and keeps the rate at any length; with the right -n it takes less "
        "memory.\n"
        "A --state file and --bytes do not grow: a warning says when they are full.\n"
        "A --window remembers up to a seventh more than required.\n"
        "With --redis any number of uniq processes share one --state, and each line is printed "
        "by one.\n"
        "Example: bloomery uniq -n 400M urls.txt > once.txt\n"
        "         tail -f access.log | bloomery uniq --window 24h");
    verb->callback([o, &result] { result = run_uniq(*o); });
}

} // namespace bloomery::cli
