// A filter with what its file says besides the bits, so that it can be written again as it was.
#pragma once

#include <bloomery/filter/any_filter.hpp>

#include <utility>

namespace bloomery::format {

/// All of a filter, and a note that travels with it: any_filter takes it in by std::in_place.
template <class Filter, class Note>
class keeping : public Filter {
public:
    using filter_type = Filter;
    using note_type = Note;

    keeping(Filter made, Note kept) : Filter(std::move(made)), note(std::move(kept)) {}

    Note note;
};

/// The filter inside, which is a Kept::filter_type, with a note. O(1).
template <class Kept>
[[nodiscard]] any_filter with_note(any_filter made, typename Kept::note_type note) {
    return any_filter(std::in_place,
                      Kept(std::move(*made.get_if<typename Kept::filter_type>()), std::move(note)));
}

} // namespace bloomery::format
