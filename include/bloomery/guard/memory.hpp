// Stores in memory: for tests, for trying things out, and for small caches.
#pragma once

#include <bloomery/guard/store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::store {

/// No cache at all.
class no_cache {
public:
    [[nodiscard]] cached get(std::string_view /*key*/) { return {}; }
    [[nodiscard]] std::vector<cached> get_many(keys all) { return std::vector<cached>(all.size()); }
    void put(std::span<const entry> /*entries*/) {}
    void erase(keys /*all*/) {}
    [[nodiscard]] std::chrono::milliseconds longest_life() const noexcept { return {}; }
};

/// A source in memory. Its marks are exact: it keeps a list of all keys that ever came.
class memory {
public:
    static constexpr bool marks_are_exact = true;

    /// An empty one. Throws std::bad_alloc, as everything here.
    explicit memory(std::string name = "memory");

    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(keys all);
    bool put(std::string_view key, std::string_view value);
    bool erase(std::string_view key);
    /// Visits a copy of the keys; the source may be used meanwhile, from the visitor too.
    void scan(const key_visitor& visit);
    [[nodiscard]] std::uint64_t count();
    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string mark();
    [[nodiscard]] bool scan_since(const std::string& mark, const key_visitor& visit);

private:
    struct body;
    std::shared_ptr<body> body_;
};

/// A cache in memory of at most so many entries, of which the oldest make room for new ones.
class memory_cache {
public:
    /// With `absences` it remembers them too. Entries live for ever if `expiry` is zero.
    explicit memory_cache(std::size_t most_entries, std::chrono::milliseconds expiry = {},
                          bool absences = false);

    [[nodiscard]] cached get(std::string_view key);
    [[nodiscard]] std::vector<cached> get_many(keys all);
    void put(std::span<const entry> entries);
    void erase(keys all);
    [[nodiscard]] std::chrono::milliseconds longest_life() const noexcept;

private:
    struct body;
    std::shared_ptr<body> body_;
};

static_assert(cache<no_cache> && cache<memory_cache> && marked_source<memory>);

} // namespace bloomery::store
