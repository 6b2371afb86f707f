#include <bloomery/detail/plan/text.hpp>
#include <bloomery/error.hpp>
#include <bloomery/storage/words.hpp>

#include <string>

namespace bloomery::inline v0::storage {

void detail::refuse_memory(std::uint64_t word_count) {
    throw memory_refused("the system cannot provide " +
                         plan::memory(8.0 * static_cast<double>(word_count)) +
                         " of memory for the filter; plan a smaller one or free some memory");
}

void detail::refuse_moved_from() {
    throw bad_argument("the filter was moved from and is empty; use the one that it was moved "
                       "to, or assign another to it first");
}

void detail::refuse_word_count(std::uint64_t given, std::uint64_t needed) {
    throw bad_argument("the array has " + std::to_string(given) + " words, but the layout needs " +
                       std::to_string(needed));
}

} // namespace bloomery::inline v0::storage
