#include "settings.hpp"

#include "call.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::redis_module {

settings configured;

whole_range cuckoo_bucket_sizes() noexcept {
    return {1, std::min(255LL, configured.cuckoo_capacity / 2)};
}

whole_range cuckoo_capacities() noexcept {
    return {configured.cuckoo_bucket_size * 2, cuckoo_largest_capacity};
}

namespace {

std::uint64_t memory_of_machine() noexcept {
    static const auto all = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return all;
}

bool is_limited() noexcept {
    return configured.memory_limit != 0 &&
           static_cast<std::uint64_t>(configured.memory_limit) <= memory_of_machine();
}

} // namespace

std::uint64_t most_bytes(bool must_obey) noexcept {
    if (must_obey) return std::numeric_limits<std::uint64_t>::max();
    return is_limited() ? static_cast<std::uint64_t>(configured.memory_limit) : memory_of_machine();
}

filter_limits bloom_limits(bool must_obey) noexcept {
    if (must_obey) return most_bytes(must_obey);
    return {most_bytes(must_obey), static_cast<std::uint64_t>(configured.bloom_most_layers)};
}

std::uint64_t most_loaded_cuckoo_filters(bool must_obey) noexcept {
    constexpr long long least = 1024; // a filter may grow beyond the setting in one call
    if (must_obey) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::max(least, configured.cuckoo_most_filters));
}

const char* over_limit_text(const char* limit, const char* machine) noexcept {
    return is_limited() ? limit : machine;
}

namespace {

constexpr const char* check_name = "bf-check-maxmemory";
constexpr whole_range memory_limits{0, std::numeric_limits<long long>::max()};

/// A setting that the server knows as an amount of memory.
struct memory_setting {
    const char* name;
    long long* bytes;
};
std::array<memory_setting, 2> memory_settings{{
    {"bf-memory-usage-limit", &configured.memory_limit},
    {"bf-merge-limit", &configured.merge_limit},
}};

/// A setting that the server knows as a text. Exactly one of the two values is there.
struct setting {
    const char* name;
    const char* former_name; ///< that of RedisBloom before its version 8; null if it had none
    long long* whole;
    double* rate;
    whole_range (*range)() noexcept;
    text* shown = nullptr; ///< what CONFIG GET says

