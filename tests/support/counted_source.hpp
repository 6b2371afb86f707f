// Any source, with its queries counted.
#pragma once

#include <bloomery/guard/store.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {

template <store::marked_source Source>
class counted_source {
public:
    static constexpr bool marks_are_exact = Source::marks_are_exact;

    explicit counted_source(Source of) : of_(std::move(of)) {}

    /// Keys that were asked for, so far.
    [[nodiscard]] std::uint64_t asked() const { return *asked_; }

    std::optional<std::string> get(std::string_view key) {
        ++*asked_;
        return of_.get(key);
    }
    std::vector<std::optional<std::string>> get_many(store::keys all) {
        *asked_ += all.size();
        return of_.get_many(all);
    }
    bool put(std::string_view key, std::string_view value) { return of_.put(key, value); }
    bool erase(std::string_view key) { return of_.erase(key); }
    void scan(const store::key_visitor& visit) { of_.scan(visit); }
    std::uint64_t count() { return of_.count(); }
    [[nodiscard]] std::string name() const { return of_.name(); }
    std::string mark() { return of_.mark(); }
    bool scan_since(const std::string& mark, const store::key_visitor& visit) {
        return of_.scan_since(mark, visit);
    }

private:
    Source of_;
    std::shared_ptr<std::atomic<std::uint64_t>> asked_ =
        std::make_shared<std::atomic<std::uint64_t>>(0);
};

} // namespace bloomery::testing
