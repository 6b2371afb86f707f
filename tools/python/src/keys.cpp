#include "keys.hpp"

#include <array>
#include <new>
#include <string_view>

namespace bloomery_python {

namespace {

/// The class of an imported module, looked up once; null with an exception set.
PyObject* class_of(PyObject*& kept, const char* module, const char* name) noexcept {
    if (kept == nullptr) {
        const owned imported = own(PyImport_ImportModule(module));
        kept = imported == nullptr ? nullptr : PyObject_GetAttrString(imported.get(), name);
    }
    return kept;
}
PyObject* uuid_class = nullptr;
PyObject* datetime_class = nullptr;

/// 1 if an object is an instance of a class that its module would have to be imported for, 0 if
/// not, -1 on error. A module that nobody has imported has no instances.
int is_instance(PyObject* object, PyObject*& kept, const char* module, const char* name) noexcept {
    if (kept == nullptr) {
        PyObject* const modules = PyImport_GetModuleDict();
        if (PyDict_GetItemString(modules, module) == nullptr) {
            return 0;
        }
    }
    PyObject* const found = class_of(kept, module, name);
    return found == nullptr ? -1 : PyObject_IsInstance(object, found);
}

void append_word(std::string& to, std::uint64_t word) {
    std::array<char, 8> bytes{};
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[i] = static_cast<char>(word >> (8 * i) & 0xFFU);
    }
    to.append(bytes.data(), bytes.size());
}

bool refuse(PyObject* object) noexcept {
    if (PyFloat_Check(object)) {
        PyErr_SetString(
            PyExc_TypeError,
            "a float is not a key, because equal numbers can have different bits: use an int, "
            "a str, or struct.pack('<d', x)");
    } else if (object == Py_None) {
        PyErr_SetString(PyExc_TypeError,
                        "None is not a key: leave it out, or use a value of your own for it");
    } else {
        PyErr_Format(PyExc_TypeError,
                     "%.100s is not a key: use a str, bytes, int, uuid.UUID, datetime or a tuple "
                     "of these, or make the "
                     "filter with hash=, a function that returns an int for a key",
                     Py_TYPE(object)->tp_name);
    }
    return false;
}

/// An integer of more than 64 bits: its bytes in two's complement, the lowest first, as few as hold
/// it.
bool big_integer(PyObject* object, one_key& key, key_room& room) {
    const std::size_t bits = _PyLong_NumBits(object);
    if (bits == static_cast<std::size_t>(-1)) {
        return false;
    }
    const std::size_t size = bits / 8 + 1; // a bit for the sign
    room.encoded.resize(size);
    if (_PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(object),
                            reinterpret_cast<unsigned char*>(room.encoded.data()), size, 1,
                            1) != 0) {
        return false;
    }
    key.bytes = room.encoded.data();
    key.size = size;
    return true;
}

bool integer(PyObject* object, one_key& key, key_room& room) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) {
        key.is_integer = true;
        key.integer = static_cast<std::uint64_t>(value);
        return value != -1 || PyErr_Occurred() == nullptr;
    }
    if (overflow > 0) {
        const unsigned long long large = PyLong_AsUnsignedLongLong(object);
        if (large != static_cast<unsigned long long>(-1) || PyErr_Occurred() == nullptr) {
            key.is_integer = true;
            key.integer = large;
            return true;
        }
        PyErr_Clear();
    }
    return big_integer(object, key, room);
}

bool instant(PyObject* object, one_key& key) noexcept {
    const owned zone = own(PyObject_GetAttrString(object, "tzinfo"));
    if (zone == nullptr) {
        return false;
    }
    if (zone.get() == Py_None) {
        PyErr_SetString(
            PyExc_TypeError,
            "a datetime without a time zone is not a key, because it does not say which instant "
            "it is: give it one, such as datetime.timezone.utc");
        return false;
    }
    // Microseconds since 1970, exactly: timestamp() is a float.
    static PyObject* epoch = nullptr;
    static PyObject* microsecond = nullptr;
    if (microsecond == nullptr) {
        const owned module = own(PyImport_ImportModule("datetime"));
        const owned zones =
            own(module == nullptr ? nullptr : PyObject_GetAttrString(module.get(), "timezone"));
        const owned utc =
            own(zones == nullptr ? nullptr : PyObject_GetAttrString(zones.get(), "utc"));
        epoch = utc == nullptr
                    ? nullptr
                    : PyObject_CallFunction(class_of(datetime_class, "datetime", "datetime"),
                                            "iiiiiiiO", 1970, 1, 1, 0, 0, 0, 0, utc.get());
        microsecond = epoch == nullptr
                          ? nullptr
                          : PyObject_CallMethod(module.get(), "timedelta", "iii", 0, 0, 1);
        if (microsecond == nullptr) {
            Py_CLEAR(epoch);
            return false;
        }
    }
    const owned since = own(PyNumber_Subtract(object, epoch));
    const owned count =
        own(since == nullptr ? nullptr : PyNumber_FloorDivide(since.get(), microsecond));
    if (count == nullptr) {
        return false;
    }
    key.is_integer = true;
    key.integer = static_cast<std::uint64_t>(PyLong_AsLongLong(count.get()));
    return PyErr_Occurred() == nullptr;
}

