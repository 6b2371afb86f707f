// The golden files, for the tests that pin them and the tests that damage them.
#pragma once

#include <bloomery/format/native.hpp>

#include "test_paths.hpp"

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace bloomery::testing {

struct golden {
    std::string name;
    std::string comment;
    std::vector<int> false_positives; ///< which of "absent 0" to "absent 2999" it claims to hold
    format::decode_options options{};
    bool kept_secret = false;
    bool as_saved = true; ///< nobody wrote to it after it was saved

    [[nodiscard]] std::string path() const { return test_data("/native/" + name); }
    [[nodiscard]] std::vector<std::byte> bytes() const {
        std::ifstream in(path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const byte_view view = bytes_of(text);
        return {view.begin(), view.end()};
    }
    friend std::ostream& operator<<(std::ostream& to, const golden& of) { return to << of.name; }
};

const std::vector<golden>& all_golden();

/// The name of a test of one of them.
inline std::string test_name(const std::string& file) {
    std::string name = file.substr(0, file.find('.'));
    std::erase_if(name, [](char c) { return c == '-'; });
    return name;
}

} // namespace bloomery::testing
