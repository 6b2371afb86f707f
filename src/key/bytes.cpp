#include <bloomery/detail/key/bytes.hpp>
#include <bloomery/error.hpp>

namespace bloomery::inline v0 {

void detail::refuse_null_key() {
    throw bad_argument("a key is a null pointer; pass a string, which may be empty");
}

} // namespace bloomery::inline v0
