#include <bloomery/guard/numbers.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace bloomery::inline v0 {

namespace {

/// The Prometheus type of a number: counter or gauge.
enum class family : std::uint8_t { counter, gauge };

using count = std::uint64_t guard_numbers::*;
using fact = bool guard_numbers::*;
using share = double guard_numbers::*;

/// A number, with its name in JSON and in Prometheus.
struct row {
    std::string_view name;
    std::variant<count, fact, share> where;
    family is;
    std::string_view help;
};

using n = guard_numbers;
using enum family;

constexpr std::array rows{
    row{"asked", &n::asked, counter, "Keys requested."},
    row{"refused", &n::refused, counter, "Keys denied by the filter."},
    row{"excepted", &n::excepted, counter, "Keys denied by the list of exceptions."},
    row{"joined", &n::joined, counter, "Keys that shared the lookup of another thread."},
    row{"cache_hits", &n::cache_hits, counter, "Values from the cache."},
    row{"cache_absences", &n::cache_absences, counter, "Absences from the cache."},
    row{"source_hits", &n::source_hits, counter, "Values from the source."},
    row{"false_positives", &n::false_positives, counter,
        "False positives: the filter said maybe, the source no."},
    row{"unfiltered_absences", &n::unfiltered_absences, counter,
        "The source said no while there was no filter."},
    row{"failed", &n::failed, counter, "Keys for which the source was down or refused."},
    row{"puts", &n::puts, counter, "Puts started."},
    row{"updates", &n::updates, counter, "Puts of keys that the source already had."},
    row{"erases", &n::erases, counter, "Erases started."},
    row{"leftovers", &n::leftovers, gauge,
        "Keys erased from the source since the last build that are still in the filter."},
    row{"uncertain", &n::uncertain, counter, "Puts that failed with an unknown outcome."},
    row{"cache_failures", &n::cache_failures, counter, "Calls to the cache that failed."},
    row{"source_failures", &n::source_failures, counter, "Calls to the source that failed."},
    row{"ready", &n::ready, gauge, "Whether there is a filter."},
    row{"rebuilding", &n::rebuilding, gauge, "Whether a filter is being built."},
    row{"rebuilds", &n::rebuilds, counter, "Filters built from a full scan."},
    row{"failed_rebuilds", &n::failed_rebuilds, counter,
        "Filters and layers that could not be built."},
    row{"caught_up", &n::caught_up, counter, "Keys read from the source by catching up."},
    row{"scanned", &n::scanned, gauge, "Keys read by the current or the last scan."},
    row{"layers", &n::layers, gauge, "Layers of the filter: one more each time it has grown."},
    row{"item_capacity", &n::item_capacity, gauge, "Capacity of the filter in keys."},
    row{"estimated_items", &n::estimated_items, gauge, "Estimated number of keys in the filter."},
    row{"filter_bytes", &n::filter_bytes, gauge, "Memory of the filter."},
    row{"exceptions", &n::exceptions, gauge, "Entries in the list of exceptions."},
    row{"planned_rate", &n::planned_rate, gauge, "Planned false-positive rate."},
    row{"present_rate", &n::present_rate, gauge,
        "False-positive rate computed from the contents of the filter."},
    row{"measured_rate", &n::measured_rate, gauge,
        "Share of false positives among the distinct absent keys that reached the filter."},
};

/// Where time was spent.
struct place {
    std::string_view name;
    guard_time guard_numbers::* where;
    std::string_view help;
};

constexpr std::array places{
    place{"filter_time", &n::filter_time, "Time in the filter, for a sample of the calls."},
    place{"cache_time", &n::cache_time, "Time in calls to the cache."},
    place{"source_time", &n::source_time, "Time in calls to the source."},
};

void append(std::string& to, std::uint64_t value) { to.append(std::to_string(value)); }

/// The shortest text that reads back as the same number, whatever the locale.
void append(std::string& to, double value) {
    std::array<char, 32> digits; // NOLINT: filled by to_chars
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    to.append(digits.data(), end);
}

double seconds(const guard_time& of) { return std::chrono::duration<double>(of.total).count(); }

/// How a format spells what is not a number.
struct spelling {
    std::string_view yes;
    std::string_view no;
    std::string_view nan;
    std::string_view infinite;
    std::string_view minus_infinite;
};
constexpr spelling in_json{"true", "false", "null", "null", "null"}; // JSON has no other way
constexpr spelling in_prometheus{"1", "0", "NaN", "+Inf", "-Inf"};

void append(std::string& to, const row& of, const guard_numbers& in, const spelling& as) {
    if (const auto* const whole = std::get_if<count>(&of.where)) return append(to, in.**whole);
    if (const auto* const yes = std::get_if<fact>(&of.where)) {
        to.append(in.**yes ? as.yes : as.no);
        return;
    }
    const double value = in.*std::get<share>(of.where);
    if (std::isfinite(value)) return append(to, value);
    to.append(std::isnan(value) ? as.nan : value > 0 ? as.infinite : as.minus_infinite);
}

/// `"name":`, with a comma before it unless it is the first.
void append_name(std::string& to, std::string_view name) {
    if (to.back() != '{') to.push_back(',');
    to.append("\"").append(name).append("\":");
}

/// Builds the text format of Prometheus.
class exposition {
public:
    explicit exposition(std::string_view labels) : labels_(labels) {}

