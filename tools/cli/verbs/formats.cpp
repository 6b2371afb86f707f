// bloomery formats: whose files can be read and written.
#include <bloomery/format/foreign.hpp>

#include "command.hpp"
#include "output/json_output.hpp"
#include "output/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace bloomery::cli {

namespace {

constexpr const char* native_text = "bloomery's own format, which can store the hash of any of "
                                    "these";

void print_formats_json() {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    all.push_back({{"name", "native"},
                   {"what", native_text},
                   {"keys", "bytes"},
                   {"needs", ""},
                   {"writes", true},
                   {"creates", true}});
    for (const format::foreign_format* const one : format::foreign_formats()) {
        all.push_back({{"name", one->name},
                       {"what", one->what},
                       {"keys", one->keys},
                       {"needs", one->needs},
                       {"writes", one->encode != nullptr},
                       {"creates", one->create != nullptr}});
    }
    fmt::print("{}", json_page(all));
}

void print_formats_text() {
    text_table table({{"NAME"}, {"CAN"}, {"KEYS"}, {"WHAT"}});
    table.add({"native", "read write", "bytes", native_text});
    for (const format::foreign_format* const one : format::foreign_formats()) {
        table.add({std::string(one->name), one->encode == nullptr ? "read" : "read write",
                   std::string(one->keys),
                   fmt::format("{}{}", one->what,
                               one->needs.empty() ? "" : fmt::format(" (needs {})", one->needs))});
    }
    fmt::print("{}", table.text());
}

} // namespace

void add_formats(CLI::App& app, int& result) {
    auto json = std::make_shared<bool>(false);
    CLI::App* verb =
        app.add_subcommand("formats", "List the formats of filters that can be read and written");
    add_json_flag(*verb, *json, "Print a JSON array instead of text");
    verb->footer(
        "KEYS is the default of --key. The parameters that a format needs follow its name:\n"
        "Example: bloomery test --format redisson,bits=1917,hashes=7 bitmap somebody");
    verb->callback([json, &result] {
        *json ? print_formats_json() : print_formats_text();
        result = some;
    });
}

} // namespace bloomery::cli
