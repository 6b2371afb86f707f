// One batch of keys, inserted by several threads.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
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

namespace bloomery::inline v0 {

/// One part of a parallel call, identified by its number. It borrows a function object that is
/// callable while const, such as a lambda, and is cheap to copy; it converts to
/// std::function<void(std::size_t)>.
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

/// Runs the work of a parallel call: `count()` returns how many parts to make, and `run(task)`
/// calls `task(i)` for each i below that, on any threads, and returns when all calls have returned.
/// Wrap your thread pool in this interface to use your own threads.
template <class T>
concept workers = requires(const T& some, const part_task& task) {
    { some.count() } -> std::convertible_to<std::size_t>;
    some.run(task);
};

/// Threads that live for one call. The calling thread is one of them.
class BLOOMERY_EXPORT threads {
public:
    /// One per hardware thread.
    threads() noexcept;
    /// This many; 0 counts as 1.
    explicit threads(std::size_t count) noexcept : count_(count == 0 ? 1 : count) {}

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    /// Calls `task(i)` for each i below count(), concurrently. After all have ended, rethrows the
    /// first exception that a task threw. If the system refuses a thread, its part runs on the
    /// calling thread.
    void run(const part_task& task) const;

private:
    std::size_t count_;
};

/// The ways to insert one batch with several threads.
enum class parallel_way : std::uint8_t {
    alone,  ///< one thread: often the fastest, because a bulk insert mostly waits for memory
    merged, ///< one array per thread, merged at the end
    shared, ///< one array, with atomic operations
};

/// The fastest method, predicted from measured costs (src/filter/parallel.cpp,
/// docs/performance.md). O(1).
[[nodiscard]] BLOOMERY_EXPORT parallel_way best_way(const plan::shape& of, std::uint64_t keys,
                                                    std::size_t threads) noexcept;

namespace detail {

/// The part of a range that one of `count` workers handles; parts differ by at most one key.
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

/// Inserts all keys into one array of bits, with the fastest method or the one that is `forced`.
/// The bits are the same with every method. `merged` falls back to `shared` if the system refuses
/// the memory for the arrays, and to `alone` if it refuses even that for their list; a single
/// worker always works alone. O(n k) work in all, plus O(words) per worker for `merged`. Throws
/// what the keys' functions and the workers throw; some keys may then be inserted.
template <class Layout, class Hash, std::ranges::random_access_range Keys, workers Workers>
    requires std::ranges::sized_range<const Keys>
BLOOMERY_OWN_COPY void insert_in_parallel(const Layout& layout, const Hash& hash,
                                          std::uint64_t* words, const Keys& keys, const Workers& by,
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

} // namespace bloomery::inline v0
