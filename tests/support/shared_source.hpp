// A small source in memory that processes share: what a killed process has written stays.
#pragma once

#include <bloomery/guard/store.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

/// Keys "k0" to "k7", whose values are numbers. Copies share the memory, and the memory is shared
/// with children. Every change is one atomic store, so that a kill leaves it done or not done. The
/// marks are exact, as those of a database: a put that is under way comes after every mark.
class shared_source {
public:
    static constexpr bool marks_are_exact = true;
    static constexpr std::size_t key_count = 8;
    static constexpr std::size_t most_threads = 16;
    static constexpr std::size_t most_arrivals = 4096;
    static constexpr std::uint64_t absent = 0;

    struct memory {
        std::array<std::atomic<std::uint64_t>, key_count> values{};
        std::atomic<std::uint64_t> arrivals{0};
        std::array<std::atomic<std::uint8_t>, most_arrivals> arrived{};
        std::array<std::atomic<std::uint64_t>, most_threads> under_way{}; ///< 1 + arrivals before
    };

    shared_source()
        : memory_(new(::mmap(nullptr, sizeof(memory), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0)) memory) {}

    [[nodiscard]] memory* operator->() const noexcept { return memory_; }
    [[nodiscard]] static std::string key(std::size_t at) { return "k" + std::to_string(at); }
    /// Runs before and after each call; may wait, and may end the process.
    std::function<void()> pause = [] {};
    /// The thread that calls, a small number.
    static inline thread_local std::size_t thread = 0;

    std::optional<std::string> get(std::string_view key) {
        pause();
        const std::optional<std::string> found = look(key);
        pause();
        return found;
    }
    std::vector<std::optional<std::string>> get_many(store::keys all) {
        std::vector<std::optional<std::string>> found;
        for (const std::string_view one : all) {
            found.push_back(get(one));
        }
        return found;
    }
    bool put(std::string_view key, std::string_view value) {
        pause();
        const std::size_t at = index(key);
        std::uint64_t number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        memory_->under_way[thread] = 1 + memory_->arrivals.load();
        const std::uint64_t place = memory_->arrivals.fetch_add(1);
        memory_->arrived.at(place) = static_cast<std::uint8_t>(at);
        pause();
        const bool created = memory_->values[at].exchange(number) == absent;
        memory_->under_way[thread] = 0;
        pause();
        return created;
    }
    bool erase(std::string_view key) {
        pause();
        const bool existed = memory_->values[index(key)].exchange(absent) != absent;
        pause();
        return existed;
    }
    void scan(const store::key_visitor& visit) {
        for (std::size_t at = 0; at < key_count; ++at) {
            pause();
            if (memory_->values[at] != absent) {
                const std::string name = key(at);
                const std::string_view one = name;
                visit({&one, 1});
            }
        }
        pause();
    }
    std::uint64_t count() {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            memory_->values, [](const auto& value) { return value != absent; }));
    }
    [[nodiscard]] std::string name() const { return "shared"; }
    std::string mark() {
        std::uint64_t least = memory_->arrivals;
        for (const auto& one : memory_->under_way) {
            if (const std::uint64_t begun = one; begun != 0) {
                least = std::min(least, begun - 1);
            }
        }
        return std::to_string(least);
    }
    bool scan_since(const std::string& mark, const store::key_visitor& visit) {
        std::uint64_t since = 0;
        std::from_chars(mark.data(), mark.data() + mark.size(), since);
        for (; since < memory_->arrivals; ++since) {
            pause();
            const std::string name = key(memory_->arrived.at(since));
            const std::string_view one = name;
            visit({&one, 1});
        }
        return true;
    }

private:
    [[nodiscard]] static std::size_t index(std::string_view key) {
        return static_cast<std::size_t>(key.at(1) - '0') % key_count;
    }
    [[nodiscard]] std::optional<std::string> look(std::string_view key) const {
        const std::uint64_t value = memory_->values[index(key)];
        return value == absent ? std::nullopt : std::optional(std::to_string(value));
    }

    memory* memory_;
};

static_assert(store::marked_source<shared_source>);

} // namespace bloomery::testing
