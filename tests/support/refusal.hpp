// What a call says when it refuses.
#pragma once

#include <string>

namespace bloomery::testing {

template <class Error, class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const Error& e) {
        return e.what();
    }
    return "(nothing was refused)";
}

} // namespace bloomery::testing