/// The parts of a tuple, encoded as those of a std::tuple.
bool append_parts(PyObject* tuple, std::string& to) {
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* const part = PyTuple_GET_ITEM(tuple, i);
        if (PyTuple_Check(part)) {
            if (Py_EnterRecursiveCall(" in a key") != 0) {
                return false;
            }
            const bool done = append_parts(part, to);
            Py_LeaveRecursiveCall();
            if (!done) {
                return false;
            }
            continue;
        }
        one_key key;
        key_room room;
        if (!key_of(part, key, room)) {
            return false;
        }
        if (key.is_integer) {
            append_word(to, key.integer);
        } else {
            append_word(to, key.size);
            to.append(static_cast<const char*>(key.bytes), key.size);
        }
    }
    return true;
}

bool other(PyObject* object, one_key& key, key_room& room) {
    if (PyLong_Check(object)) {
        return integer(object, key, room);
    }
    if (PyUnicode_Check(object)) {
        Py_ssize_t size = 0;
        key.bytes = PyUnicode_AsUTF8AndSize(object, &size);
        key.size = static_cast<std::size_t>(size);
        return key.bytes != nullptr;
    }
    if (PyBytes_Check(object)) {
        key.bytes = PyBytes_AS_STRING(object);
        key.size = static_cast<std::size_t>(PyBytes_GET_SIZE(object));
        return true;
    }
    if (PyTuple_Check(object)) {
        room.encoded.clear();
        if (!append_parts(object, room.encoded)) {
            return false;
        }
        key.bytes = room.encoded.data();
        key.size = room.encoded.size();
        return true;
    }
    int found = is_instance(object, uuid_class, "uuid", "UUID");
    if (found > 0) {
        const owned bytes = own(PyObject_GetAttrString(object, "bytes"));
        if (bytes == nullptr || !PyBytes_Check(bytes.get())) {
            return PyErr_Occurred() == nullptr ? refuse(object) : false;
        }
        room.encoded.assign(PyBytes_AS_STRING(bytes.get()),
                            static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get())));
        key.bytes = room.encoded.data();
        key.size = room.encoded.size();
        return true;
    }
    if (found == 0) {
        found = is_instance(object, datetime_class, "datetime", "datetime");
        if (found > 0) {
            return instant(object, key);
        }
    }
    if (found < 0) {
        return false;
    }
    if (PyIndex_Check(object)) { // numpy's integers
        const owned index = own(PyNumber_Index(object));
        return index != nullptr && integer(index.get(), key, room);
    }
    const std::string_view type = Py_TYPE(object)->tp_name;
    if (type == "numpy.bool" || type == "numpy.bool_") { // which are no indices
        const int value = PyObject_IsTrue(object);
        key.is_integer = true;
        key.integer = value == 1 ? 1 : 0;
        return value >= 0;
    }
    if (PyByteArray_Check(object) || PyMemoryView_Check(object)) {
        return room.view(object, key);
    }
    return refuse(object);
}

} // namespace

key_room::~key_room() {
    if (viewing_) {
        PyBuffer_Release(&buffer_);
    }
}

bool key_room::view(PyObject* object, one_key& key) noexcept {
    if (PyObject_GetBuffer(object, &buffer_, PyBUF_SIMPLE) != 0) {
        return false;
    }
    viewing_ = true;
    key.bytes = buffer_.buf;
    key.size = static_cast<std::size_t>(buffer_.len);
    return true;
}

bool other_key(PyObject* object, one_key& key, key_room& room) noexcept {
    try {
        return other(object, key, room);
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
        return false;
    }
}

bool is_float(PyObject* object) noexcept {
    const PyNumberMethods* const number = Py_TYPE(object)->tp_as_number;
    return PyFloat_Check(object) ||
           (number != nullptr && number->nb_float != nullptr && number->nb_index == nullptr);
}

bool hashed_key(PyObject* hash, PyObject* object, one_key& key) noexcept {
    owned given = own(PyObject_CallOneArg(hash, object));
    if (given != nullptr && PyIndex_Check(given.get())) { // numpy's integers too
        given = own(PyNumber_Index(given.get()));
    }
    if (given == nullptr) {
        return false;
    }
    if (!PyLong_Check(given.get())) {
        PyErr_Format(PyExc_TypeError, "the function given as hash= must return an int, not %.100s",
                     Py_TYPE(given.get())->tp_name);
        return false;
    }
    key.is_integer = true;
    key.integer = PyLong_AsUnsignedLongLongMask(given.get());
    return PyErr_Occurred() == nullptr;
}

} // namespace bloomery_python
