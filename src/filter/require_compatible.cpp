#include <bloomery/error.hpp>
#include <bloomery/filter/require_compatible.hpp>

#include <string>

namespace bloomery::detail {

void require_compatible(const compatibility& verdict, std::string_view done) {
    if (!verdict) {
        throw incompatible("the filters cannot be " + std::string(done) + ": " + verdict.reason);
    }
}

} // namespace bloomery::detail
