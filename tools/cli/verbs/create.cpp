// bloomery create: a new filter, empty or filled.
#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/plan/redis.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "input/keys.hpp"
#include "options/number_options.hpp"
#include "options/shape_options.hpp"
#include "redis_access.hpp"
#include "verbs/adding.hpp"
#include "verbs/exact.hpp"
#include "verbs/folding.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::cli {

namespace {

struct create_options : new_file {
    shape_options shape;
    access_options access;
    bool split = false;
    std::optional<bytes> shard_bytes;
    std::optional<std::uint64_t> expire;
    key_options keys; ///< to fill it with; no input, no keys
    bool strict = false;
    std::optional<items> max_n;
    bool seal = false;
    bool negative_seed = false;
};

/// The keys that a new filter is filled with before anybody sees it.
class filling {
public:
    /// Opens the inputs, if any were named. Throws io_error.
    explicit filling(const create_options& o) : o_(o) {
        if (!o.keys.inputs.empty()) inputs_ = open_inputs(o.keys);
    }

    /// The number of keys, where nobody said it and it is needed. Throws bad_argument for a pipe.
    void count_into(shape_options& shape) const {
        const bool said = shape.n || shape.m || shape.memory || o_.access.format.parameters.n;
        if (inputs_.empty() || said) return;
        const auto counted = count_records(inputs_, o_.keys.format.delimiter);
        if (!counted) {
            throw bad_argument("the keys come through a pipe and cannot be counted first: give -n");
        }
        shape.n = items{std::max<std::uint64_t>(1, *counted)};
    }

    /// Adds the keys, if there are any.
    void into(opened_filter& made) {
        if (inputs_.empty()) return;
        add_keys(made, o_.path, "create", inputs_, o_.keys, added_);
        status_ = judge_added(made.filter, o_.path, o_.strict);
    }

