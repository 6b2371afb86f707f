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

const char* over_limit_text(const char* limit, const char* machine) noexcept {
    return is_limited() ? limit : machine;
}

namespace {

constexpr const char* memory_limit_name = "bf-memory-usage-limit";
constexpr whole_range memory_limits{0, std::numeric_limits<long long>::max()};

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

std::array<setting, 8> all_settings{{
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

int set_memory_limit(const char* /*name*/, long long to, void* /*of*/, text** /*why*/) {
    configured.memory_limit = to;
    return ok;
}

long long get_memory_limit(const char* /*name*/, void* /*of*/) { return configured.memory_limit; }

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
    if (is_word(name, memory_limit_name)) {
        const std::optional<long long> limit = memory_in(view(value));
        if (!limit) {
            return std::string(memory_limit_name)
                .append(" must be a number of bytes, such as 134217728 or 128mb");
        }
        configured.memory_limit = *limit;
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
/// Servers before 8 are not asked: they would write a line to their log each time.
template <class Register>
bool with_or_without_prefix(Register as) {
    static bool may_try = server.server_version != nullptr && server.server_version() >> 16 >= 8;
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
    for (setting& one : all_settings) {
        if (!register_one(in, one)) {
            server.log(in, "warning", "The server rejected the setting `%s`", one.name);
            return failed;
        }
    }
    const bool registered = with_or_without_prefix([&](unsigned flags) {
        return server.register_number_config(in, memory_limit_name, configured.memory_limit,
                                             flags | config_is_memory, memory_limits.least,
                                             memory_limits.most, get_memory_limit, set_memory_limit,
                                             nullptr, nullptr);
    });
    return registered ? server.load_configs(in) : failed;
}

} // namespace bloomery::redis_module
