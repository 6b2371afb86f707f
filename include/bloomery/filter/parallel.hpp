// One batch of keys, inserted by several threads.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/filter/bulk.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/words.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <ranges>
#include <type_traits>
#include <vector>

namespace bloomery {

/// One part of a parallel call, by its number. It borrows a function object that is callable while
/// const, such as a lambda, and is copied freely; a std::function<void(std::size_t)> takes it too.
class part_task {
public:
    template <class Task>
        requires(!std::same_as<Task, part_task> && std::is_object_v<Task> &&
                 std::invocable<const Task&, std::size_t>)
    // NOLINTNEXTLINE(google-explicit-constructor): a lambda is a task
    part_task(const Task& task) noexcept
        : task_(&task),
          call_([](const void* of, std::size_t part) { (*static_cast<const Task*>(of))(part); }) {}

    void operator()(std::size_t part) const { call_(task_, part); }

private:
    const void* task_;
    void (*call_)(const void*, std::size_t);
};

/// Who does the work of a parallel call: `count()` says how many parts to make, and `run(task)`
/// calls `task(i)` for each i below it, on whatever threads, and returns when all have. Wrap your
/// pool in it to use your own threads.
template <class T>
concept workers = requires(const T& some, const part_task& task) {
    { some.count() } -> std::convertible_to<std::size_t>;
    some.run(task);
};

/// Threads that live as long as one call. The calling thread is one of them.
class threads {
public:
    /// As many as the machine runs at once.
    threads() noexcept;
    /// So many; 0 counts as 1.
    explicit threads(std::size_t count) noexcept : count_(count == 0 ? 1 : count) {}

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    /// Calls `task(i)` for each i below count(), at once. Throws what a task threw, the first of
    /// them, when all have ended. A thread that the system refuses is done without: its part runs
    /// on the caller's.
    void run(const part_task& task) const;

private:
    std::size_t count_;
};

/// The ways to insert one batch with several threads.
enum class parallel_way : std::uint8_t {
    alone,  ///< one thread: often the fastest, since a bulk insert mostly waits for memory
    merged, ///< an array for each thread, merged at the end
    shared, ///< one array, by atomic operations
};

/// The way that should take the least time, from costs that were measured (src/filter/parallel.cpp,
/// docs/performance.md). O(1).
[[nodiscard]] parallel_way best_way(const plan::shape& of, std::uint64_t keys,
                                    std::size_t threads) noexcept;

namespace detail {

/// The part of a range that one of `count` workers does; parts differ by at most one key.
template <class Keys>
[[nodiscard]] auto part_of(const Keys& keys, std::size_t part, std::size_t count) {
    const std::size_t all = std::ranges::size(keys);
    const auto at = [&](std::size_t i) {
        return std::ranges::begin(keys) + static_cast<std::ranges::range_difference_t<const Keys>>(
                                              all / count * i + std::min(i, all % count));
    };
    return std::ranges::subrange(at(part), at(part + 1));
}

} // namespace detail

/// Inserts all keys into one array of bits, in the best way or in the one that is `forced`: the
/// bits are the same in every way. Merged becomes shared if the system refuses the memory of the
/// arrays, and alone if it refuses even that of their list; forced or not, one worker works alone.
/// O(n k) work in all, and for merged O(words) more for each worker. Throws what the keys'
/// functions and the workers throw; then some keys may be in.
template <class Layout, class Hash, std::ranges::random_access_range Keys, workers Workers>
    requires std::ranges::sized_range<const Keys>
void insert_in_parallel(const Layout& layout, const Hash& hash, std::uint64_t* words,
                        const Keys& keys, const Workers& by,
                        std::optional<parallel_way> forced = {}) {
    const std::size_t count = by.count();
    parallel_way way = forced.value_or(best_way(layout.shape(), std::ranges::size(keys), count));
    const auto insert = [&](std::uint64_t* into, const auto& some, kernel::access who) {
        bulk_calls<Layout, Hash>(layout, hash, into, who).insert(some);
    };
    std::vector<storage::heap_words<>> own;
    if (way == parallel_way::merged && count > 1) {
        try {
            own.reserve(count - 1);
            for (std::size_t i = 1; i < count; ++i) {
                own.emplace_back(layout.word_count());
            }
        } catch (const memory_refused&) {
            own.clear();
            way = parallel_way::shared;
        } catch (const std::bad_alloc&) {
            way = parallel_way::alone;
        }
    }
    if (way == parallel_way::alone || count <= 1) {
        insert(words, keys, kernel::access::alone);
        return;
    }
    if (way == parallel_way::shared) {
        by.run([&](std::size_t part) {
            insert(words, detail::part_of(keys, part, count), kernel::access::shared);
        });
        return;
    }
    by.run([&](std::size_t part) {
        insert(part == 0 ? words : own[part - 1].data(), detail::part_of(keys, part, count),
               kernel::access::alone);
    });
    by.run([&](std::size_t part) {
        const std::size_t each = layout.word_count() / count + 1;
        const std::size_t from = std::min<std::size_t>(layout.word_count(), part * each);
        const std::size_t to = std::min<std::size_t>(layout.word_count(), from + each);
        for (const storage::heap_words<>& other : own) {
            for (std::size_t i = from; i < to; ++i) {
                words[i] |= other.data()[i];
            }
        }
    });
}

} // namespace bloomery
