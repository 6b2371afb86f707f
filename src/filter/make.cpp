#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/make.hpp>

#include <string>
#include <utility>

namespace bloomery {

any_filter make_filter(const plan::shape& shape, storage::heap_words<> words,
                       const native_hash& hash, design made_for) {
    switch (shape.layout) {
    case layout_kind::classic:
        return filter(layout::classic<>(shape), std::move(words), hash, made_for);
    case layout_kind::blocked_512:
        return blocked_filter(layout::blocked(shape), std::move(words), hash, made_for);
    default:
        throw unsupported("filters of the layout " + std::string(plan::name_of(shape.layout)) +
                          " can be planned but not made yet; take classic or blocked");
    }
}

any_filter make_filter(const plan::shape& shape, const native_hash& hash, design made_for) {
    plan::check(shape);
    const bool wide = needs_wide_digests(made_for);
    return make_filter(shape, storage::heap_words<>(shape.byte_count() / 8),
                       wide ? hash.widened() : hash, made_for);
}

bool is_available(layout_kind layout) noexcept {
    return layout == layout_kind::classic || layout == layout_kind::blocked_512;
}

} // namespace bloomery
