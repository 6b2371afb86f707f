#include "arrays.hpp"

#include "arrow.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace bloomery_python {

namespace {

/// A buffer that ends by itself.
class buffer {
public:
    buffer() = default;
    ~buffer() {
        if (held_) {
            PyBuffer_Release(&view);
        }
    }
    buffer(const buffer&) = delete;
    buffer& operator=(const buffer&) = delete;
    bool open(PyObject* object) noexcept {
        held_ = PyObject_GetBuffer(object, &view, PyBUF_STRIDED_RO | PyBUF_FORMAT) == 0;
        return held_;
    }
    Py_buffer view{};

private:
    bool held_ = false;
};

/// Appends a character to UTF-8. Returns false if it is not one.
bool append_utf8(std::string& to, std::uint32_t character) {
    const auto add = [&](std::uint32_t byte) { to.push_back(static_cast<char>(byte)); };
    if (character < 0x80) {
        add(character);
    } else if (character < 0x800) {
        add(0xC0U | character >> 6U);
        add(0x80U | (character & 0x3FU));
    } else if (character < 0x10000) {
        if (character >= 0xD800 && character < 0xE000) {
            return false;
        }
        add(0xE0U | character >> 12U);
        add(0x80U | (character >> 6U & 0x3FU));
        add(0x80U | (character & 0x3FU));
    } else if (character < 0x110000) {
        add(0xF0U | character >> 18U);
        add(0x80U | (character >> 12U & 0x3FU));
        add(0x80U | (character >> 6U & 0x3FU));
        add(0x80U | (character & 0x3FU));
    } else {
        return false;
    }
    return true;
}

/// numpy's strings of a fixed width: zeros at the end are not part of them, as when one of them is
/// taken out.
bool use_padded(const Py_buffer& view, std::int64_t stride, bool are_text, keys_user& user) {
    const auto* at = static_cast<const char*>(view.buf);
    const auto width = static_cast<std::size_t>(view.itemsize);
    const auto count = static_cast<std::size_t>(view.shape[0]);
    const std::size_t most = count < 65536 ? count : 65536; // so many that threads can share them
    std::vector<bloomery_slice> slices(most);
    std::string text;
    std::vector<std::size_t> ends(most);
    for (std::size_t begin = 0; begin < count; begin += most) {
        const std::size_t some = count - begin < most ? count - begin : most;
        text.clear();
        for (std::size_t i = 0; i < some; ++i, at += stride) {
            std::size_t size = width;
            if (!are_text) {
                while (size != 0 && at[size - 1] == 0) {
                    --size;
                }
                slices[i] = {at, size};
                continue;
            }
            std::uint32_t character = 0;
            for (; size != 0; size -= 4) {
                std::memcpy(&character, at + size - 4, 4);
                if (character != 0) {
                    break;
                }
            }
            for (std::size_t j = 0; j < size; j += 4) {
                std::memcpy(&character, at + j, 4);
                if (!append_utf8(text, character)) {
                    PyErr_Format(PyExc_ValueError,
                                 "key %zu has a character that UTF-8 cannot express", begin + i);
                    return false;
                }
            }
            ends[i] = text.size();
        }
        if (are_text) {
            for (std::size_t i = 0, from = 0; i < some; from = ends[i++]) {
                slices[i] = {text.data() + from, ends[i] - from};
            }
        }
        if (!user.use(bloomery_keys_slices(slices.data(), some), true)) {
            return false;
        }
    }
    return true;
}

/// The form of an integer of a format of the struct module; -1 for none.
int integer_form(char format, Py_ssize_t size) noexcept {
    const bool is_signed = std::string_view("bhilqn").find(format) != std::string_view::npos;
    if (!is_signed && std::string_view("BHILQN?").find(format) == std::string_view::npos) {
        return -1;
    }
    switch (size) {
    case 1:
        return is_signed ? BLOOMERY_KEYS_I8 : BLOOMERY_KEYS_U8;
    case 2:
        return is_signed ? BLOOMERY_KEYS_I16 : BLOOMERY_KEYS_U16;
    case 4:
        return is_signed ? BLOOMERY_KEYS_I32 : BLOOMERY_KEYS_U32;
    case 8:
        return is_signed ? BLOOMERY_KEYS_I64 : BLOOMERY_KEYS_U64;
    default:
        return -1;
    }
}

bool refuse_one_key(PyObject* object) noexcept {
    PyErr_Format(
        PyExc_TypeError,
        "%.100s is one key, not a collection of keys: use add or in, or put it into a list",
        Py_TYPE(object)->tp_name);
    return false;
}

bool use_buffer(PyObject* object, const Py_buffer& view, PyObject* hash, keys_user& user) {
    if (view.ndim != 1) {
        PyErr_Format(PyExc_TypeError,
                     "an array of keys has one dimension, and this one has %d: use array.ravel()",
                     view.ndim);
        return false;
    }
    std::string_view format(view.format == nullptr ? "B" : view.format);
    const char order = std::endian::native == std::endian::little ? '<' : '>';
    if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == order)) {
        format.remove_prefix(1);
    }
    if (PyMemoryView_Check(object) && view.itemsize == 1) {
        return refuse_one_key(object);
    }
    const std::int64_t stride = view.strides == nullptr ? view.itemsize : view.strides[0];
    bloomery_keys keys = bloomery_keys_init();
    keys.count = static_cast<std::uint64_t>(view.shape[0]);
    keys.data = view.buf;
    keys.stride = stride;
    if (keys.count == 0) {
        return true;
    }
    // A stride of 0, as numpy.broadcast_to makes it, would mean "contiguous" to the library.
    if (format == "O" || (stride == 0 && keys.count > 1)) {
        return for_all_objects(object, hash, user);
    }
    if (format.size() == 1) {
        if (const int form = integer_form(format[0], view.itemsize); form >= 0) {
            keys.form = static_cast<std::uint32_t>(form);
            return user.use(keys, true);
        }
    }
    if (!format.empty() && (format.back() == 's' || format.back() == 'w') &&
        format.find_first_not_of("0123456789") == format.size() - 1) {
        return use_padded(view, stride, format.back() == 'w', user);
    }
    if (!format.empty() && format.back() == 'x' &&
        format.find_first_not_of("0123456789") == format.size() - 1) {
        keys.form = BLOOMERY_KEYS_FIXED;
        keys.width = static_cast<std::uint64_t>(view.itemsize);
        return user.use(keys, true);
    }
    if ((format == "f" || format == "d") && user.takes_floats()) {
        keys.form = format == "f" ? BLOOMERY_KEYS_F32 : BLOOMERY_KEYS_F64;
        return user.use(keys, true);
    }
    if (format == "e" || format == "f" || format == "d" || format == "g") {
        PyErr_SetString(
            PyExc_TypeError,
            "floating-point numbers are not keys: convert the array to integers or to strings");
    } else if (format.size() > 1 && (format[0] == '>' || format[0] == '<' || format[0] == '!')) {
        PyErr_SetString(
            PyExc_TypeError,
            "the array has the byte order of another machine: use array.astype(array.dtype."
            "newbyteorder('='))");
    } else {
        PyErr_Format(PyExc_TypeError,
                     "arrays of the format '%.60s' are not keys: use integers, bytes or strings",
                     view.format);
    }
    return false;
}

