// What a filter can be asked to do: for tests that a verb is there, or on purpose is not.
#pragma once

namespace bloomery::testing {

template <class F>
concept erases = requires(F& f) { f.erase(1); };
template <class F>
concept counts = requires(const F& f) { f.count(1); };
template <class F>
concept merges = requires(F& f) { f.merge(f); };
template <class F>
concept intersects = requires(F& f) { f.intersect(f); };

} // namespace bloomery::testing
