// Each part must find what the other inserted, and both must set the same bits.
#include "two_march.hpp"

#include <cstdio>
#include <numeric>

namespace {

bool agree(const two_march::part& writer, const two_march::part& reader, const char* which) {
    std::vector<std::uint64_t> keys(1003);
    std::iota(keys.begin(), keys.end(), std::uint64_t{0});
    std::vector<std::string> names;
    for (const std::uint64_t key : keys) {
        names.push_back("name " + std::to_string(key) + std::string(key % 300, 'x'));
    }
    two_march::filters written = writer.make();
    two_march::filters expected = reader.make();
    writer.insert(written, keys, names);
    reader.insert(expected, keys, names);
    const std::uint64_t lost = reader.missing(written, keys, names);
    const bool same = writer.state(written, keys) == reader.state(expected, keys) &&
                      reader.state(written, keys) == writer.state(expected, keys);
    if (lost != 0 || !same) {
        std::printf("%s: %llu keys are missing, and the bits are %s\n", which,
                    static_cast<unsigned long long>(lost), same ? "equal" : "different");
    }
    return lost == 0 && same;
}

} // namespace

int main() {
    const bool forth = agree(two_march::first, two_march::second, "the first to the second");
    const bool back = agree(two_march::second, two_march::first, "the second to the first");
    return forth && back ? 0 : 1;
}
