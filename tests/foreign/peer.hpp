// What the tests of foreign formats share: cases of a peer, and what must hold of each.
#pragma once

#include <bloomery/format/foreign.hpp>

#include "foreign_manifest.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

using format::foreign_format;
using format::foreign_options;
using nlohmann::json;

/// The cases of one peer.
class peer {
public:
    explicit peer(std::string_view name)
        : name_(name), manifest_(load_manifest(foreign_data() / name / "manifest.json")) {}

    [[nodiscard]] const json& cases() const { return manifest_.at("cases"); }
    [[nodiscard]] std::string file(const json& name) const {
        return foreign_file(name_, name.get<std::string>());
    }

private:
    std::string name_;
    json manifest_;
};

inline byte_view view(std::string_view bytes) { return std::as_bytes(std::span(bytes)); }

inline std::string written(const any_filter& source, const foreign_format& format,
                           const foreign_options& options = {}) {
    const std::vector<std::byte> bytes = format::encoded(source, format, options);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The answer of a manifest: a string of 0 and 1, or a list of them and of names of exceptions.
inline std::string expected_answer(const json& answers, std::size_t at) {
    if (answers.is_string()) return answers.get<std::string>().substr(at, 1);
    const json& one = answers.at(at);
    return one.is_string() ? "throws" : std::to_string(one.get<int>());
}

/// What a call gives, in the same words.
template <class Call>
std::string outcome(Call call) {
    try {
        return call() ? "1" : "0";
    } catch (const no_place&) {
        return "throws";
    }
}

/// Adds keys one by one and compares what the peer's add returned, if the manifest says.
inline void add_all(any_filter& to, const std::vector<std::string>& keys, const json& returned) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::string got = outcome([&] { return to.try_insert(keys[i]); });
        if (!returned.is_null()) {
            EXPECT_EQ(got, expected_answer(returned, i)) << "key " << i;
        }
    }
}

/// Asks for all keys, one by one and at once, and compares with the peer's answers.
inline void expect_answers(const any_filter& asked, const std::vector<std::string>& probes,
                           const json& answers) {
    bool throws = false;
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const std::string got = outcome([&] { return asked.may_contain(probes[i]); });
        EXPECT_EQ(got, expected_answer(answers, i)) << "probe " << i;
        throws = throws || got == "throws";
    }
    if (throws) return;
    const std::vector<std::string_view> views(probes.begin(), probes.end());
    bitmap at_once;
    asked.may_contain_many(views, at_once);
    for (std::size_t i = 0; i < probes.size(); ++i) {
        EXPECT_EQ(std::to_string(static_cast<int>(at_once[i])), expected_answer(answers, i))
            << "probe " << i << " of a batch";
    }
}

/// A file reads back to what it was, is recognised, and changes when any bit of it is flipped: what
/// is read then is refused, or is another filter.
inline void expect_round_trip(const std::string& bytes, const foreign_format& format,
                              const foreign_options& options = {}) {
    EXPECT_EQ(written(format.decode(view(bytes), options), format, options), bytes);
    EXPECT_NE(format.looks(view(bytes)), format::likeness::no);
}

} // namespace bloomery::testing
