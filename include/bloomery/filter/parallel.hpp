// One batch of keys, inserted by several threads.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/filter/in_place.hpp>
#include <bloomery/detail/hash/run_hash.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/error.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/bitmap.hpp>
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
    alone,  ///< one thread
    merged, ///< one array per thread, merged at the end
    shared, ///< one array, with atomic operations
    ranges, ///< one array; each thread sets the keys of its own range of blocks
};

/// The fastest method, predicted from measured costs (src/filter/parallel.cpp,
/// docs/performance.md). `hashed`: whether the keys must be hashed one by one, unlike digests and
/// 64-bit integers in one piece. O(1).
[[nodiscard]] BLOOMERY_EXPORT parallel_way best_way(const plan::shape& of, std::uint64_t keys,
                                                    std::size_t threads,
                                                    bool hashed = false) noexcept;

namespace detail {

/// The keys from index `from` up to `to`.
template <class Keys>
[[nodiscard]] auto between(const Keys& keys, std::size_t from, std::size_t to) {
    using difference = std::ranges::range_difference_t<const Keys>;
    const auto first = std::ranges::begin(keys);
    return std::ranges::subrange(first + static_cast<difference>(from),
                                 first + static_cast<difference>(to));
}

/// The part of a range that one of `count` workers handles; parts differ by at most one key.
template <class Keys>
[[nodiscard]] auto part_of(const Keys& keys, std::size_t part, std::size_t count) {
    const auto all = static_cast<std::size_t>(std::ranges::size(keys));
    const auto at = [&](std::size_t i) { return all / count * i + std::min(i, all % count); };
    return between(keys, at(part), at(part + 1));
}

/// Fewer keys than this are asked about by one thread: that takes less time than to start another.
inline constexpr std::size_t asked_alone = 50'000;

/// Digests that threads hash together before they set them: so many that starting threads does not
/// show, and so few that they stay in a cache.
inline constexpr std::size_t hashed_together = std::size_t{1} << 17U;

/// One batch and the threads that insert it.
template <class Layout, class Hash, class Keys, class Workers>
class BLOOMERY_OWN_COPY parallel_insert {
public:
    parallel_insert(const Layout& layout, const Hash& hash, std::uint64_t* words, const Keys& keys,
                    const Workers& by)
        : layout_(layout), hash_(hash), words_(words), keys_(keys), by_(by), count_(by.count()) {}

    [[nodiscard]] std::size_t count() const noexcept { return count_; }

    void alone() const { insert(words_, keys_, kernel::access::alone); }

    void shared() const {
        by_.run([&](std::size_t part) {
            insert(words_, part_of(keys_, part, count_), kernel::access::shared);
        });
    }

    void merged() const {
        std::vector<storage::heap_words<>> own;
        try {
            own.reserve(count_ - 1);
            for (std::size_t i = 1; i < count_; ++i) {
                own.emplace_back(layout_.word_count());
            }
        } catch (const std::bad_alloc&) {
            return alone();
        } catch (const memory_refused&) {
            return alone();
        }
        by_.run([&](std::size_t part) {
            insert(part == 0 ? words_ : own[part - 1].data(), part_of(keys_, part, count_),
                   kernel::access::alone);
        });
        by_.run([&](std::size_t part) {
            const std::size_t each = layout_.word_count() / count_ + 1;
            const std::size_t from = std::min<std::size_t>(layout_.word_count(), part * each);
            const std::size_t to = std::min<std::size_t>(layout_.word_count(), from + each);
            for (const storage::heap_words<>& other : own) {
                for (std::size_t i = from; i < to; ++i) {
                    words_[i] |= other.data()[i];
                }
            }
        });
    }

    /// Whether there are blocks to divide among threads. Kernels without threads cannot.
    [[nodiscard]] bool has_ranges() const noexcept {
        return kernel::has_threads && has_kernel<Layout> &&
               layout_.shape().layout != layout_kind::classic;
    }

    /// Needs has_ranges().
    void ranges() const {
        if constexpr (kernel::has_threads && has_kernel<Layout>) {
            if (!visit_in_place(hash_, keys_, [&](auto keys) { insert_ranges(keys); })) {
                hash_and_insert_ranges();
            }
        }
    }

private:
    template <class Some>
    void insert(std::uint64_t* into, const Some& some, kernel::access who) const {
        bulk_calls<Layout, Hash>(layout_, hash_, into, who).insert(some);
    }

    template <class Taken>
    void insert_ranges(Taken keys) const {
        const kernel::target into = layout_.target(words_);
        by_.run([&](std::size_t part) { kernel::insert_part(into, keys, part, count_); });
    }

