// Every kernel that this processor has, on the same batches of keys: the bits and the answers of
// single keys, whatever the shape, the length of a batch, the kind of key and the access of other
// threads.
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/layout/native.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "input.hpp"
#include "random.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;
using words_of_filter = std::vector<std::uint64_t>;

const std::vector<kernel::id>& usable() {
    static const std::vector<kernel::id> found = [] {
        std::vector<kernel::id> all;
        std::ranges::copy_if(kernel::all, std::back_inserter(all), kernel::is_usable);
        return all;
    }();
    return found;
}

enum class verb : unsigned { insert, try_insert, contains };

/// What is done to a batch, in every kernel alike.
struct call {
    verb what;
    kernel::access who;
    kernel::ahead memory;

    explicit call(unsigned chosen)
        : what(static_cast<verb>(chosen % 3)),
          who((chosen / 3) % 2 == 0 ? kernel::access::alone : kernel::access::shared),
          memory((chosen / 6) % 2 == 0 ? kernel::ahead::by_size : kernel::ahead::done) {}
};

/// The answers of one key at a time; inserting has none.
bitmap one_by_one(const layout::native& layout, words_of_filter& words,
                  const std::vector<digest128>& keys, const call& todo) {
    bitmap answers(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool alone = todo.who == kernel::access::alone;
        if (todo.what == verb::contains) {
            answers.set(i, alone
                               ? layout.may_contain(words.data(), keys[i])
                               : layout.may_contain<kernel::access::shared>(words.data(), keys[i]));
        } else {
            const bool fresh = alone ? layout.insert(words.data(), keys[i])
                                     : layout.insert<kernel::access::shared>(words.data(), keys[i]);
            answers.set(i, fresh && todo.what == verb::try_insert);
        }
    }
    return answers;
}

/// The same by the kernel in use. The memory of the answers is theirs alone and not cleared: what a
/// kernel writes past them, or leaves, is found.
template <class Keys, class... Memory>
std::vector<std::uint64_t> at_once(const kernel::target& on, const Keys& keys, std::size_t count,
                                   const call& todo, Memory... memory) {
    std::vector<std::uint64_t> answers((count + 63) / 64, 0xa5a5a5a5a5a5a5a5U);
    switch (todo.what) {
    case verb::insert:
        kernel::insert(on, keys, todo.who, memory...);
        answers.assign(answers.size(), 0);
        break;
    case verb::try_insert:
        kernel::try_insert(on, keys, answers.data(), todo.who, memory...);
        break;
    case verb::contains:
        kernel::contains(on, keys, answers.data(), todo.who, memory...);
        break;
    }
    return answers;
}

/// The same through the calls of a filter, which hash the keys on their way.
template <class Filter, class Keys>
bitmap through(Filter&& filter, const Keys& keys, verb what) {
    bitmap answers(std::ranges::size(keys));
    switch (what) {
    case verb::insert:
        filter.insert_many(keys);
        break;
    case verb::try_insert:
        filter.try_insert_many(keys, answers);
        break;
    case verb::contains:
        filter.may_contain_many(keys, answers);
        break;
    }
    return answers;
}

/// One array a kernel, and the one of single keys.
class arrays {
public:
    arrays(const plan::shape& shape, const native_hash& hash)
        : layout_(shape), hash_(hash), expected_(layout_.word_count()),
          each_(usable().size(), words_of_filter(layout_.word_count())) {}

    void digests(const std::vector<digest128>& keys, const call& todo) {
        compare(keys, todo, [&](words_of_filter& words) {
            return at_once(layout_.target(words.data()), kernel::digests(keys), keys.size(), todo,
                           todo.memory);
        });
    }

    void integers(const std::vector<std::uint64_t>& keys, std::uint64_t seed, const call& todo) {
        std::vector<digest128> hashed;
        for (const std::uint64_t key : keys) {
            hashed.push_back(widen(digest64{hash::mix64_with(key, seed)}));
        }
        compare(hashed, todo, [&](words_of_filter& words) {
            return at_once(layout_.target(words.data()), kernel::integers{keys, seed}, keys.size(),
                           todo);
        });
    }

    template <class Keys>
    void keys(const Keys& keys, const call& todo) {
        std::vector<digest128> hashed;
        for (const auto& key : keys) {
            hashed.push_back(detail::digest_or_self(hash_, key));
        }
        compare(hashed, todo, [&](words_of_filter& words) {
            borrowed_filter filter(layout_, storage::borrowed_words(words), hash_);
            const bitmap found = todo.who == kernel::access::alone
                                     ? through(filter, keys, todo.what)
                                     : through(filter.shared(), keys, todo.what);
            return std::vector(found.words().begin(), found.words().end());
        });
    }

private:
    template <class Do>
    void compare(const std::vector<digest128>& hashed, const call& todo, Do with) {
        const bitmap expected = one_by_one(layout_, expected_, hashed, todo);
        for (std::size_t i = 0; i < each_.size(); ++i) {
            kernel::use(usable()[i]);
            must(std::ranges::equal(with(each_[i]), expected.words()));
            must(each_[i] == expected_);
        }
    }

    layout::native layout_;
    native_hash hash_;
    words_of_filter expected_;
    std::vector<words_of_filter> each_;
};

/// Keys: some as they stand in the input, the others at random, a few of them twice.
class source {
public:
    explicit source(fuzz::input& from)
        : from_(from), count_(from.byte()), literal_(from.byte() % 8), random_(from.number(2)) {
        count_ = count_ < 224 ? count_ : (count_ - 223) * 40; // up to some buffers of keys
    }

    [[nodiscard]] std::vector<std::uint64_t> numbers() {
        std::vector<std::uint64_t> made(count_);
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = i < literal_ ? from_.number() : i % 7 == 3 ? made[i / 2] : random_.next();
        }
        return made;
    }
    [[nodiscard]] std::vector<digest128> digests() {
        const std::vector<std::uint64_t> low = numbers();
        std::vector<digest128> made;
        made.reserve(low.size());
        for (const std::uint64_t each : low) {
            made.push_back(literal_ % 2 == 0 ? widen(digest64{each})
                                             : digest128{each, each ^ random_.next()});
        }
        return made;
    }
    [[nodiscard]] std::vector<std::string> texts() {
        std::vector<std::string> made(count_);
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = i < literal_ ? from_.text(from_.byte()) : random_.bytes(random_.below(40));
        }
        return made;
    }

private:
    fuzz::input& from_;
    std::size_t count_;
    std::size_t literal_;
    testing::random_source random_;
};

void batch(arrays& all, fuzz::input& from) {
    const call todo(from.byte());
    const unsigned kind = from.byte();
    const std::uint64_t seed = from.number(1);
    source keys(from);
    switch (kind % 6) {
    case 0:
        return all.digests(keys.digests(), todo);
    case 1:
        return all.integers(keys.numbers(), seed, todo);
    case 2:
        return all.keys(keys.texts(), todo);
    case 3: // integers in one piece, which the kernels hash where they lie
        return all.keys(keys.numbers(), todo);
    case 4: { // and narrow ones, which go through a buffer
        const std::vector<std::uint64_t> wide = keys.numbers();
        return all.keys(std::vector<std::int32_t>(wide.begin(), wide.end()), todo);
    }
    default:
        return all.keys(keys.digests(), todo);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    const plan::shape shape = fuzz::any_shape(from, 1U << 16U);
    arrays all(shape, fuzz::any_hash(from));
    for (int batches = 0; !from.empty() && batches < 8; ++batches) {
        batch(all, from);
    }
    return 0;
}
