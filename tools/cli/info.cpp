// bloomery info: what is inside a filter, from its header alone.
#include <bloomery/filter/statistics.hpp>
#include <bloomery/hash/hash_id.hpp>

#include "command.hpp"
#include "filter_io.hpp"
#include "quoted.hpp"
#include "units.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace bloomery::cli {

namespace {

struct options {
    std::string path;
    bool json = false;
};

format::native_header header_of(const std::string& path) {
    if (path != "-") return load_header(path);
    std::vector<std::byte> page(format::native_header_bytes);
    page.resize(read_from(input::open("-"), page));
    return naming_standard_input([&] { return format::decode_native_header(page); });
}

void print_json(const format::native_header& h, const statistics& now) {
    nlohmann::ordered_json out{
        {"format", "bloomery"},
        {"version", 1},
        {"kind", "bloom"},
        {"layout", plan::name_of(h.what.shape.layout)},
        {"bits", h.what.shape.bit_count},
        {"hashes", h.what.shape.hash_count},
        {"bytes", h.what.shape.byte_count()},
        {"hash", hash::name(h.what.hash)},
        {"seed", std::to_string(h.what.seed)}, // past 2^53 a JSON number would be rounded
        {"item_capacity", nullptr},
        {"target_rate", nullptr},
        {"bits_set", now.bits_set},
        {"fill_ratio", now.fill_ratio},
        {"estimated_items", nullptr},
        {"standard_error", nullptr},
        {"saturated", now.items.saturated},
        {"fpp", now.expected_fpp},
        {"sealed", h.state.sealed},
        {"secret_kept", h.secret.has_value()},
        {"comment", h.comment}};
    if (h.made_for.item_capacity != 0) out["item_capacity"] = h.made_for.item_capacity;
    if (h.made_for.target_rate != 0) out["target_rate"] = h.made_for.target_rate;
    if (!now.items.saturated) {
        out["estimated_items"] = now.items.items;
        out["standard_error"] = now.items.standard_error;
    }
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const format::native_header& h, const statistics& now) {
    const plan::shape& shape = h.what.shape;
    fmt::print("kind      bloom, {} layout, {} bits ({}), {} hashes a key\n",
               plan::name_of(shape.layout), format_count(shape.bit_count),
               format_bytes(shape.byte_count()), shape.hash_count);
    fmt::print("hash      {}, seed {}\n", hash::name(h.what.hash), h.what.seed);
    if (h.made_for.item_capacity != 0) {
        fmt::print("made for  {} keys{}\n", format_count(h.made_for.item_capacity),
                   h.made_for.target_rate == 0
                       ? ""
                       : fmt::format(" at a rate of {}", format_rate(h.made_for.target_rate)));
    }
    if (now.items.saturated) {
        fmt::print("holds     more than it can tell: every bit is set\n");
    } else {
        fmt::print("holds     about {} keys (standard error {:.0f})\n",
                   format_count(static_cast<std::uint64_t>(std::llround(now.items.items))),
                   now.items.standard_error);
    }
    fmt::print("fill      {:.2f} % of the bits are set\n", 100 * now.fill_ratio);
    fmt::print("rate now  {} ({})\n", format_rate(now.expected_fpp),
               format_one_in(now.expected_fpp));
    if (h.secret) fmt::print("secret    kept in the file\n");
    if (!h.state.sealed) {
        fmt::print("state     open: a writer is adding to it, or died at it; the counts are those "
                   "of the last sync\n");
    }
    if (!h.comment.empty()) fmt::print("comment   {}\n", in_quotes(h.comment));
}

int run(const options& o) {
    const format::native_header header = header_of(o.path);
    const statistics now = statistics_of(header.what.shape, header.state.bits_set);
    o.json ? print_json(header, now) : print_text(header, now);
    return some;
}

} // namespace

void add_info(CLI::App& app, int& result) {
    auto o = std::make_shared<options>();
    CLI::App* verb = app.add_subcommand("info", "Tell what a filter is and how full");
    verb->add_option("FILTER", o->path, "The filter; - for standard input")->required();
    verb->add_flag("--json", o->json, "Print an object instead of text");
    verb->footer("Reads the header only; bloomery verify checks the bits too.\n"
                 "Example: bloomery info words.bloom");
    verb->callback([o, &result] { result = run(*o); });
}

} // namespace bloomery::cli
