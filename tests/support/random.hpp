// Deterministic randomness for tests: the same keys in every run and on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace bloomery::testing {

/// splitmix64, on purpose not one of the library's own mixers: a test must not share its subject's
/// weaknesses.
class random_source {
public:
    explicit random_source(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    std::string bytes(std::size_t count) {
        std::string text(count, '\0');
        for (char& c : text) {
            c = static_cast<char>(next());
        }
        return text;
    }

private:
    std::uint64_t state_;
};

} // namespace bloomery::testing
