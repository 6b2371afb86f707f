#include "options/shape_options.hpp"

#include <bloomery/error.hpp>

#include "command.hpp"
#include "options/number_options.hpp"
#include "wording.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace bloomery::cli {

void add_goal_options(CLI::App& verb, shape_options& to) {
    add_number(verb, "-n,--items", to.n, "N", "Number of distinct keys: 1000000, 10M, 1e9");
    add_number(verb, "-p,--rate", to.p, "P", "False-positive rate: 1%, 0.001, 1e-6, 1in1000");
}

void add_array_options(CLI::App& verb, shape_options& to) {
    add_number(verb, "-b,--bytes", to.memory, "SIZE", "The memory to use: 64MiB, 10MB");
    add_number(verb, "-m,--bits", to.m, "M", "The number of bits");
    verb.add_option_function<std::string>(
            "-k,--hashes",
            [&to](const std::string& s) {
                // Filters of other systems have limits of their own, and Go's takes 0 as 1.
                const std::uint64_t count = parse_count(s);
                if (count > plan::max_foreign_hash_count) {
                    throw bad_argument(fmt::format("-k takes at most {} hashes per key, not {}",
                                                   plan::max_foreign_hash_count, count));
                }
                to.k = hashes{static_cast<std::uint32_t>(count)};
            },
            "Number of hashes per key (default: the best one)")
        ->type_name("K");
}

void add_layout_option(CLI::App& verb, shape_options& to) {
    std::vector<std::string> known;
    known.reserve(plan::all_layouts.size());
    for (const plan::layout_facts& facts : plan::all_layouts) known.emplace_back(facts.name);
    verb.add_option_function<std::string>(
            "--layout",
            [&to, known](const std::string& name) {
                to.layout = plan::layout_named(name);
                if (!to.layout) refuse_unknown("layout", name, known);
            },
            "Where a key's bits are: anywhere (classic), or in one cache line (blocked, split)")
        ->type_name(fmt::format("{}", fmt::join(known, "|")));
}

void add_kind_option(CLI::App& verb, shape_options& to) {
    verb.add_option_function<std::string>(
            "--kind", [&to](const std::string& said) { to.kind = parse_kind(said); },
            fmt::format("The kind of filter ({}), with its parameters: counting,layout=blocked "
                        "or window,span=24h",
                        fmt::join(kind_names(), ", ")))
        ->type_name("KIND[,PARAMETER=VALUE...]");
}

native_hash hash_of(std::uint64_t seed, const std::optional<hash::sip_key>& secret) {
    if (secret && seed != 0) {
        throw bad_argument("a keyed filter has a secret instead of a seed; leave --seed out");
    }
    return secret ? native_hash::keyed(*secret) : native_hash::seeded(seed);
}

void check_hash_count(const shape_options& said) {
    if (said.k && (said.k->value == 0 || said.k->value > plan::max_hash_count)) {
        throw bad_argument(fmt::format("-k takes 1 to {} hashes per key, not {}",
                                       plan::max_hash_count, said.k->value));
    }
}

any_filter new_filter(const shape_options& said, const std::optional<hash::sip_key>& secret) {
    if (!said.kind.is_bloom() && (!said.n || said.m || said.k || said.memory || said.layout)) {
        throw bad_argument(fmt::format(
            "a filter of the kind {} is made from -n and -p; it takes no --bits, -k, --bytes or "
            "--layout",
            name_of(said.kind.kind)));
    }
    check_hash_count(said);
    filter_request request = said;
    request.hash = hash_of(said.seed, secret);
    return make_filter(request);
}

} // namespace bloomery::cli
