#include "native_kinds.hpp"

#include <bloomery/error.hpp>
#include <bloomery/layout/scheme.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace bloomery::format {

namespace {

using restore = any_filter (*)(const spec&, const design&, const native_hash&,
                               std::span<const std::uint64_t>);

template <class Kind>
any_filter restored(const spec& what, const design& made_for, const native_hash& hash,
                    std::span<const std::uint64_t> words) {
    return any_filter(std::in_place, Kind::restored(what, made_for, hash, words));
}

// A kind is one line here, and every reader of files has it.
constexpr std::array<std::pair<filter_kind, restore>, 0> kinds{};

restore restorer_of(const spec& what) noexcept {
    const auto* const found =
        std::ranges::find(kinds, what.kind, [](const auto& kind) { return kind.first; });
    return found == kinds.end() ? nullptr : found->second;
}

} // namespace

bool is_native_kind(const spec& what) noexcept {
    return what.scheme == layout::scheme_id::native && restorer_of(what) != nullptr;
}

any_filter restored_kind(const spec& what, const design& made_for, const native_hash& hash,
                         std::span<const std::uint64_t> words) {
    if (!is_native_kind(what)) {
        throw unsupported("no native file of this version holds filters of this kind");
    }
    return restorer_of(what)(what, made_for, hash, words);
}

} // namespace bloomery::format
