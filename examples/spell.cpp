// A spelling dictionary in a fifth of its size, and how many mistakes it lets through.
//
//     spell /usr/share/dict/words
//
// The words of the file go into a filter. Then two letters of each word are swapped, as fingers do:
// what the filter answers "surely not" is a mistake for certain. A set of the words themselves
// tells how many it should have been.
#include <bloomery/bloomery.hpp>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: spell FILE      any text; its words are the dictionary\n", stderr);
        return 2;
    }
    std::ifstream file(arguments[1]);
    std::unordered_set<std::string> exact;
    for (std::string word; file >> word;) {
        exact.insert(std::move(word));
    }
    if (exact.empty()) {
        std::fprintf(stderr, "spell: %s holds no words\n", arguments[1]);
        return 2;
    }

    const bloomery::filter dictionary(exact,
                                      bloomery::rate{0.001}); // sized for the set, and filled
    const bool complete = dictionary.may_contain_many(exact).count() == exact.size();

    std::vector<std::string> mistakes;
    for (std::string word : exact) {
        if (word.size() < 4) continue;
        std::swap(word[1], word[2]);
        if (exact.contains(word)) continue; // a word again: no program could know
        mistakes.push_back(std::move(word));
    }
    const std::size_t let_through = dictionary.may_contain_many(mistakes).count();

    const double bits_per_word =
        static_cast<double>(dictionary.bit_count()) / static_cast<double>(exact.size());
    std::printf("%zu words in %llu bytes, %.1f bits each\n", exact.size(),
                static_cast<unsigned long long>(dictionary.byte_count()), bits_per_word);
    std::printf("%zu mistakes, %zu of them let through; 0.1 %% would be %zu\n", mistakes.size(),
                let_through, mistakes.size() / 1000);
    // Every word is found; the mistakes that slip through are as rare as was asked for.
    return complete && let_through <= mistakes.size() / 500 + 10 ? 0 : 1;
}
