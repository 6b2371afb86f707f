// A filter with what its file says besides the bits, so that it can be written again as it was.
#pragma once

#include <utility>

namespace bloomery::format {

/// All of a filter, and a note that travels with it: any_filter takes it in by std::in_place.
template <class Filter, class Note>
class keeping : public Filter {
public:
    keeping(Filter made, Note kept) : Filter(std::move(made)), note(std::move(kept)) {}

    Note note;
};

} // namespace bloomery::format
