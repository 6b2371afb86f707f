// A spelling dictionary in a fifth of its size, and how many misspellings it misses.
//
//     spell /usr/share/dict/words
//
// The words of the file go into a filter. Then two letters of each word are swapped, as in a
// typical typo. If the filter answers "definitely not", the word is misspelt. An exact set of the
// words shows how many misspellings there really are.
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
        std::fputs("usage: spell FILE      a text file whose words are the dictionary\n", stderr);
        return 2;
    }
    std::ifstream file(arguments[1]);
    std::unordered_set<std::string> exact;
    for (std::string word; file >> word;) {
        exact.insert(std::move(word));
    }
    if (exact.empty()) {
        std::fprintf(stderr, "spell: %s contains no words\n", arguments[1]);
        return 2;
    }

    const bloomery::filter dictionary(exact,
                                      bloomery::rate{0.001}); // sized for the set, and filled
    const bool complete = dictionary.may_contain_many(exact).count() == exact.size();

    std::vector<std::string> mistakes;
    for (std::string word : exact) {
        if (word.size() < 4) continue;
        std::swap(word[1], word[2]);
        if (exact.contains(word)) continue; // happens to be another word
        mistakes.push_back(std::move(word));
    }
    const std::size_t let_through = dictionary.may_contain_many(mistakes).count();

    const double bits_per_word =
        static_cast<double>(dictionary.bit_count()) / static_cast<double>(exact.size());
    std::printf("%zu words in %llu bytes, %.1f bits each\n", exact.size(),
                static_cast<unsigned long long>(dictionary.byte_count()), bits_per_word);
    std::printf("%zu misspellings, %zu of them missed; 0.1 %% would be %zu\n", mistakes.size(),
                let_through, mistakes.size() / 1000);
    // Every word is found, and misspellings are missed no more often than requested.
    return complete && let_through <= mistakes.size() / 500 + 10 ? 0 : 1;
}
