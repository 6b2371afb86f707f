// One Python object as a key: an integer, or bytes.
#pragma once

#include "python.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace bloomery_python {

/// A key, as the library takes it. Bytes belong to the Python object, or to `encoded`.
struct one_key {
    bool is_integer = false;
    std::uint64_t integer = 0;
    const void* bytes = nullptr;
    std::size_t size = 0;
};

/// What a key keeps alive until the call is over: the bytes of those that must be encoded, or a
/// buffer.
class key_room {
public:
    key_room() = default;
    ~key_room();
    key_room(const key_room&) = delete;
    key_room& operator=(const key_room&) = delete;

    std::string encoded;
    /// The contents of a buffer. Returns false if an exception is set.
    bool view(PyObject* object, one_key& key) noexcept;

private:
    Py_buffer buffer_{};
    bool viewing_ = false;
};

/// Makes a key of an int of 63 bits, an ASCII str or bytes, which need no room and run no code.
/// Returns false, without an exception, for anything else.
[[gnu::always_inline]] inline bool simple_key(PyObject* object, one_key& key) noexcept {
    PyTypeObject* const type = Py_TYPE(object);
    if (type == &PyUnicode_Type && PyUnicode_IS_COMPACT_ASCII(object)) {
        key.bytes = PyUnicode_1BYTE_DATA(object);
        key.size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(object));
        return true;
    }
    if (type == &PyLong_Type) {
        int overflow = 0;
        key.integer = static_cast<std::uint64_t>(PyLong_AsLongLongAndOverflow(object, &overflow));
        key.is_integer = true;
        return overflow == 0;
    }
    if (type == &PyBytes_Type) {
        key.bytes = PyBytes_AS_STRING(object);
        key.size = static_cast<std::size_t>(PyBytes_GET_SIZE(object));
        return true;
    }
    return false;
}

/// Makes a key of any other object. Returns false if an exception is set.
bool other_key(PyObject* object, one_key& key, key_room& room) noexcept;

/// Makes a key of an object. Returns false if an exception is set.
inline bool key_of(PyObject* object, one_key& key, key_room& room) noexcept {
    if (simple_key(object, key)) [[likely]] {
        return true;
    }
    key = {};
    return other_key(object, key, room);
}

/// Whether an encoding makes bytes of floating-point numbers.
constexpr bool takes_floats(std::uint32_t encoding) noexcept {
    return encoding == BLOOMERY_KEY_ENCODING_F32LE || encoding == BLOOMERY_KEY_ENCODING_F64LE ||
           encoding == BLOOMERY_KEY_ENCODING_F64LE_CANONICAL;
}
/// Whether an object is a floating-point number: Python's, or numpy's.
bool is_float(PyObject* object) noexcept;

/// The 64 bits that a caller's own hash function gives for a key. Returns false if an exception is
/// set.
bool hashed_key(PyObject* hash, PyObject* object, one_key& key) noexcept;

} // namespace bloomery_python
