#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/excepted.hpp>

#include <utility>

namespace bloomery::inline v0 {

any_filter make_filter(const plan::shape& shape, storage::heap_words<> words,
                       const native_hash& hash, design made_for) {
    return filter(layout::native(shape), std::move(words), hash, made_for);
}

any_filter make_filter(const plan::shape& shape, const native_hash& hash, design made_for) {
    return filter(shape, hash, made_for);
}

any_filter with_exceptions(any_filter of, const exception_options& options) {
    if (of.get_if<any_excepted>() != nullptr) {
        return of;
    }
    return any_excepted(std::move(of), options);
}

const any_filter& without_exceptions(const any_filter& of) noexcept {
    const auto* const listed = of.get_if<any_excepted>();
    return listed == nullptr ? of : listed->inner();
}

} // namespace bloomery::inline v0
