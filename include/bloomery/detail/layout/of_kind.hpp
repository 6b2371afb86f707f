// What layouts of one kind, known at compile time, have in common.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/plan/sizing.hpp>

namespace bloomery::inline v0::layout {

/// Marks a shape that was already checked.
struct trusted {};

/// The kind of a layout, and the shapes that filters of it get.
template <layout_kind Kind>
struct of_kind {
    static constexpr layout_kind kind = Kind;

    /// Like plan::for_rate and plan::for_memory, and throws like them; bits and hashes are used as
    /// they are.
    [[nodiscard]] static plan::shape shape_for(items n, rate p) {
        return plan::for_rate(n, p, Kind);
    }
    [[nodiscard]] static plan::shape shape_for(bytes memory, items n) {
        return plan::for_memory(memory, n, Kind);
    }
    [[nodiscard]] static plan::shape shape_for(bits m, hashes k) {
        return {Kind, m.value, k.value};
    }

    friend constexpr bool operator==(of_kind, of_kind) = default;

protected:
    /// Throws bad_argument if the shape has another layout or is invalid.
    static plan::shape checked(const plan::shape& of) {
        plan::check(of);
        if (of.layout != Kind) {
            throw bad_argument("the shape has another layout");
        }
        return of;
    }
};

} // namespace bloomery::inline v0::layout
