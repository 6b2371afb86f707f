#include "json_output.hpp"

#include <bloomery/error.hpp>
#include <bloomery/plan/layout_kind.hpp>

#include "command.hpp"

#include <nlohmann/json.hpp>

namespace bloomery::cli {

using object = nlohmann::ordered_json;

std::string json_line(const object& of) {
    return of.dump(-1, ' ', false, object::error_handler_t::replace) + '\n';
}

std::string json_page(const object& of) {
    return of.dump(2, ' ', false, object::error_handler_t::replace) + '\n';
}

object filter_facts(const spec& what, const design& made_for, const statistics& now) {
    object out{{"kind", name_of(what.kind)},       {"layout", plan::name_of(what.shape.layout)},
               {"bits", what.shape.bit_count},     {"hashes", what.shape.hash_count},
               {"bytes", what.shape.byte_count()}, {"item_capacity", nullptr},
               {"target_rate", nullptr},           {"bits_set", now.bits_set},
               {"fill_ratio", now.fill_ratio},     {"estimated_items", nullptr},
               {"saturated", now.items.saturated}, {"fpp", now.expected_fpp}};
    if (made_for.item_capacity != 0) out["item_capacity"] = made_for.item_capacity;
    if (made_for.target_rate != 0) out["target_rate"] = made_for.target_rate;
    if (!now.items.saturated) out["estimated_items"] = now.items.items;
    return out;
}

object filter_facts(const any_filter& of) {
    return filter_facts(of.spec(), of.made_for(), of.stats());
}

void add_json_flag(CLI::App& verb, bool& to, const char* what) {
    verb.add_flag("--json", to, what);
}

void keep_output_for_json(bool json, const std::string& path) {
    if (json && path == "-") {
        throw bad_argument("--json and the filter would both go to standard output; name a file "
                           "for the filter, or leave --json out");
    }
}

} // namespace bloomery::cli
