#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/make.hpp>

#include <utility>

namespace bloomery {

any_filter make_filter(const plan::shape& shape, storage::heap_words<> words,
                       const native_hash& hash, design made_for) {
    return filter(layout::native(shape), std::move(words), hash, made_for);
}

any_filter make_filter(const plan::shape& shape, const native_hash& hash, design made_for) {
    return filter(shape, hash, made_for);
}

} // namespace bloomery
