// bloomery redis: whole filters between files and Redis, and what is done to them there.
#include <bloomery/error.hpp>
#include <bloomery/redis/client.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "output/json_output.hpp"
#include "redis_access.hpp"
#include "verbs/info_report.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

struct redis_verb_options {
    access_options access;    ///< the format is that of the file to push
    format::format_choice to; ///< and of the file that is pulled
    std::string file;
    std::string name;
    std::string other;
    std::string time;
    bool force = false;
    bool json = false;
    std::uint32_t expansion = 2;

    [[nodiscard]] std::unique_ptr<redis_access> connected() const {
        return connect_to_redis(access.redis);
    }
};

opened_filter file_of(const redis_verb_options& o) {
    o.access.redis.require();
    access_options reading = o.access;
    reading.redis = {}; // it is a file that is read
    return read_filter(o.file, reading);
}

/// What was moved, and between which places.
nlohmann::ordered_json moved(const redis_verb_options& o, const any_filter& what) {
    nlohmann::ordered_json out{{"file", o.file}, {"name", o.name}};
    out.update(filter_facts(what));
    return out;
}

nlohmann::ordered_json push(const redis_verb_options& o) {
    const opened_filter from = file_of(o);
    const layout::scheme_id scheme = from.filter.spec().scheme;
    if (scheme != layout::scheme_id::redisson && scheme != layout::scheme_id::redisson_split) {
        throw incompatible(fmt::format(
            "{} places its bits differently from filters in Redis; create one with bloomery "
            "create --split (or --format redisson) and add the keys to it",
            o.file));
    }
    const auto at = o.connected();
    if (o.force) at->drop(o.name);
    at->push(from.filter, o.name);
    return moved(o, from.filter);
}

nlohmann::ordered_json load_for_push(const redis_verb_options& o) {
    const opened_filter from = file_of(o);
    o.connected()->load(from.filter, o.name, o.force, o.expansion);
    return moved(o, from.filter);
}

nlohmann::ordered_json pull(const redis_verb_options& o) {
    keep_output_for_json(o.json, o.file);
    const any_filter pulled = o.connected()->pull(o.name);
    if (o.to.foreign != nullptr && pulled.spec().scheme != layout::scheme_id::redisson) {
        throw incompatible(fmt::format("{} is a split filter, which the format {} cannot hold; "
                                       "leave --to out",
                                       in_quotes(o.name), o.to.foreign->name));
    }
    write_filter(pulled, {o.file, o.force}, o.to);
    return moved(o, pulled);
}

nlohmann::ordered_json drop(const redis_verb_options& o) {
    if (!o.connected()->drop(o.name)) {
        throw redis::no_such_filter(
            fmt::format("there is no filter {} in Redis", in_quotes(o.name)));
    }
    return {{"name", o.name}, {"dropped", true}};
}

nlohmann::ordered_json rename(const redis_verb_options& o) {
    o.connected()->rename(o.name, o.other);
    return {{"old", o.name}, {"new", o.other}};
}

nlohmann::ordered_json copy(const redis_verb_options& o) {
    o.connected()->copy(o.name, o.other);
    return {{"old", o.name}, {"new", o.other}};
}

nlohmann::ordered_json expire(const redis_verb_options& o) {
    const std::chrono::seconds after(parse_duration(o.time));
    o.connected()->expire(o.name, after);
    return {{"name", o.name}, {"expires_in", after.count()}};
}

nlohmann::ordered_json persist(const redis_verb_options& o) {
    o.connected()->persist(o.name);
    return {{"name", o.name}, {"expires_in", nullptr}};
}

using facts_json = nlohmann::ordered_json;
using action = std::function<facts_json(const redis_verb_options&)>;

/// One of the verbs within the verb. Its example is of its own, for their texts are one line each.
CLI::App* add_inner(CLI::App& verb, const std::shared_ptr<redis_verb_options>& o, const char* name,
                    const char* what, const char* example, int& result, action act) {
    CLI::App* inner = verb.add_subcommand(name, what);
    add_redis_options(*inner, o->access.redis);
    inner->footer(std::string("Example: bloomery redis ") + example);
    inner->callback([o, &result, act = std::move(act)] {
        const facts_json done = act(*o);
        if (o->json) fmt::print("{}", json_page(done));
        result = some;
    });
    add_json_flag(*inner, o->json, "Print JSON that says what was done");
    return inner;
}

