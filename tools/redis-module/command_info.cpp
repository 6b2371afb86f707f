#include "command_info.hpp"

#include <string>
#include <vector>

namespace bloomery::redis_module {

namespace {

constexpr int through_last = -1;

key_spec keys_at(int first, int last, std::uint64_t flags) {
    return {.notes = nullptr,
            .flags = flags,
            .begin = key_search::index,
            .at = {.index = {first}},
            .find = key_find::range,
            .keys = {.range = {last, 1, 0}}};
}

/// The server copies what it is given, so nothing here has to last.
int describe(command* what, const command_entry& entry) {
    const bool many = entry.more_key_flags != 0;
    std::vector<key_spec> keys{keys_at(1, 0, entry.key_flags)};
    if (many) keys.push_back(keys_at(2, through_last, entry.more_key_flags));
    keys.push_back({});
    std::vector<argument> arguments{
        {.name = "key", .type = argument_type::key, .key_spec_index = 0}};
    for (const argument* one = entry.arguments; one != nullptr && one->name != nullptr; ++one) {
        arguments.push_back(*one);
    }
    arguments.push_back({});
    const command_info info{.version = &this_command_info,
                            .summary = entry.summary,
                            .complexity = entry.complexity,
                            .since = entry.since,
                            .history = nullptr,
                            .tips = nullptr,
                            .arity = entry.arity,
                            .keys = keys.data(),
                            .arguments = arguments.data()};
    return server.set_command_info(what, &info);
}

} // namespace

int register_commands(context* in, const char* category, std::span<const command_entry> all) {
    const bool has_categories =
        server.add_acl_category != nullptr && server.set_command_acl_categories != nullptr;
    if (has_categories && server.add_acl_category(in, category) != ok) return failed;
    for (const command_entry& entry : all) {
        const int last = entry.more_key_flags != 0 ? through_last : 1;
        if (server.create_command(in, entry.name, entry.run, entry.flags, 1, last, 1) != ok) {
            return failed;
        }
        command* const made = server.get_command(in, entry.name);
        if (made == nullptr || describe(made, entry) != ok) return failed;
        const std::string categories = std::string(entry.acl) + " " + category;
        if (has_categories && server.set_command_acl_categories(made, categories.c_str()) != ok) {
            return failed;
        }
    }
    return ok;
}

} // namespace bloomery::redis_module
