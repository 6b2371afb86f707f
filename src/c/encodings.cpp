// Keys as other systems encode them.
#include <bloomery/detail/key/key_encoding.hpp>

#include "handle.hpp"

namespace bloomery::inline v0::c {

namespace {

key_encoding encoding_of(std::uint32_t number) {
    if (number > BLOOMERY_KEY_ENCODING_F64LE_CANONICAL) {
        throw bad_argument("there is no key encoding with the number " + std::to_string(number));
    }
    return static_cast<key_encoding>(number);
}

template <class Append>
bloomery_status encoded_key(std::uint32_t encoding, std::uint8_t** key, std::uint64_t* key_size,
                            Append append) noexcept {
    return guarded([&] {
        std::uint8_t*& to = required(key, "the output parameter for the key");
        std::uint64_t& size = required(key_size, "the output parameter for its size");
        to = nullptr;
        size = 0;
        std::string bytes;
        append(encoding_of(encoding), bytes);
        to = reinterpret_cast<std::uint8_t*>(copied_out(bytes)); // NOLINT: bytes both
        size = bytes.size();
    });
}

} // namespace

} // namespace bloomery::inline v0::c

using namespace bloomery;

const char* bloomery_key_encoding_name(uint32_t encoding) {
    return encoding > BLOOMERY_KEY_ENCODING_F64LE_CANONICAL
               ? nullptr
               : name_of(static_cast<key_encoding>(encoding)).data();
}

bloomery_status bloomery_key_encoding_named(const char* name, uint32_t* encoding) {
    return c::guarded([&] {
        uint32_t& to = c::required(encoding, "the output parameter for the encoding");
        to = 0;
        to = static_cast<uint32_t>(key_encoding_named(&c::required(name, "the name")));
    });
}

bloomery_status bloomery_key_from_text(uint32_t encoding, const char* text, size_t text_size,
                                       uint8_t** key, uint64_t* key_size) {
    return c::encoded_key(encoding, key, key_size, [&](key_encoding of, std::string& to) {
        if (text == nullptr && text_size != 0) {
            c::refuse_null("the text");
        }
        key_bytes().append(of, std::string_view(text, text_size), to);
    });
}

bloomery_status bloomery_key_from_integer(uint32_t encoding, int64_t number, uint8_t** key,
                                          uint64_t* key_size) {
    return c::encoded_key(encoding, key, key_size, [&](key_encoding of, std::string& to) {
        key_bytes::append(of, number, to);
    });
}

bloomery_status bloomery_key_from_float(uint32_t encoding, double number, uint8_t** key,
                                        uint64_t* key_size) {
    return c::encoded_key(encoding, key, key_size, [&](key_encoding of, std::string& to) {
        key_bytes::append(of, number, to);
    });
}
