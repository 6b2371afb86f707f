// LevelDB's side of the live test: keys on standard input, one a line in hexadecimal digits.
//
//   make FILE BITS_PER_KEY   the filter that the built-in policy makes of these keys
//   ask  FILE                prints the lines whose key may be in it
#include "lines.hpp"

#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <memory>

namespace {

void make(const std::string& file, int bits_per_key) {
    const std::unique_ptr<const leveldb::FilterPolicy> policy(
        leveldb::NewBloomFilterPolicy(bits_per_key));
    const std::vector<std::string> lines = read_lines();
    std::vector<std::string> keys;
    for (const std::string& line : lines) keys.push_back(from_hex(line));
    const std::vector<leveldb::Slice> slices(keys.begin(), keys.end());
    std::string filter;
    policy->CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter);
    write_file(file, filter);
}

void ask(const std::string& file) {
    const std::unique_ptr<const leveldb::FilterPolicy> policy(leveldb::NewBloomFilterPolicy(10));
    const std::string filter = read_file(file);
    for (const std::string& line : read_lines()) {
        if (policy->KeyMayMatch(from_hex(line), filter)) std::cout << line << '\n';
    }
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.at(0) == "make") {
        make(words.at(1), std::stoi(words.at(2)));
    } else {
        ask(words.at(1));
    }
}
