// The part of a guard that does not depend on the types of its stores; see guard.hpp.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/guard/filters.hpp>
#include <bloomery/detail/guard/stores.hpp>
#include <bloomery/guard/numbers.hpp>
#include <bloomery/guard/options.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::inline v0::detail {

class BLOOMERY_EXPORT guard_core {
public:
    guard_core() = default;
    guard_core(const guard_core&) = delete;
    guard_core& operator=(const guard_core&) = delete;
    virtual ~guard_core() = default;

    [[nodiscard]] static std::unique_ptr<guard_core> make(std::unique_ptr<cache_handle> cache,
                                                          std::unique_ptr<source_handle> source,
                                                          filter_maker filters,
                                                          guard_options options);

    [[nodiscard]] virtual std::optional<std::string> get(std::string_view key) = 0;
    [[nodiscard]] virtual std::vector<std::optional<std::string>> get_many(store::keys keys) = 0;
    virtual void put(std::string_view key, std::string_view value) = 0;
    virtual bool erase(std::string_view key) = 0;
    virtual void rebuild() = 0;
    virtual bool start_rebuild() = 0;
    virtual void catch_up() = 0;
    virtual void checkpoint() = 0;
    [[nodiscard]] virtual guard_numbers numbers() const = 0;
};

} // namespace bloomery::inline v0::detail
