// A source without marks, for guards that rely on the count.
#pragma once

#include <bloomery/guard/store.hpp>

#include "watched_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// A source that knows no moments, only how many keys it has.
class unmarked_source {
public:
    explicit unmarked_source(watched_source of) : of_(std::move(of)) {}
    std::optional<std::string> get(std::string_view key) { return of_.get(key); }
    std::vector<std::optional<std::string>> get_many(store::keys all) { return of_.get_many(all); }
    bool put(std::string_view key, std::string_view value) { return of_.put(key, value); }
    bool erase(std::string_view key) { return of_.erase(key); }
    void scan(const store::key_visitor& visit) { of_.scan(visit); }
    std::uint64_t count() { return of_.count(); }
    [[nodiscard]] std::string name() const { return of_.name(); }

private:
    watched_source of_;
};
static_assert(store::source<unmarked_source> && !store::marked_source<unmarked_source>);

} // namespace bloomery::testing
