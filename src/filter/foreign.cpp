#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>

#include "foreign_groups.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace bloomery::inline v0 {

namespace {

constexpr std::array foreign_groups{&detail::foreign_java, &detail::foreign_hadoop,
                                    &detail::foreign_stores, &detail::foreign_other};

} // namespace

bool is_foreign(const spec& what) noexcept {
    return std::ranges::any_of(foreign_groups, [&](const auto* group) { return group->has(what); });
}

any_filter make_foreign(const spec& what, storage::heap_words<> words, design made_for) {
    for (const detail::foreign_group_functions* const group : foreign_groups) {
        if (std::optional<any_filter> made = group->make(what, words, made_for)) {
            return std::move(*made);
        }
    }
    throw unsupported("no filter of another system that this version knows has this scheme, "
                      "hash and size");
}

any_filter make_foreign(const spec& what, design made_for) {
    if (!is_foreign(what)) {
        return make_foreign(what, storage::heap_words<>(0), made_for);
    }
    return make_foreign(what, storage::heap_words<>(what.shape.byte_count() / 8), made_for);
}

} // namespace bloomery::inline v0
