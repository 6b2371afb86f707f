#include <bloomery/filter/any_excepted.hpp>

#include <utility>

namespace bloomery {

template struct detail::filter_model<any_excepted>;

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

} // namespace bloomery
