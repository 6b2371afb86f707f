// bloomery doctor: what this build and this machine do, and whether they do it right.
#include <bloomery/detail/kernel/instructions.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/version.hpp>

#include "command.hpp"
#include "machine.hpp"
#include "output/json_output.hpp"
#include "standard_streams.hpp"
#include "verbs/self_test.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

namespace {

// What the compiler was allowed to use in calls for a single key, which are inlined.
#define BLOOMERY_TEXT_OF(name) #name // NOLINT(cppcoreguidelines-macro-usage): names need a macro
#define BLOOMERY_TEXT(name) BLOOMERY_TEXT_OF(name) // NOLINT(cppcoreguidelines-macro-usage)
constexpr std::string_view single_key_vectors = BLOOMERY_TEXT(BLOOMERY_LANES);
#undef BLOOMERY_TEXT
#undef BLOOMERY_TEXT_OF

struct findings {
    machine here;
    std::vector<kernel::id> usable;
    bool kernel_was_asked_for = false; ///< by BLOOMERY_KERNEL, which main has found to be good
    std::optional<std::string> complaint;
    self_test_result tested{};
};

findings examine() {
    findings found;
    found.here = look_at_machine();
    const char* const asked = std::getenv("BLOOMERY_KERNEL"); // NOLINT(concurrency-mt-unsafe)
    found.kernel_was_asked_for = asked != nullptr && *asked != '\0'; // empty is unset: kernel.hpp
    for (const kernel::id each : kernel::all) {
        if (kernel::is_usable(each)) found.usable.push_back(each);
    }
    try {
        found.tested = test_kernels(found.usable);
    } catch (const disagreement& e) {
        found.complaint = e.what(); // the facts are printed first: a report needs them
    }
    return found;
}

void print_doctor_json(const findings& found) {
    using json = nlohmann::ordered_json;
    const auto or_null = [](const auto& known) { return known ? json(*known) : json(); };
    json out{{"version", version},
             {"compiler", compiler},
             {"single_key_vectors", single_key_vectors},
             {"processor", or_null(found.here.processor)},
             {"kernels", json::array()},
             {"kernel", kernel::name_of(kernel::active())},
             {"kernel_from", found.kernel_was_asked_for ? "BLOOMERY_KERNEL" : "processor"},
             {"families", json::array()},
             {"l2_cache_bytes", kernel::cache_byte_count()},
             {"memory_bytes", or_null(found.here.memory_bytes)},
             {"huge_pages", or_null(found.here.huge_pages)},
             {"kernels_agree", !found.complaint}};
    for (const kernel::id each : kernel::all) {
        out["kernels"].push_back(
            {{"name", kernel::name_of(each)}, {"usable", kernel::is_usable(each)}});
    }
    for (const kernel::family& each : kernel::families()) {
        out["families"].push_back({{"name", each.name}, {"kernel", kernel::name_of(each.code)}});
    }
    fmt::print("{}", json_page(out));
}

void print_kernels(const findings& found) {
    std::string_view label = "kernels";
    for (const kernel::id each : kernel::all) {
        std::string state = kernel::is_usable(each) ? "usable" : "not usable";
        if (each == kernel::active()) {
            state = found.kernel_was_asked_for ? "in use, set by BLOOMERY_KERNEL"
                                               : "in use, the best for this processor";
        }
        fmt::print("{:<12}{:<17}{}\n", label, kernel::name_of(each), state);
        label = "";
    }
    label = "families";
    for (const kernel::family& each : kernel::families()) {
        fmt::print("{:<12}{:<17}{}\n", label, each.name, kernel::name_of(each.code));
        label = "";
    }
}

void print_doctor_text(const findings& found) {
    const auto line = [](std::string_view label, const std::string& text) {
        fmt::print("{:<12}{}\n", label, text);
    };
    const machine& here = found.here;
    line("version", fmt::format("bloomery {}", version));
    line("compiler",
         fmt::format("{}; single keys with {} instructions", compiler, single_key_vectors));
    line("processor", here.processor.value_or("unknown"));
    print_kernels(found);
    line("L2 cache", format_bytes(kernel::cache_byte_count()));
    line("memory", here.memory_bytes ? format_bytes(*here.memory_bytes) : "unknown");
    line("huge pages", here.huge_pages.value_or("unknown"));
    line("self-test",
         found.complaint ? "failed"
                         : fmt::format("kernels agree: {} keys in each of {} layouts",
                                       grouped(found.tested.key_count), found.tested.layout_count));
}

int run_doctor(bool json) {
    const findings found = examine();
    json ? print_doctor_json(found) : print_doctor_text(found);
    if (!found.complaint) return some;
    warn(*found.complaint);
    return trouble;
}

} // namespace

void add_doctor(CLI::App& app, int& result) {
    auto json = std::make_shared<bool>(false);
    CLI::App* verb =
        app.add_subcommand("doctor", "Show what this build uses on this machine, and test it");
    add_json_flag(*verb, *json);
    verb->footer("The library uses the best kernel that the processor supports;\n"
                 "the environment variable BLOOMERY_KERNEL selects another.\n"
                 "A family is a set of functions that kernels have versions of.\n"
                 "Exit status: 0 if all kernels agree, 2 if they do not.\n"
                 "Example: BLOOMERY_KERNEL=scalar bloomery doctor");
    verb->callback([json, &result] { result = run_doctor(*json); });
}

} // namespace bloomery::cli