    /// Takes a value. Returns why not, or an empty text.
    std::string take(const text* from);
    void show(text* as) {
        if (shown != nullptr) server.free_text(nullptr, shown);
        shown = as;
    }
};

template <const whole_range& Range>
whole_range fixed() noexcept {
    return Range;
}

constexpr whole_range cuckoo_filter_counts{1, 65536};
constexpr whole_range bloom_layer_counts{1, 65536};
constexpr whole_range time_limits{0, 3'600'000};

std::array<setting, 10> all_settings{{
    {"bf-error-rate", "ERROR_RATE", nullptr, &configured.bloom_rate, nullptr},
    {"bf-initial-size", "INITIAL_SIZE", &configured.bloom_capacity, nullptr,
     fixed<bloom_capacities>},
    {"bf-expansion-factor", nullptr, &configured.bloom_expansion, nullptr, fixed<bloom_expansions>},
    {"cf-bucket-size", nullptr, &configured.cuckoo_bucket_size, nullptr, cuckoo_bucket_sizes},
    {"cf-initial-size", nullptr, &configured.cuckoo_capacity, nullptr, cuckoo_capacities},
    {"cf-max-iterations", nullptr, &configured.cuckoo_iterations, nullptr,
     fixed<cuckoo_iterations>},
    {"cf-expansion-factor", nullptr, &configured.cuckoo_expansion, nullptr,
     fixed<cuckoo_expansions>},
    {"cf-max-expansions", "CF_MAX_EXPANSIONS", &configured.cuckoo_most_filters, nullptr,
     fixed<cuckoo_filter_counts>},
    {"bf-max-expansions", nullptr, &configured.bloom_most_layers, nullptr,
     fixed<bloom_layer_counts>},
    {"bf-time-limit", nullptr, &configured.time_limit, nullptr, fixed<time_limits>},
}};

std::string setting::take(const text* from) {
    const std::string quoted = std::string("`").append(name).append("`");
    if (rate != nullptr) {
        double value = 0;
        if (server.to_double(from, &value) != ok) return "Invalid value for " + quoted;
        if (!(value > 0 && value < 1)) {
            return "Value for " + quoted + " must be in the range (0.000000, 1.000000)";
        }
        *rate = std::min(value, largest_rate);
        return {};
    }
    long long value = 0;
    if (server.to_number(from, &value) != ok) return "Invalid value for " + quoted;
    const whole_range allowed = range();
    if (!allowed.has(value)) {
        return "Value for " + quoted + " must be in the range " + allowed.text();
    }
    *whole = value;
    return {};
}

text* shown_text(const setting& of) {
    const std::string value = of.rate != nullptr ? exact_text(*of.rate) : std::to_string(*of.whole);
    return server.create_text(nullptr, value.data(), value.size());
}

int set_setting(const char* /*name*/, text* to, void* of, text** why) {
    auto& one = *static_cast<setting*>(of);
    const std::string reason = one.take(to);
    if (!reason.empty()) {
        *why = server.create_text(nullptr, reason.data(), reason.size());
        return failed;
    }
    one.show(shown_text(one));
    return ok;
}

text* get_setting(const char* /*name*/, void* of) { return static_cast<setting*>(of)->shown; }

int set_memory_limit(const char* /*name*/, long long to, void* of, text** /*why*/) {
    *static_cast<memory_setting*>(of)->bytes = to;
    return ok;
}

long long get_memory_limit(const char* /*name*/, void* of) {
    return *static_cast<memory_setting*>(of)->bytes;
}

int set_check(const char* /*name*/, int to, void* /*of*/, text** /*why*/) {
    configured.checks_maxmemory = to != 0;
    return ok;
}

int get_check(const char* /*name*/, void* /*of*/) { return configured.checks_maxmemory ? 1 : 0; }

/// An amount of memory as the server's own settings have it.
std::optional<long long> memory_in(std::string_view text) {
    long long number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string unit(rest, text.data() + text.size());
    for (char& c : unit) c = static_cast<char>(c | 0x20);
    constexpr std::array<std::pair<std::string_view, long long>, 8> units{
        {{"", 1},
         {"b", 1},
         {"k", 1000},
         {"kb", 1LL << 10},
         {"m", 1000 * 1000},
         {"mb", 1LL << 20},
         {"g", 1000LL * 1000 * 1000},
         {"gb", 1LL << 30}}};
    const auto* const known =
        std::ranges::find(units, unit, &std::pair<std::string_view, long long>::first);
    if (error != std::errc{} || number < 0 || known == units.end() ||
        number > memory_limits.most / known->second) {
        return std::nullopt;
    }
    return number * known->second;
}

/// An argument of MODULE LOAD and its value. Returns why not, or an empty text.
std::string take_argument(const text* name, const text* value) {
    for (const memory_setting& one : memory_settings) {
        if (!is_word(name, one.name)) continue;
        const std::optional<long long> limit = memory_in(view(value));
        if (!limit) {
            return std::string(one.name).append(
                " must be a number of bytes, such as 134217728 or 128mb");
        }
        *one.bytes = *limit;
        return {};
    }
    if (is_word(name, check_name)) {
        const bool yes = is_word(value, "yes");
        if (!yes && !is_word(value, "no"))
            return std::string(check_name).append(" must be yes or no");
        configured.checks_maxmemory = yes;
        return {};
    }
    for (setting& one : all_settings) {
        if (is_word(name, one.name) ||
            (one.former_name != nullptr && is_word(name, one.former_name))) {
            return one.take(value);
        }
    }
    return "Unrecognized option `" + std::string(view(name)) + "`";
}

/// Registers with a name of its own or, where the server does not know that flag, with its prefix.
/// Servers before 8, and Valkey, are not asked: they would write a line to their log each time.
template <class Register>
bool with_or_without_prefix(Register as) {
    static bool may_try = !server_is_valkey() && server.server_version != nullptr &&
                          server.server_version() >> 16 >= 8;
    if (may_try && as(config_without_prefix) == ok) return true;
    may_try = false;
    return as(0U) == ok;
}

bool register_one(context* in, setting& one) {
    one.show(shown_text(one));
    const std::string initial(view(one.shown));
    return with_or_without_prefix([&](unsigned flags) {
        return server.register_text_config(in, one.name, initial.c_str(), flags, get_setting,
                                           set_setting, nullptr, &one);
    });
}

bool register_one(context* in, memory_setting& one) {
    return with_or_without_prefix([&](unsigned flags) {
        return server.register_number_config(in, one.name, *one.bytes, flags | config_is_memory,
                                             memory_limits.least, memory_limits.most,
                                             get_memory_limit, set_memory_limit, nullptr, &one);
    });
}

/// Returns `failed`, with its name in the log, if the server rejects one.
template <class Setting, std::size_t Count>
int register_each(context* in, std::array<Setting, Count>& all) {
    for (Setting& one : all) {
        if (!register_one(in, one)) {
            server.log(in, "warning", "The server rejected the setting `%s`", one.name);
            return failed;
        }
    }
    return ok;
}

} // namespace

int register_settings(context* in, std::span<text*> arguments) {
    // A packer of modules loads them with one empty argument.
    if (arguments.size() == 1 && view(arguments[0]).empty()) arguments = {};
    if (arguments.size() % 2 != 0) {
        server.log(in, "warning", "Module arguments come in pairs: a name and its value");
        return failed;
    }
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
        const std::string why = take_argument(arguments[i], arguments[i + 1]);
        if (!why.empty()) {
            server.log(in, "warning", "%s", why.c_str());
            return failed;
        }
    }
    if (register_each(in, all_settings) != ok || register_each(in, memory_settings) != ok) {
        return failed;
    }
    const bool registered = with_or_without_prefix([&](unsigned flags) {
        return server.register_bool_config(in, check_name, configured.checks_maxmemory ? 1 : 0,
                                           flags, get_check, set_check, nullptr, nullptr);
    });
    return registered ? server.load_configs(in) : failed;
}

} // namespace bloomery::redis_module
