// The library's statuses as Python exceptions.
//
// Each is a bloomery.Error, and also the built-in exception that people would catch for it.
#include "python.hpp"

#include <cerrno>
#include <cstring>
#include <new>

namespace bloomery_python {

PyObject* argument_error = nullptr;
PyObject* incompatible_error = nullptr;
PyObject* unsupported_error = nullptr;
PyObject* redis_error = nullptr;

namespace {

PyObject* error = nullptr;
PyObject* data_error = nullptr;
PyObject* full_error = nullptr;
PyObject* memory_error = nullptr;

bool add(PyObject* module, PyObject*& made, const char* name, PyObject* other_base,
         const char* doc) noexcept {
    const owned bases = own(other_base == nullptr ? PyTuple_Pack(1, PyExc_Exception)
                                                  : PyTuple_Pack(2, error, other_base));
    char full_name[64] = "bloomery.";
    std::strncat(full_name, name, sizeof full_name - sizeof "bloomery.");
    made = bases == nullptr ? nullptr
                            : PyErr_NewExceptionWithDoc(full_name, doc, bases.get(), nullptr);
    return made != nullptr && PyModule_AddObjectRef(module, name, made) == 0;
}

PyObject* exception_for(bloomery_status status) noexcept {
    switch (status) {
    case BLOOMERY_INCOMPATIBLE:
        return incompatible_error;
    case BLOOMERY_MEMORY_REFUSED:
    case BLOOMERY_OUT_OF_MEMORY:
        return memory_error;
    case BLOOMERY_CLAIM_REFUSED:
    case BLOOMERY_BAD_DATA:
    case BLOOMERY_UNSEALED:
        return data_error;
    case BLOOMERY_UNSUPPORTED:
        return unsupported_error;
    case BLOOMERY_FILTER_FULL:
    case BLOOMERY_GROWTH_REFUSED:
        return full_error;
    case BLOOMERY_BAD_ARGUMENT:
    case BLOOMERY_NO_PLACE:
        return argument_error;
    default:
        return error;
    }
}

PyObject* raise_with(bloomery_status status, int system_error, const char* sentence,
                     const char* path, bool from_redis = false) noexcept {
    // A sentence may name a file, whose name may be any bytes.
    const owned text = own(
        PyUnicode_DecodeUTF8(sentence, static_cast<Py_ssize_t>(std::strlen(sentence)), "replace"));
    if (text == nullptr) {
        return nullptr;
    }
    if (status != BLOOMERY_IO_ERROR) {
        const bool unnamed = from_redis && status == BLOOMERY_INTERNAL;
        PyErr_SetObject(unnamed ? redis_error : exception_for(status), text.get());
        return nullptr;
    }
    if (system_error == 0) {
        system_error = EIO;
    }
    // OSError chooses FileNotFoundError, PermissionError, ... by the number itself.
    const owned arguments = own(path == nullptr ? Py_BuildValue("(iO)", system_error, text.get())
                                                : Py_BuildValue("(iON)", system_error, text.get(),
                                                                PyUnicode_DecodeFSDefault(path)));
    if (arguments != nullptr) {
        PyErr_SetObject(PyExc_OSError, arguments.get());
    }
    return nullptr;
}

} // namespace

bool add_errors(PyObject* module) noexcept {
    return add(module, error, "Error", nullptr,
               "The base of the exceptions of bloomery. Others are built-in: TypeError, OSError, "
               "KeyError, UnicodeEncodeError.") &&
           add(module, argument_error, "ArgumentError", PyExc_ValueError,
               "A value that cannot be used.") &&
           add(module, incompatible_error, "IncompatibleError", PyExc_ValueError,
               "Two filters that cannot be combined.") &&
           add(module, data_error, "DataError", PyExc_ValueError,
               "Bytes that are not a filter: damaged, truncated, or never one.") &&
           add(module, unsupported_error, "UnsupportedError", PyExc_ValueError,
               "What this kind or format of filter cannot do.") &&
           add(module, full_error, "FullError", PyExc_ValueError,
               "No room is left, and the filter cannot grow.") &&
           add(module, memory_error, "MemoryRefusedError", PyExc_MemoryError,
               "More memory than a limit or the system allows.") &&
           add(module, redis_error, "RedisError", PyExc_RuntimeError,
               "A Redis server that does not answer or refuses, or a filter that is not there.");
}

PyObject* raise(bloomery_status status, const char* path) noexcept {
    return raise_with(status, bloomery_last_system_error(), bloomery_last_error(), path);
}

failure failure::of_this_thread(bloomery_status status) noexcept {
    failure made;
    made.status = status;
    made.system_error = bloomery_last_system_error();
    const char* const said = bloomery_last_error();
    const std::size_t size = std::strlen(said) + 1;
    made.sentence.reset(new (std::nothrow) char[size]);
    if (made.sentence != nullptr) {
        std::memcpy(made.sentence.get(), said, size);
    }
    return made;
}

PyObject* raise(const failure& failed, const char* path, bool from_redis) noexcept {
    return raise_with(failed.status, failed.system_error,
                      failed.sentence != nullptr ? failed.sentence.get()
                                                 : bloomery_status_name(failed.status),
                      path, from_redis);
}

} // namespace bloomery_python
