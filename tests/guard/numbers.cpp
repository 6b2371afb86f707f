// The numbers of a guard as other programs read them: JSON, and the text form of Prometheus.
#include <bloomery/guard/numbers.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace bloomery::testing {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// Different in every field that a mistake could mix up.
guard_numbers some_numbers() {
    guard_numbers made;
    std::uint64_t next = 1;
    for (auto field : {&guard_numbers::asked,
                       &guard_numbers::refused,
                       &guard_numbers::excepted,
                       &guard_numbers::joined,
                       &guard_numbers::cache_hits,
                       &guard_numbers::cache_absences,
                       &guard_numbers::source_hits,
                       &guard_numbers::false_positives,
                       &guard_numbers::unfiltered_absences,
                       &guard_numbers::failed,
                       &guard_numbers::puts,
                       &guard_numbers::updates,
                       &guard_numbers::erases,
                       &guard_numbers::leftovers,
                       &guard_numbers::uncertain,
                       &guard_numbers::cache_failures,
                       &guard_numbers::source_failures,
                       &guard_numbers::rebuilds,
                       &guard_numbers::failed_rebuilds,
                       &guard_numbers::caught_up,
                       &guard_numbers::scanned,
                       &guard_numbers::layers,
                       &guard_numbers::item_capacity,
                       &guard_numbers::estimated_items,
                       &guard_numbers::filter_bytes,
                       &guard_numbers::exceptions}) {
        made.*field = next++;
    }
    made.ready = true;
    made.planned_rate = 0.01;
    made.present_rate = 1e-7;
    made.measured_rate = 0.25;
    made.alarms = {101, 102, 103, 104};
    made.filter_time = {11, 1500ns};
    made.cache_time = {12, 2s};
    made.source_time = {13, 3500ms};
    return made;
}

TEST(GuardNumbers, AreOneJsonObjectWithTheNamesOfTheStruct) {
    const json read = json::parse(to_json(some_numbers()));
    EXPECT_EQ(read.size(), 35U);
    EXPECT_EQ(read["asked"], 1);
    EXPECT_EQ(read["false_positives"], 8);
    EXPECT_EQ(read["uncertain"], 15);
    EXPECT_EQ(read["exceptions"], 26);
    EXPECT_EQ(read["ready"], true);
    EXPECT_EQ(read["rebuilding"], false);
    EXPECT_EQ(read["planned_rate"], 0.01);
    EXPECT_EQ(read["present_rate"], 1e-7);
    EXPECT_EQ(read["alarms"], json::parse(R"({"overfull": 101, "crafted_fill": 102,
                                              "crafted_keys": 103, "stale": 104})"));
    EXPECT_EQ(read["filter_time"], json::parse(R"({"calls": 11, "seconds": 1.5e-6})"));
    EXPECT_EQ(read["source_time"], json::parse(R"({"calls": 13, "seconds": 3.5})"));
    std::set<json> different;
    for (const auto& [name, value] : read.items()) different.insert(value);
    EXPECT_EQ(different.size(), read.size()) << "one field was read for another";
}

TEST(GuardNumbers, KeepTheLargestCountsInJson) {
    guard_numbers large;
    large.asked = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(json::parse(to_json(large))["asked"], large.asked);
}

TEST(GuardNumbers, SayNullInJsonWhereThereIsNoNumber) {
    guard_numbers odd;
    odd.measured_rate = std::numeric_limits<double>::quiet_NaN();
    odd.present_rate = std::numeric_limits<double>::infinity();
    const json read = json::parse(to_json(odd));
    EXPECT_TRUE(read["measured_rate"].is_null());
    EXPECT_TRUE(read["present_rate"].is_null());
    EXPECT_EQ(read["planned_rate"], 0);
}

/// What a reader of Prometheus takes from the text, by the whole of a sample's name.
struct exposed {
    std::map<std::string, std::string> types{};   ///< by family
    std::map<std::string, std::string> samples{}; ///< name and labels to value
};

/// The family of a sample: of a summary without its suffix.
std::string family_of(const std::string& name, const exposed& read) {
    for (const std::string suffix : {"_sum", "_count"}) {
        if (!name.ends_with(suffix)) continue;
        std::string outer = name.substr(0, name.size() - suffix.size());
        if (read.types.contains(outer) && read.types.at(outer) == "summary") return outer;
    }
    return name;
}