    /// What the verb ends with.
    [[nodiscard]] int status() const {
        return judge_places(added_.without, o_.path, o_.keys, status_);
    }

private:
    const create_options& o_;
    std::vector<input> inputs_;
    added_keys added_;
    int status_ = some;
};

constexpr bytes usual_shard{std::uint64_t{8} << 20U};

/// Refuses what a filter of shards has no use for, saying why.
void refuse_for(const create_options& o, const char* what, bool with_array) {
    const shape_options& said = o.shape;
    const std::array<std::pair<bool, const char*>, 8> refused{{
        {!o.shape.kind.is_bloom(), "--kind"},
        {said.layout.has_value(), "--layout"},
        {said.seed != 0, "--seed"},
        {said.memory.has_value(), "--bytes"},
        {said.m && !with_array, "--bits"},
        {said.k && !with_array, "-k"},
        {o.keep_secret, "--keep-secret"},
        {!o.access.secret_file.empty(), "--secret-file"},
    }};
    for (const auto& [is_said, option] : refused) {
        if (is_said) throw bad_argument(fmt::format("{}; leave {} out", what, option));
    }
}

/// A filter that is in Redis from the beginning.
int create_in_redis(const create_options& o, filling& keys) {
    const bool redisson = o.access.format.said;
    refuse_for(o,
               redisson ? "a Redisson filter in Redis is created from -n and -p, or from --bits "
                          "and -k"
                        : "a filter in Redis is created from -n and -p",
               redisson);
    if (!o.comment.empty()) {
        throw bad_argument("a filter in Redis has no room for a note; leave --comment out");
    }
    if (redisson && (o.split || o.shard_bytes)) {
        throw bad_argument("a Redisson filter is not split; leave out --format redisson, or "
                           "--split and --shard-bytes");
    }
    const format::foreign_options& with = o.access.format.parameters;
    redis_creation from{o.shape.n ? o.shape.n : with.n,      o.shape.p ? o.shape.p : with.p,
                        o.shape.m ? o.shape.m : with.m,      o.shape.k ? o.shape.k : with.k,
                        o.shard_bytes.value_or(usual_shard), redisson};
    if (from.m.has_value() != from.k.has_value()) {
        throw bad_argument("--bits and -k go together: give both, or -n and -p");
    }
    if (!from.n && !from.m) {
        throw bad_argument("a filter in Redis needs the number of keys: give -n");
    }
    if (!from.p && !from.m) from.p = usual_rate;
    const std::unique_ptr<redis_access> at = connect_to_redis(o.access.redis);
    if (o.force) at->drop(o.path);
    static_cast<void>(at->create(o.path, from));
    if (o.expire) at->expire(o.path, std::chrono::seconds(*o.expire));
    change_filter(o.path, o.access, [&](opened_filter& made) { keys.into(made); });
    return keys.status();
}

/// A file with the bits that a split filter in Redis would have, to be filled and pushed there.
int create_split(const create_options& o, filling& keys) {
    refuse_for(o, "a split filter is created from -n and -p", false);
    if (o.access.format.said) {
        throw bad_argument("a split filter is stored in bloomery's own format; leave out --format");
    }
    if (!o.shape.n) {
        throw bad_argument("a split filter needs the number of keys: give -n");
    }
    const rate p = o.shape.p.value_or(usual_rate);
    const plan::split_shape shape =
        plan::split_for(*o.shape.n, p, o.shard_bytes.value_or(usual_shard));
    spec what{filter_kind::bloom, layout::scheme_id::redisson_split, hash::hash_id::highway_128};
    what.shape = {layout_kind::classic, shape.shard_count * shape.shard_bits, shape.hash_count};
    what.parameters[0] = shape.shard_count;
    opened_filter made{make_foreign(what, design{o.shape.n->value, p.value})};
    keys.into(made);
    write_filter(made.filter, o);
    return keys.status();
}

/// A filter of another system is sized by that system's own formula.
int create_foreign(const create_options& o, filling& keys) {
    const shape_options& said = o.shape;
    if (!o.shape.kind.is_bloom()) {
        throw bad_argument("--kind applies only to bloomery's own format; leave out --format or "
                           "--kind");
    }
    if (said.memory || said.layout || !o.access.secret_file.empty() || !o.comment.empty()) {
        throw bad_argument("a filter of another system is created from -n and -p, or from --bits "
                           "and -k; it has no --bytes, --layout, --secret-file or --comment");
    }
    format::format_choice in = o.access.format;
    format::foreign_options& from = in.parameters;
    if (said.n) from.n = said.n;
    if (said.p) from.p = said.p;
    if (said.m) from.m = said.m;
    if (said.k) from.k = said.k;
    if (said.seed != 0) from.seed = said.seed;
    if (in.foreign->create == nullptr) {
        throw unsupported(
            fmt::format("filters of the format {} can be read but not created", in.foreign->name));
    }
    opened_filter made{in.foreign->create(from), in.foreign};
    keys.into(made);
    write_filter(made.filter, o, in);
    return keys.status();
}

/// Room for up to so many keys, to be folded when they are in. Throws bad_argument for what does
/// not go with that, before any key is read.
void apply_max_n(create_options& o) {
    if (!o.max_n && !o.seal) return;
    const char* const option = o.max_n ? "--max-n" : "--seal";
    if (o.max_n && o.shape.n) {
        throw bad_argument("-n and --max-n both give the number of keys: use one of them");
    }
    if (o.access.in_redis() || o.split || o.access.format.foreign != nullptr) {
        throw bad_argument(fmt::format("only a file in bloomery's own format can be folded: leave "
                                       "out {}",
                                       option));
    }
    if (!o.shape.kind.is_bloom()) {
        throw bad_argument(
            fmt::format("only Bloom filters can be folded: leave out --kind or {}", option));
    }
    if (o.shape.m || o.shape.memory) {
        throw bad_argument(fmt::format("a filter that is going to be folded is made from a number "
                                       "of keys and a rate: leave out --bits and --bytes, or {}",
                                       option));
    }
    if (o.seal && o.keys.inputs.empty()) {
        throw bad_argument("--seal is for a filter that is filled at once: name files of keys, or "
                           "- for standard input");
    }
    if (o.max_n) o.shape.n = o.max_n;
    o.shape.foldable = true;
}

int run_create(const create_options& said) {
    create_options o = said;
    apply_max_n(o);
    filling keys(said);
    // What would fail at the end, or could never be written, is reported before any work.
    if (!o.keys.inputs.empty() && !o.access.in_redis()) o.require_free();
    keys.count_into(o.shape);
    if (o.access.in_redis()) return create_in_redis(o, keys);
    if (o.expire) throw bad_argument("--expire is for a filter in Redis: give --redis too");
    if (o.split) return create_split(o, keys);
    if (o.shard_bytes) {
        throw bad_argument("--shard-bytes is for a split filter: give --split or --redis too");
    }
    if (o.access.format.foreign != nullptr) return create_foreign(o, keys);
    if (o.negative_seed) {
        throw bad_argument("only other systems have negative seeds: give --seed a number from 0 "
                           "on, or --format");
    }
    o.require_secret(o.access);
    opened_filter made{new_filter(o.shape, o.access.secret())};
    keys.into(made);
    if (o.seal) seal(made.filter, o.path);
    write_filter(made.filter, o);
    return keys.status();
}

void add_split_options(CLI::App& verb, create_options& to) {
    verb.add_flag("--split", to.split,
                  "Create a file that redis push can send to Redis, split into shards like "
                  "filters created there")
        ->group("Redis");
    add_number(verb, "--shard-bytes", to.shard_bytes, "SIZE",
               "Maximum size of a shard of a split filter (default: 8MiB)")
        ->group("Redis");
    verb.add_option_function<std::string>(
            "--expire", [&to](const std::string& s) { to.expire = parse_duration(s); },
            "Let a filter in Redis expire after this time: 90s, 15m, 24h, 7d")
        ->type_name("TIME")
        ->group("Redis");
}

} // namespace