    /// Each key is hashed once, by one thread.
    void hash_and_insert_ranges() const {
        const auto all = static_cast<std::size_t>(std::ranges::size(keys_));
        std::vector<digest128> digests;
        try {
            digests.resize(std::min(all, hashed_together));
        } catch (const std::bad_alloc&) {
            return alone();
        }
        auto first = std::ranges::begin(keys_);
        using difference = std::ranges::range_difference_t<const Keys>;
        for (std::size_t done = 0; done < all; done += digests.size()) {
            digests.resize(std::min(digests.size(), all - done));
            const auto last = first + static_cast<difference>(digests.size());
            const std::ranges::subrange some(first, last);
            by_.run([&](std::size_t part) {
                const auto own = part_of(some, part, count_);
                hash_all(own, digests.data() + (own.begin() - first));
            });
            insert_ranges(kernel::digests(digests));
            first = last;
        }
    }

    template <class Some>
    void hash_all(const Some& some, digest128* into) const {
        const auto with = [&](const auto& chosen) {
            hash::detail::hash_in_runs(
                chosen, some,
                [](const auto& run, const auto& key) { return probe_of<Layout>(run, key); },
                [&](const auto& digest) { *into++ = widely(digest); });
        };
        using key_type = std::ranges::range_value_t<Keys>;
        if constexpr (!is_digest<key_type> && requires { hash_.visit([](const auto&) {}); }) {
            hash_.visit(with);
        } else {
            with(hash_);
        }
    }

    const Layout& layout_;
    const Hash& hash_;
    std::uint64_t* words_;
    const Keys& keys_;
    const Workers& by_;
    std::size_t count_;
};

} // namespace detail

/// Inserts all keys into one array of bits, with the fastest method or the one that is `forced`.
/// The bits are the same with every method. One thread does all if there is a single worker, if the
/// system refuses the memory for `merged` or `ranges`, and if `ranges` is forced on the classic
/// layout or one of another system, which have no blocks to divide. Each key is visited once, and
/// its functions are called by one of the workers. O(n k) work in all, plus O(words) per worker for
/// `merged` and O(n) per worker for `ranges`; if keys must be hashed, `ranges` takes up to 2 MiB of
/// memory. Throws what the keys' functions and the workers throw; some keys may then be inserted.
template <class Layout, class Hash, std::ranges::random_access_range Keys, workers Workers>
    requires std::ranges::sized_range<const Keys>
BLOOMERY_OWN_COPY void insert_in_parallel(const Layout& layout, const Hash& hash,
                                          std::uint64_t* words, const Keys& keys, const Workers& by,
                                          std::optional<parallel_way> forced = {}) {
    const detail::parallel_insert<Layout, Hash, Keys, Workers> work(layout, hash, words, keys, by);
    const bool hashed = !detail::visit_in_place(hash, keys, [](const auto& /*keys*/) {});
    const parallel_way way = forced.value_or(best_way(
        layout.shape(), static_cast<std::uint64_t>(std::ranges::size(keys)), work.count(), hashed));
    if (way == parallel_way::alone || work.count() <= 1 ||
        (way == parallel_way::ranges && !work.has_ranges())) {
        work.alone();
    } else if (way == parallel_way::merged) {
        work.merged();
    } else if (way == parallel_way::ranges) {
        work.ranges();
    } else {
        work.shared();
    }
}

/// Queries all keys; bit i of `maybe` becomes the answer for key i. Each worker takes a part of the
/// keys, if there are enough of them to be worth starting threads. O(n k); throws std::bad_alloc
/// and what the keys' functions and the workers throw.
template <class Layout, class Hash, std::ranges::random_access_range Keys, workers Workers>
    requires std::ranges::sized_range<const Keys>
BLOOMERY_OWN_COPY void ask_in_parallel(const Layout& layout, const Hash& hash,
                                       const std::uint64_t* words, const Keys& keys,
                                       const Workers& by, bitmap& maybe) {
    const bulk_calls<Layout, Hash, const std::uint64_t> bulk(layout, hash, words,
                                                             kernel::access::alone);
    const std::size_t count = by.count();
    const auto all = static_cast<std::size_t>(std::ranges::size(keys));
    if (count <= 1 || all < detail::asked_alone) {
        bulk.contains(keys, maybe);
        return;
    }
    maybe.reset(all);
    // Parts begin at a word of the bitmap, so that no two threads write the same one.
    const std::size_t words_of_answers = all / 64 + (all % 64 != 0);
    by.run([&](std::size_t part) {
        const std::size_t each = words_of_answers / count + 1;
        const std::size_t from = std::min(all, part * each * 64);
        const std::size_t to = std::min(all, from + each * 64);
        if (from != to) {
            bulk.contains(detail::between(keys, from, to), maybe.data() + from / 64);
        }
    });
}

} // namespace bloomery::inline v0
