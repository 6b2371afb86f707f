// The stores of the demo: those that people have, counted at their door.
#pragma once

#include <bloomery/guard/postgres.hpp>
#include <bloomery/guard/redis_cache.hpp>
#include <bloomery/guard/sqlite.hpp>
#include <bloomery/guard/store.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bloomery::cli {

/// How often a store was asked for a key.
struct demo_counts {
    std::atomic<std::uint64_t> asked = 0;
    std::atomic<std::uint64_t> found = 0;
};

/// A source whose lookups are counted. Copies share the counts.
class demo_source {
public:
    using stores = std::variant<store::sqlite, store::postgres>;

    explicit demo_source(stores of) : of_(std::move(of)) {}

    [[nodiscard]] const demo_counts& counts() const noexcept { return *counts_; }

    [[nodiscard]] std::optional<std::string> get(std::string_view key) {
        counts_->asked.fetch_add(1, std::memory_order_relaxed);
        auto found = std::visit([&](auto& in) { return in.get(key); }, of_);
        if (found) counts_->found.fetch_add(1, std::memory_order_relaxed);
        return found;
    }
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(store::keys all) {
        counts_->asked.fetch_add(all.size(), std::memory_order_relaxed);
        auto found = std::visit([&](auto& in) { return in.get_many(all); }, of_);
        for (const auto& each : found) {
            if (each) counts_->found.fetch_add(1, std::memory_order_relaxed);
        }
        return found;
    }
    bool put(std::string_view key, std::string_view value) {
        return std::visit([&](auto& in) { return in.put(key, value); }, of_);
    }
    bool erase(std::string_view key) {
        return std::visit([&](auto& in) { return in.erase(key); }, of_);
    }
    void load(std::span<const store::entry> rows) {
        std::visit([&](auto& in) { in.load(rows); }, of_);
    }
    void scan(const store::key_visitor& visit) {
        std::visit([&](auto& in) { in.scan(visit); }, of_);
    }
    [[nodiscard]] std::uint64_t count() {
        return std::visit([](auto& in) { return in.count(); }, of_);
    }
    [[nodiscard]] std::string name() const {
        return std::visit([](const auto& in) { return in.name(); }, of_);
    }

private:
    stores of_;
    std::shared_ptr<demo_counts> counts_ = std::make_shared<demo_counts>();
};

/// The same for a cache; `found` are values.
class demo_cache {
public:
    using stores = std::variant<store::no_cache, store::redis_cache>;

    explicit demo_cache(stores of = {}) : of_(std::move(of)) {}

    [[nodiscard]] const demo_counts& counts() const noexcept { return *counts_; }

    [[nodiscard]] store::cached get(std::string_view key) {
        store::cached known = std::visit([&](auto& in) { return in.get(key); }, of_);
        count(known);
        return known;
    }
    [[nodiscard]] std::vector<store::cached> get_many(store::keys all) {
        auto known = std::visit([&](auto& in) { return in.get_many(all); }, of_);
        for (const store::cached& each : known) count(each);
        return known;
    }
    void put(std::span<const store::entry> entries) {
        std::visit([&](auto& in) { in.put(entries); }, of_);
    }
    void erase(store::keys all) {
        std::visit([&](auto& in) { in.erase(all); }, of_);
    }
    [[nodiscard]] std::chrono::milliseconds longest_life() const {
        return std::visit([](const auto& in) { return in.longest_life(); }, of_);
    }

private:
    void count(const store::cached& known) noexcept {
        counts_->asked.fetch_add(1, std::memory_order_relaxed);
        if (known.is == store::cached::knowledge::value) {
            counts_->found.fetch_add(1, std::memory_order_relaxed);
        }
    }

    stores of_;
    std::shared_ptr<demo_counts> counts_ = std::make_shared<demo_counts>();
};

static_assert(store::source<demo_source> && store::cache<demo_cache>);

} // namespace bloomery::cli