void add_create(CLI::App& app, int& result) {
    auto o = std::make_shared<create_options>();
    CLI::App* verb =
        app.add_subcommand("create", "Create a filter, empty or with the keys of some files");
    add_goal_options(*verb, o->shape);
    add_number(*verb, "--max-n", o->max_n, "N",
               "At most this many keys: like -n, at a size that bloomery fold can shrink to fit");
    add_array_options(*verb, o->shape);
    add_layout_option(*verb, o->shape);
    verb->add_option_function<std::string>(
            "--seed",
            [o = o.get()](const std::string& text) {
                o->shape.seed = parse_seed(text);
                o->negative_seed = text.starts_with('-');
            },
            "Hash seed; filters with different seeds have different false positives")
        ->type_name("NUMBER");
    add_kind_option(*verb, o->shape);
    add_access_options(*verb, o->access);
    add_redis_options(*verb, o->access.redis);
    add_split_options(*verb, *o);
    verb->add_option("--comment", o->comment, "A note to store in the file")->type_name("TEXT");
    verb->add_flag("--keep-secret", o->keep_secret,
                   "Also store the secret in the filter, so that it can be used without "
                   "--secret-file, and attacked by everyone who can read it");
    verb->add_flag("--force", o->force,
                   "Overwrite an existing file, or an existing filter in Redis");
    verb->add_option("FILTER", o->path,
                     "The file to write, - for standard output; or the name in Redis")
        ->required();
    add_record_options(*verb, o->keys);
    verb->add_option(
        "INPUT", o->keys.inputs,
        "Files of keys to fill it with, which may be compressed; - for standard input");
    verb->add_flag("--strict", o->strict, "Exit with 3 if the filter ends up overfilled");
    verb->add_flag("--seal", o->seal, "Fold the filter when all keys are in: see bloomery fold");
    add_skip_option(*verb, o->keys);
    verb->footer(
        "Give -n and -p, or -n and --bytes, or --bits and -k. Without -p the rate is 1 %, or the "
        "format's own default.\n"
        "With files of keys, -n defaults to their number of records. The filter appears when all "
        "keys\n"
        "are in.\n"
        "Kinds that can remove keys: counting, spectral, dynamic-count, dleft, accurate; that "
        "count:\n"
        "spectral, dynamic-count; that grow: scalable; that forget: window. docs/choosing.md "
        "compares them.\n"
        "In Redis (--redis) a filter is split into shards, unless --format redisson asks for one "
        "that\n"
        "Redisson can read. All its memory is allocated at once.\n"
        "Example: bloomery create -n 10M -p 0.1% seen.bloom\n"
        "         bloomery create words.bloom /usr/share/dict/words\n"
        "         zcat urls.gz | bloomery create --max-n 100M --seal seen.bloom -");
    verb->callback([o, &result] { result = run_create(*o); });
}

} // namespace bloomery::cli