bool has(PyObject* object, const char* name) noexcept {
    return PyObject_HasAttrString(object, name) == 1;
}

} // namespace

bool for_all_keys(PyObject* keys, PyObject* hash, keys_user& user) {
    if (PyUnicode_Check(keys) || PyBytes_Check(keys) || PyByteArray_Check(keys)) {
        return refuse_one_key(keys);
    }
    if (hash != nullptr &&
        has(keys, "to_pylist")) { // pyarrow's own objects are not what a function expects
        const owned list = own(PyObject_CallMethod(keys, "to_pylist", nullptr));
        return list != nullptr && for_all_objects(list.get(), hash, user);
    }
    if (hash != nullptr || PyList_CheckExact(keys) || PyTuple_CheckExact(keys)) {
        return for_all_objects(keys, hash, user);
    }
    if (has(keys, "__arrow_c_array__")) {
        return for_all_in_arrow_array(keys, user);
    }
    if (has(keys, "__arrow_c_stream__")) {
        const owned capsule = own(PyObject_CallMethod(keys, "__arrow_c_stream__", nullptr));
        if (capsule != nullptr) {
            return for_all_in_arrow_stream(capsule.get(), user);
        }
        if (!has(keys, "__array__")) {
            return false;
        }
        PyErr_Clear(); // pandas without pyarrow, or with objects that Arrow does not have
    }
    if (PyObject_CheckBuffer(keys)) {
        buffer held;
        if (held.open(keys)) {
            return use_buffer(keys, held.view, hash, user);
        }
        if (has(keys, "dtype")) { // numpy does not pass on what the struct module has no letter for
            PyErr_Clear();
            const owned type = own(PyObject_GetAttrString(keys, "dtype"));
            PyErr_Format(
                PyExc_TypeError,
                "numpy arrays of %S are not keys: convert the array to integers or strings; "
                "array.astype('datetime64[us]').view('int64') gives microseconds since 1970",
                type.get());
        }
        return false;
    }
    if (has(keys, "__array__") && has(keys, "dtype")) { // pandas
        const owned array = own(PyObject_CallMethod(keys, "__array__", nullptr));
        if (array == nullptr) {
            return false;
        }
        return PyObject_CheckBuffer(array.get()) ? for_all_keys(array.get(), hash, user)
                                                 : for_all_objects(array.get(), hash, user);
    }
    return for_all_objects(keys, hash, user);
}

bloomery_keys part_of(const bloomery_keys& keys, std::uint64_t begin, std::uint64_t end) noexcept {
    bloomery_keys part = keys;
    part.count = end - begin;
    part.validity_offset += begin;
    const auto advance = [&](const void* from, std::int64_t size) {
        return static_cast<const void*>(static_cast<const char*>(from) +
                                        static_cast<std::int64_t>(begin) * size);
    };
    const auto stride = [&](std::int64_t contiguous) {
        return keys.stride != 0 ? keys.stride : contiguous;
    };
    switch (keys.form) {
    case BLOOMERY_KEYS_OFFSETS32:
        part.offsets = advance(keys.offsets, 4);
        break;
    case BLOOMERY_KEYS_OFFSETS64:
        part.offsets = advance(keys.offsets, 8);
        break;
    case BLOOMERY_KEYS_FIXED:
        part.data = advance(keys.data, stride(static_cast<std::int64_t>(keys.width)));
        break;
    case BLOOMERY_KEYS_VIEWS:
    case BLOOMERY_KEYS_SLICES:
    case BLOOMERY_KEYS_DIGESTS:
        part.data = advance(keys.data, stride(16));
        break;
    case BLOOMERY_KEYS_U64:
    case BLOOMERY_KEYS_I64:
        part.data = advance(keys.data, stride(8));
        break;
    case BLOOMERY_KEYS_U32:
    case BLOOMERY_KEYS_I32:
        part.data = advance(keys.data, stride(4));
        break;
    case BLOOMERY_KEYS_U16:
    case BLOOMERY_KEYS_I16:
        part.data = advance(keys.data, stride(2));
        break;
    default:
        part.data = advance(keys.data, stride(1));
        break;
    }
    return part;
}

} // namespace bloomery_python
