#include <bloomery/guard/alarm.hpp>

namespace bloomery {

std::string_view name_of(alarm_kind kind) noexcept {
    switch (kind) {
    case alarm_kind::overfull:
        return "overfull";
    case alarm_kind::crafted_fill:
        return "crafted_fill";
    case alarm_kind::crafted_keys:
        return "crafted_keys";
    case alarm_kind::stale:
        return "stale";
    }
    return "unknown";
}

} // namespace bloomery