/// Takes no line that is not as it must be.
exposed strictly_read(const std::string& text) {
    static const std::regex help("# HELP ([a-z_]+) [^\\\\]+");
    static const std::regex type("# TYPE ([a-z_]+) (counter|gauge|summary)");
    static const std::regex sample(
        R"re(([a-z_]+)(\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? ([0-9.e+-]+|NaN|[+-]Inf))re");
    exposed read;
    EXPECT_TRUE(text.ends_with('\n'));
    std::istringstream lines(text);
    std::string current;
    std::smatch part;
    for (std::string line; std::getline(lines, line);) {
        if (std::regex_match(line, part, help)) {
            current = part[1];
            EXPECT_FALSE(read.types.contains(current)) << "twice: " << line;
        } else if (std::regex_match(line, part, type)) {
            EXPECT_EQ(part[1], current) << "no HELP before: " << line;
            read.types[current] = part[2];
            EXPECT_EQ(current.ends_with("_total"), part[2] == "counter") << line;
        } else if (std::regex_match(line, part, sample)) {
            EXPECT_EQ(family_of(part[1], read), current) << "outside of its family: " << line;
            EXPECT_TRUE(read.types.contains(current)) << "no TYPE before: " << line;
            EXPECT_TRUE(read.samples.emplace(part[1].str() + part[2].str(), part[3]).second)
                << "twice: " << line;
        } else {
            ADD_FAILURE() << "no line of Prometheus: " << line;
        }
    }
    return read;
}

TEST(GuardNumbers, ArePrometheusTextWithoutLabels) {
    exposed read = strictly_read(to_prometheus(some_numbers()));
    EXPECT_EQ(read.types.size(), 35U);
    EXPECT_EQ(read.samples["bloomery_guard_asked_total"], "1");
    EXPECT_EQ(read.samples["bloomery_guard_leftovers"], "14");
    EXPECT_EQ(read.samples["bloomery_guard_ready"], "1");
    EXPECT_EQ(read.samples["bloomery_guard_rebuilding"], "0");
    EXPECT_EQ(read.samples["bloomery_guard_present_rate"], "1e-07");
    EXPECT_EQ(read.samples["bloomery_guard_alarms_total{kind=\"stale\"}"], "104");
    EXPECT_EQ(read.types["bloomery_guard_source_seconds"], "summary");
    EXPECT_EQ(read.samples["bloomery_guard_source_seconds_sum"], "3.5");
    EXPECT_EQ(read.samples["bloomery_guard_source_seconds_count"], "13");
}

TEST(GuardNumbers, CarryTheLabelsThatTheyAreGiven) {
    const std::string labels = R"(table="items",host="a b")";
    exposed read = strictly_read(to_prometheus(some_numbers(), labels));
    EXPECT_EQ(read.samples["bloomery_guard_asked_total{" + labels + "}"], "1");
    EXPECT_EQ(read.samples["bloomery_guard_alarms_total{" + labels + ",kind=\"overfull\"}"], "101");
    EXPECT_EQ(read.samples["bloomery_guard_cache_seconds_count{" + labels + "}"], "12");
    for (const auto& [name, value] : read.samples) {
        EXPECT_NE(name.find("{" + labels), std::string::npos) << name;
    }
}

TEST(GuardNumbers, HaveWordsOfPrometheusWhereThereIsNoNumber) {
    guard_numbers odd;
    odd.measured_rate = std::numeric_limits<double>::quiet_NaN();
    odd.present_rate = std::numeric_limits<double>::infinity();
    exposed read = strictly_read(to_prometheus(odd));
    EXPECT_EQ(read.samples["bloomery_guard_measured_rate"], "NaN");
    EXPECT_EQ(read.samples["bloomery_guard_present_rate"], "+Inf");
}

TEST(GuardAlarm, HasANameOfItsOwnForEachKind) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < alarm_kinds; ++i) {
        names.insert(name_of(static_cast<alarm_kind>(i)));
    }
    EXPECT_EQ(names.size(), alarm_kinds);
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_EQ(name_of(static_cast<alarm_kind>(200)), "unknown");
}

} // namespace
} // namespace bloomery::testing
