// Stores as seen by the compiled part of a guard: one virtual call per round trip to a store.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/guard/store.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::inline v0::detail {

class BLOOMERY_EXPORT source_handle {
public:
    source_handle() = default;
    source_handle(const source_handle&) = delete;
    source_handle& operator=(const source_handle&) = delete;
    virtual ~source_handle() = default;

    [[nodiscard]] virtual std::optional<std::string> get(std::string_view key) = 0;
    [[nodiscard]] virtual std::vector<std::optional<std::string>> get_many(store::keys all) = 0;
    virtual bool put(std::string_view key, std::string_view value) = 0;
    virtual bool erase(std::string_view key) = 0;
    virtual void scan(const store::key_visitor& visit) = 0;
    [[nodiscard]] virtual std::uint64_t count() = 0;
    [[nodiscard]] virtual std::string name() const = 0;
    /// Nothing for a source without marks.
    [[nodiscard]] virtual std::optional<std::string> mark() = 0;
    [[nodiscard]] virtual bool scan_since(const std::string& mark,
                                          const store::key_visitor& visit) = 0;
    [[nodiscard]] virtual bool has_exact_marks() const noexcept = 0;
};

class BLOOMERY_EXPORT cache_handle {
public:
    cache_handle() = default;
    cache_handle(const cache_handle&) = delete;
    cache_handle& operator=(const cache_handle&) = delete;
    virtual ~cache_handle() = default;

    [[nodiscard]] virtual store::cached get(std::string_view key) = 0;
    [[nodiscard]] virtual std::vector<store::cached> get_many(store::keys all) = 0;
    virtual void put(std::span<const store::entry> entries) = 0;
    virtual void erase(store::keys all) = 0;
    [[nodiscard]] virtual std::chrono::milliseconds longest_life() const = 0;
};

template <store::source Source>
class source_model final : public source_handle {
public:
    explicit source_model(Source of) : of_(std::move(of)) {}

    std::optional<std::string> get(std::string_view key) override { return of_.get(key); }
    std::vector<std::optional<std::string>> get_many(store::keys all) override {
        return of_.get_many(all);
    }
    bool put(std::string_view key, std::string_view value) override { return of_.put(key, value); }
    bool erase(std::string_view key) override { return of_.erase(key); }
    void scan(const store::key_visitor& visit) override { of_.scan(visit); }
    std::uint64_t count() override { return of_.count(); }
    [[nodiscard]] std::string name() const override { return of_.name(); }
    std::optional<std::string> mark() override {
        if constexpr (store::marked_source<Source>) {
            return of_.mark();
        } else {
            return std::nullopt;
        }
    }
    bool scan_since([[maybe_unused]] const std::string& mark,
                    [[maybe_unused]] const store::key_visitor& visit) override {
        if constexpr (store::marked_source<Source>) {
            return of_.scan_since(mark, visit);
        } else {
            return false;
        }
    }
    [[nodiscard]] bool has_exact_marks() const noexcept override {
        if constexpr (store::marked_source<Source>) {
            return Source::marks_are_exact;
        } else {
            return false;
        }
    }

private:
    Source of_;
};

template <store::cache Cache>
class cache_model final : public cache_handle {
public:
    explicit cache_model(Cache of) : of_(std::move(of)) {}

    store::cached get(std::string_view key) override { return of_.get(key); }
    std::vector<store::cached> get_many(store::keys all) override { return of_.get_many(all); }
    void put(std::span<const store::entry> entries) override { of_.put(entries); }
    void erase(store::keys all) override { of_.erase(all); }
    [[nodiscard]] std::chrono::milliseconds longest_life() const override {
        return of_.longest_life();
    }

private:
    Cache of_;
};

} // namespace bloomery::inline v0::detail