void add_name(CLI::App& verb, redis_verb_options& to) {
    verb.add_option("NAME", to.name, "The name of the filter in Redis")->required();
}

void add_transfers(CLI::App& verb, int& result) {
    const auto pushed = std::make_shared<redis_verb_options>();
    CLI::App* inner = add_inner(verb, pushed, "push", "Send a filter in a file to Redis",
                                "push --redis redis://127.0.0.1 words.bloom words", result, push);
    inner->add_option("FILE", pushed->file, "The filter; - for standard input")->required();
    add_name(*inner, *pushed);
    inner->add_flag("--force", pushed->force, "Replace a filter of that name");
    add_format_option(*inner, pushed->access.format);

    const auto loaded = std::make_shared<redis_verb_options>();
    inner = add_inner(verb, loaded, "load", "Send a filter in a file to a server with the module",
                      "load --redis redis://127.0.0.1 words.bloom words", result, load_for_push);
    inner->add_option("FILE", loaded->file, "The filter; - for standard input")->required();
    inner->add_option("KEY", loaded->name, "The key that BF.EXISTS and similar commands will use")
        ->required();
    inner->add_flag("--force", loaded->force, "Overwrite the value of the key");
    inner
        ->add_option("--expansion", loaded->expansion,
                     "Growth factor of the next layer when this one is full; 0: do not grow")
        ->capture_default_str()
        ->check(CLI::Range(0U, 32768U));
    add_format_option(*inner, loaded->access.format);

    const auto pulled = std::make_shared<redis_verb_options>();
    inner = add_inner(verb, pulled, "pull", "Write a filter in Redis to a file",
                      "pull --redis redis://127.0.0.1 words words.bloom", result, pull);
    add_name(*inner, *pulled);
    inner->add_option("FILE", pulled->file, "The file to write; - for standard output")->required();
    inner->add_flag("--force", pulled->force, "Overwrite an existing file");
    inner
        ->add_option_function<std::string>(
            "--to",
            [o = pulled.get()](const std::string& text) { o->to = format::parse_format(text); },
            "The format to write: native or, if the filter is not split, redisson or "
            "redisson-dump")
        ->type_name("FORMAT[,PARAMETER=VALUE...]");
}

void add_keeping(CLI::App& verb, int& result) {
    auto o = std::make_shared<redis_verb_options>();
    add_name(*add_inner(verb, o, "drop", "Remove a filter", "drop --redis redis://127.0.0.1 words",
                        result, drop),
             *o);

    o = std::make_shared<redis_verb_options>();
    CLI::App* inner = add_inner(verb, o, "rename", "Give a filter another name",
                                "rename --redis redis://127.0.0.1 words terms", result, rename);
    inner->add_option("OLD", o->name, "The current name")->required();
    inner->add_option("NEW", o->other, "The new name, which must be free")->required();

    o = std::make_shared<redis_verb_options>();
    inner = add_inner(verb, o, "copy", "Copy a filter within Redis",
                      "copy --redis redis://127.0.0.1 words backup", result, copy);
    inner->add_option("OLD", o->name, "The name of the filter")->required();
    inner->add_option("NEW", o->other, "The name of the copy, which must be free")->required();

    o = std::make_shared<redis_verb_options>();
    inner = add_inner(verb, o, "expire", "Let a filter expire after a time",
                      "expire --redis redis://127.0.0.1 words 24h", result, expire);
    add_name(*inner, *o);
    inner->add_option("TIME", o->time, "How long it stays: 90s, 15m, 24h, 7d")->required();

    o = std::make_shared<redis_verb_options>();
    add_name(*add_inner(verb, o, "persist", "Keep a filter from expiring",
                        "persist --redis redis://127.0.0.1 words", result, persist),
             *o);
}

} // namespace

void add_redis(CLI::App& app, int& result) {
    CLI::App* verb = app.add_subcommand("redis", "Move filters to, from and within Redis");
    verb->require_subcommand(1);
    add_transfers(*verb, result);
    add_keeping(*verb, result);
    verb->footer("Do not add to a filter while one of these commands works on it.\n"
                 "Example: bloomery redis push --redis redis://127.0.0.1 words.bloom words");
}

} // namespace bloomery::cli
