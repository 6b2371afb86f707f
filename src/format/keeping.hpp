// A filter plus the other contents of its file, so that it can be written back unchanged.
#pragma once

#include <bloomery/filter/any_filter.hpp>

#include <utility>

namespace bloomery::inline v0::format {

/// A filter with a note: constructed inside an any_filter with std::in_place.
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

} // namespace bloomery::inline v0::format
