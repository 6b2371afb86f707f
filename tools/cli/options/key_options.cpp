// The options of a verb that reads keys, and what it says of those that have no place.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "input/keys.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>

namespace bloomery::cli {

namespace {

char one_character(const std::string& text, const char* option) {
    if (text == "\\t") return '\t';
    if (text == "\\n") return '\n';
    if (text == "\\0") return '\0';
    if (text.size() == 1) return text.front();
    throw bad_argument(
        fmt::format("{} takes one character (or \\t, \\n, \\0), not {}", option, in_quotes(text)));
}

} // namespace

void add_key_kind_option(CLI::App& verb, key_options& to) {
    verb.add_option_function<std::string>(
            "--key",
            [&to](const std::string& name) { to.kind = key_encoding_named(name, "kind of key"); },
            "What a key is: its bytes (the default, unless the filter is of another system), the "
            "integer that it spells (int), or the encoding of that text or number in another "
            "system")
        ->type_name(fmt::format("{}", fmt::join(key_encoding_names(), "|")))
        ->group("Keys");
}

void add_record_options(CLI::App& verb, key_options& to, const char* delimiter) {
    verb.add_flag_callback(
            "-0,--null", [&to] { to.format.delimiter = '\0'; },
            "Keys end with a NUL byte instead of a newline")
        ->group("Keys");
    verb.add_option_function<std::string>(
            delimiter,
            [&to](const std::string& c) { to.format.delimiter = one_character(c, "--delimiter"); },
            "Keys end with this character")
        ->type_name("CHAR")
        ->group("Keys");
    verb.add_option_function<unsigned>(
            "-f,--field",
            [&to](unsigned number) {
                if (number == 0) throw bad_argument("fields are counted from 1");
                to.format.field = number;
            },
            "The key is this field of the record; a record without it has an empty key")
        ->type_name("N")
        ->group("Keys");
    verb.add_option_function<std::string>(
            "-t,--separator",
            [&to](const std::string& c) {
                to.format.field_separator = one_character(c, "--separator");
            },
            "The field separator (default: tab)")
        ->type_name("CHAR")
        ->group("Keys");
    verb.add_flag("--crlf", to.format.crlf,
                  "Strip a carriage return at the end of each record and a byte order mark at "
                  "the start of the input (text files from Windows)")
        ->group("Keys");
    verb.add_flag("--as-is", to.format.as_is,
                  "Use the bytes of compressed input as keys instead of decompressing it")
        ->group("Keys");
    add_key_kind_option(verb, to);
}

void add_key_options(CLI::App& verb, key_options& to, const char* delimiter) {
    add_record_options(verb, to, delimiter);
    verb.add_option(
        "INPUT", to.inputs,
        "Files of keys, optionally compressed with gzip or zstd; standard input if none are "
        "given, or for -");
}

void add_skip_option(CLI::App& verb, key_options& to) {
    verb.add_flag("--skip-unplaceable", to.skip_unplaceable,
                  "Treat keys that the original system rejects (hutool, hash-code-6, Hadoop) as "
                  "absent instead of exiting with 2")
        ->group("Keys");
}

int judge_places(const unplaceable_keys& found, const std::string& path, const key_options& said,
                 int result) {
    if (found.count() == 0 || said.skip_unplaceable) return result;
    warn(fmt::format("{}: {} cannot be stored in this filter's format and {} skipped, such as {}",
                     path, found.count() == 1 ? "1 key" : grouped(found.count()) + " keys",
                     found.count() == 1 ? "was" : "were", found.example()));
    return trouble;
}

} // namespace bloomery::cli
