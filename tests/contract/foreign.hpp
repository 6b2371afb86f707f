// Subjects for the filters of other systems: one for each type.
#pragma once

#include <bloomery/filter/foreign.hpp>
#include <bloomery/layout/classic.hpp>

#include "suite.hpp"

#include <stdexcept>

namespace bloomery::testing {

/// The empty filter of a type, of a size that its scheme can have.
template <class F>
F empty_foreign(std::uint64_t about_bits) {
    using hash_type = typename F::hash_type;
    using scheme = typename F::layout_type::scheme;
    spec wanted;
    wanted.scheme = scheme::id;
    if constexpr (std::same_as<hash_type, hash::java_text_hash>) {
        wanted.hash = hash::hash_id::bkdr;
    } else {
        wanted.hash = hash_type::id;
    }
    std::vector<std::uint64_t> sizes{about_bits};
    if constexpr (requires { scheme::bit_count; }) {
        sizes.push_back(scheme::bit_count);
    }
    for (const std::uint64_t size : sizes) {
        for (const std::uint32_t k : {7U, 8U, 6U, 5U, 1U}) {
            wanted.shape = {F::layout_type::kind, size, k};
            if (is_foreign(wanted)) {
                any_filter made = make_foreign(wanted);
                return std::move(*made.get_if<F>());
            }
        }
    }
    throw std::runtime_error("no size fits");
}

template <class F>
struct foreign_subject : usual_subject {
    using type = F;
    static F make() { return empty_foreign<F>(35'840); } // 512 * 7 * 10
};

#define BLOOMERY_FOREIGN(type)                                                                     \
    struct type##_subject : foreign_subject<type> {                                                \
        static constexpr const char* name = #type;                                                 \
    };

} // namespace bloomery::testing
