#include <bloomery/error.hpp>
#include <bloomery/key/bytes.hpp>

namespace bloomery {

void detail::refuse_null_key() {
    throw bad_argument("a key is a null pointer; give it as a string, which may be empty");
}

} // namespace bloomery
