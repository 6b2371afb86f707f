// The options of a verb that reads keys.
#include <bloomery/error.hpp>

#include "command.hpp"
#include "keys.hpp"
#include "quoted.hpp"

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
            "--key", [&to](const std::string& name) { to.kind = parse_key_kind(name); },
            "What a key is: its bytes (the default, unless the filter is of another system), the "
            "integer that it spells (int), or what another "
            "system makes of that text or number")
        ->type_name(fmt::format("{}", fmt::join(key_kind_names(), "|")))
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
            "What stands between fields (default: tab)")
        ->type_name("CHAR")
        ->group("Keys");
    verb.add_flag("--crlf", to.format.crlf,
                  "Leave out a carriage return at the end of a record, and a byte order mark at "
                  "the start of the input: for text files from Windows")
        ->group("Keys");
    verb.add_flag("--as-is", to.format.as_is,
                  "Take the bytes of compressed input for keys, instead of unpacking it")
        ->group("Keys");
    add_key_kind_option(verb, to);
}

void add_key_options(CLI::App& verb, key_options& to, const char* delimiter) {
    add_record_options(verb, to, delimiter);
    verb.add_option(
        "INPUT", to.inputs,
        "Files of keys, which may be compressed by gzip or zstd; standard input if none, or for -");
}

} // namespace bloomery::cli
