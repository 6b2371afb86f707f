// The part of a guard that does not depend on the types of its stores; see guard.hpp.
#pragma once

#include <bloomery/guard/filters.hpp>
#include <bloomery/guard/numbers.hpp>
#include <bloomery/guard/options.hpp>
#include <bloomery/guard/stores.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::detail {

class guard_core {
public:
    guard_core(std::unique_ptr<cache_handle> cache, std::unique_ptr<source_handle> source,
               filter_maker filters, guard_options options);
    guard_core(guard_core&&) noexcept;
    guard_core& operator=(guard_core&&) noexcept;
    ~guard_core();

    [[nodiscard]] std::optional<std::string> get(std::string_view key);
    [[nodiscard]] std::vector<std::optional<std::string>> get_many(store::keys keys);
    void put(std::string_view key, std::string_view value);
    bool erase(std::string_view key);
    void rebuild();
    bool start_rebuild();
    void catch_up();
    void checkpoint();
    [[nodiscard]] guard_numbers numbers() const;

private:
    class body;
    std::unique_ptr<body> body_;
};

} // namespace bloomery::detail
