// bloomery formats: whose files can be read and written.
#include <bloomery/format/foreign.hpp>

#include "command.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

void print_formats_json() {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const format::foreign_format* const one : format::foreign_formats()) {
        all.push_back({{"name", one->name},
                       {"what", one->what},
                       {"keys", one->keys},
                       {"needs", one->needs},
                       {"writes", one->encode != nullptr},
                       {"creates", one->create != nullptr}});
    }
    fmt::print("{}\n", all.dump(2));
}

void print_formats_text() {
    fmt::print("{:<20} {:<10} {:<8} {}\n", "NAME", "", "KEYS", "WHAT");
    fmt::print("{:<20} {:<10} {:<8} {}\n", "native", "read write", "bytes",
               "bloomery's own files, which keep the hash of any of these");
    for (const format::foreign_format* const one : format::foreign_formats()) {
        fmt::print("{:<20} {:<10} {:<8} {}{}\n", one->name,
                   one->encode == nullptr ? "read" : "read write", one->keys, one->what,
                   one->needs.empty() ? "" : fmt::format(" (needs {})", one->needs));
    }
}

} // namespace

void add_formats(CLI::App& app, int& result) {
    auto json = std::make_shared<bool>(false);
    CLI::App* verb =
        app.add_subcommand("formats", "List the formats of filters that can be read and written");
    verb->add_flag("--json", *json, "Print an array of objects instead of text");
    verb->footer("KEYS is what --key is if it is left out. What a format needs is given with it:\n"
                 "Example: bloomery test --format redisson,bits=1917,hashes=7 bitmap somebody");
    verb->callback([json, &result] {
        *json ? print_formats_json() : print_formats_text();
        result = some;
    });
}

} // namespace bloomery::cli