    void begin(std::string_view name, std::string_view type, std::string_view help) {
        name_.assign("bloomery_guard_").append(name);
        text_.append("# HELP ").append(name_).append(" ").append(help).append("\n");
        text_.append("# TYPE ").append(name_).append(" ").append(type).append("\n");
    }

    /// Starts a line of the family; the number and the line end must follow.
    std::string& sample(std::string_view suffix = {}, std::string_view label = {}) {
        text_.append(name_).append(suffix);
        if (!labels_.empty() || !label.empty()) {
            text_.append("{").append(labels_);
            if (!labels_.empty() && !label.empty()) text_.append(",");
            text_.append(label).append("}");
        }
        return text_.append(" ");
    }

    void end() { text_.append("\n"); }

    [[nodiscard]] std::string text() && { return std::move(text_); }

private:
    std::string_view labels_;
    std::string name_;
    std::string text_;
};

} // namespace

std::string_view name_of(alarm_kind kind) noexcept {
    constexpr std::array<std::string_view, alarm_kinds> names{"overfull", "crafted_fill",
                                                              "crafted_keys", "stale"};
    const auto at = static_cast<std::size_t>(kind);
    return at < names.size() ? names[at] : "unknown";
}

std::string to_json(const guard_numbers& numbers) {
    std::string text = "{";
    for (const row& each : rows) {
        append_name(text, each.name);
        append(text, each, numbers, in_json);
    }
    append_name(text, "alarms");
    text.append("{");
    for (std::size_t i = 0; i < alarm_kinds; ++i) {
        append_name(text, name_of(static_cast<alarm_kind>(i)));
        append(text, numbers.alarms[i]);
    }
    text.append("}");
    for (const place& each : places) {
        const guard_time& spent = numbers.*each.where;
        append_name(text, each.name);
        text.append("{\"calls\":");
        append(text, spent.calls);
        text.append(",\"seconds\":");
        append(text, seconds(spent));
        text.append("}");
    }
    return text.append("}");
}

std::string to_prometheus(const guard_numbers& numbers, std::string_view labels) {
    exposition out(labels);
    for (const row& each : rows) {
        const bool grows = each.is == counter;
        out.begin(std::string(each.name).append(grows ? "_total" : ""), grows ? "counter" : "gauge",
                  each.help);
        append(out.sample(), each, numbers, in_prometheus);
        out.end();
    }
    out.begin("alarms_total", "counter", "Alarms that were raised, by kind.");
    for (std::size_t i = 0; i < alarm_kinds; ++i) {
        const std::string_view name = name_of(static_cast<alarm_kind>(i));
        append(out.sample({}, std::string("kind=\"").append(name).append("\"")), numbers.alarms[i]);
        out.end();
    }
    for (const place& each : places) {
        const guard_time& spent = numbers.*each.where;
        const std::string_view where = each.name.substr(0, each.name.find("_time"));
        out.begin(std::string(where).append("_seconds"), "summary", each.help);
        append(out.sample("_sum"), seconds(spent));
        out.end();
        append(out.sample("_count"), spent.calls);
        out.end();
    }
    return std::move(out).text();
}

} // namespace bloomery::inline v0
