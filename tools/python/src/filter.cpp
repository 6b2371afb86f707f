// The base class of all filters.
#include "methods.hpp"

#include <new>

namespace bloomery_python {

PyTypeObject* base_type = nullptr;

bool secret_in(PyObject* given, const std::uint8_t*& secret) noexcept {
    secret = nullptr;
    if (given == Py_None) {
        return true;
    }
    if (!PyBytes_Check(given)) {
        PyErr_Format(PyExc_TypeError, "a secret is bytes, not %.100s: random_secret() makes one",
                     Py_TYPE(given)->tp_name);
        return false;
    }
    if (PyBytes_GET_SIZE(given) != BLOOMERY_SECRET_SIZE) {
        PyErr_Format(argument_error, "a secret has %d bytes, and this one has %zd",
                     BLOOMERY_SECRET_SIZE, PyBytes_GET_SIZE(given));
        return false;
    }
    secret = reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(given));
    return true;
}

bool encoding_named(const char* name, std::uint32_t& encoding) noexcept {
    encoding = BLOOMERY_KEY_ENCODING_BYTES;
    const bloomery_status status =
        name == nullptr ? BLOOMERY_OK : bloomery_key_encoding_named(name, &encoding);
    if (status != BLOOMERY_OK) {
        raise(status);
    }
    return status == BLOOMERY_OK;
}

namespace {

PyObject* classes = nullptr; ///< kind → class, as Python code registers them

// Many keys.

/// How many threads an argument asks for; 0 with an exception set if it is not a number of threads.
unsigned threads_in(long given) noexcept {
    if (given < 1 || given > 1024) {
        PyErr_SetString(argument_error, "threads must be from 1 to 1024");
        return 0;
    }
    return static_cast<unsigned>(given);
}

PyObject* insert_many(PyObject* self, PyObject* arguments) noexcept {
    PyObject* keys = nullptr;
    long threads = 1;
    if (!PyArg_ParseTuple(arguments, "Ol", &keys, &threads)) {
        return nullptr;
    }
    const unsigned wanted = threads_in(threads);
    if (wanted == 0 || !insert_all(object_of(self), keys, wanted)) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

template <verb What>
PyObject* answer_many(PyObject* self, PyObject* arguments) noexcept {
    PyObject* keys = nullptr;
    int packed = 0;
    long threads = 1;
    if (!PyArg_ParseTuple(arguments, "Opl", &keys, &packed, &threads)) {
        return nullptr;
    }
    const unsigned wanted = threads_in(threads);
    return wanted == 0 ? nullptr
                       : answers_for_all(object_of(self), keys, What, packed != 0, wanted);
}

PyObject* count_many(PyObject* self, PyObject* keys) noexcept {
    return counts_for_all(object_of(self), keys);
}

// The type.

PyObject* new_filter(PyTypeObject* type, PyObject* arguments, PyObject* /*named*/) noexcept {
    // Python code has put them in order: see bloomery/_filters.py.
    bloomery_options options = bloomery_options_init();
    PyObject* hash = nullptr;
    unsigned long long items = 0;
    unsigned long long bytes = 0;
    unsigned long long bits = 0;
    unsigned int hashes = 0;
    unsigned long long seed = 0;
    PyObject* secret = nullptr;
    int foldable = 0;
    const char* encoding_name = nullptr;
    std::uint32_t encoding = BLOOMERY_KEY_ENCODING_BYTES;
    if (!PyArg_ParseTuple(arguments, "KdKKIKOpzzzzO", &items, &options.rate, &bytes, &bits, &hashes,
                          &seed, &secret, &foldable, &options.layout, &options.kind,
                          &options.format, &encoding_name, &hash) ||
        !secret_in(secret, options.secret) || !encoding_named(encoding_name, encoding)) {
        return nullptr;
    }
    options.items = items;
    options.bytes = bytes;
    options.bits = bits;
    options.hashes = hashes;
    options.seed = seed;
    options.foldable = foldable != 0;
    bloomery_filter* made = nullptr;
    failure failed;
    PyThreadState* const state = PyEval_SaveThread(); // a large filter takes a while
    if (const bloomery_status status = bloomery_new_with(&options, &made); status != BLOOMERY_OK) {
        failed = failure::of_this_thread(status);
    }
    PyEval_RestoreThread(state);
    return failed.status != BLOOMERY_OK
               ? raise(failed)
               : wrap(made, type, hash == Py_None ? nullptr : hash, encoding);
}

int traverse(PyObject* self, visitproc visit, void* arg) noexcept {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(object_of(self)->hash);
    return 0;
}
int forget(PyObject* self) noexcept {
    Py_CLEAR(object_of(self)->hash);
    return 0;
}
void deallocate(PyObject* of) noexcept {
    filter_object* const self = object_of(of);
    PyTypeObject* const type = Py_TYPE(of);
    PyObject_GC_UnTrack(of);
    if (self->weak_references != nullptr) {
        PyObject_ClearWeakRefs(of);
    }
    forget(of);
    bloomery_close(self->filter);
    delete self->writes_to;
    if (self->busy != nullptr &&
        !is_of_parent(*self->busy)) { // or else threads that are not here wait in it
        delete self->busy;
    }
    type->tp_free(of);
    Py_DECREF(type);
}

PyObject* get_closed(PyObject* self, void* /*none*/) noexcept {
    return truth(object_of(self)->filter == nullptr ? 1 : 0);
}
PyObject* get_hash(PyObject* self, void* /*none*/) noexcept {
    PyObject* const hash = object_of(self)->hash;
    return Py_NewRef(hash == nullptr ? Py_None : hash);
}
PyObject* get_encoding(PyObject* self, void* /*none*/) noexcept {
    return PyUnicode_FromString(bloomery_key_encoding_name(object_of(self)->encoding));
}

PyObject* register_classes(PyObject* /*type*/, PyObject* by_kind) noexcept {
    Py_XSETREF(classes, Py_NewRef(by_kind));
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"add", add, METH_O,
     "add($self, key, /)\n--\n\nAdd a key. Return True if it was certainly new, False if it may "
     "have been in before."},
    {"_insert_many", insert_many, METH_VARARGS, nullptr},
    {"_contains_many", answer_many<verb::ask>, METH_VARARGS, nullptr},
    {"_add_many", answer_many<verb::try_insert>, METH_VARARGS, nullptr},
    {"_discard_many", answer_many<verb::erase>, METH_VARARGS, nullptr},
    {"_count_many", count_many, METH_O, nullptr},
    {"_discard", discard, METH_O,
     "discard($self, key, /)\n--\n\nRemove one occurrence of a key. Return False if it was "
     "certainly not in.\n\n"
     "Remove only keys that are in: removing a false positive makes the filter deny keys that are "
     "in it."},
    {"_remove", remove, METH_O,
     "remove($self, key, /)\n--\n\nRemove one occurrence of a key. Raise KeyError if it was "
     "certainly not in.\n\n"
     "Remove only keys that are in: removing a false positive makes the filter deny keys that are "
     "in it."},
    {"_count", count, METH_O, "count($self, key, /)\n--\n\nReturn about how often a key is in."},
    {"_merge", merge, METH_O, nullptr},
    {"_intersect", intersect, METH_O, nullptr},
    {"_equal", equal, METH_O, nullptr},
    {"_require_compatible", require_compatible, METH_O, nullptr},
    {"clear", clear, METH_NOARGS, "clear($self, /)\n--\n\nRemove all keys."},
    {"_fold", fold, METH_O, nullptr},
    {"_advance", advance, METH_O,
     "advance($self, now, /)\n--\n\nSet the time: seconds if the span has a unit, from any "
     "origin."},
    {"_reserve", reserve, METH_O, "reserve($self, n, /)\n--\n\nMake room for n more keys."},
    {"sync", sync, METH_NOARGS,
     "sync($self, /)\n--\n\nReturn when everything added to an open file is on disk. Does nothing "
     "for a filter in memory."},
    {"close", close, METH_NOARGS,
     "close($self, /)\n--\n\nSync and close an open file, and free the memory of the filter."},
    {"_with_exceptions", with_exceptions, METH_VARARGS, nullptr},
    {"_report_false_positive", report_false_positive, METH_O,
     "report_false_positive($self, key, /)\n--\n\nAdd a key that is known to be absent to the list "
     "of exceptions: it is denied from "
     "then on. Do not report a key that was added."},
    {"_withdraw", withdraw, METH_O,
     "withdraw($self, key, /)\n--\n\nTake a key off the list of exceptions. Return whether it was "
     "there."},
    {"copy", copy, METH_NOARGS,
     "copy($self, /)\n--\n\nReturn a copy in memory, even of an open file."},
    {"empty_copy", empty_copy, METH_NOARGS,
     "empty_copy($self, /)\n--\n\nReturn an empty filter that can be merged with this one."},
    {"_info", info, METH_NOARGS, nullptr},
    {"_statistics", statistics, METH_NOARGS, nullptr},
    {"fpp_at", rate_at, METH_O,
     "fpp_at($self, n, /)\n--\n\nReturn the false-positive rate that this filter has with n "
     "distinct keys."},
    {"_describe", describe, METH_VARARGS, nullptr},
    {"_save", save, METH_VARARGS, nullptr},
    {"_to_bytes", to_bytes, METH_VARARGS, nullptr},
    {"_load", load, METH_VARARGS | METH_CLASS, nullptr},
    {"_map", map, METH_VARARGS | METH_CLASS, nullptr},
    {"_from_bytes", from_bytes, METH_VARARGS | METH_CLASS, nullptr},
    {"_register", register_classes, METH_O | METH_STATIC, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef properties[] = {
    {"closed", get_closed, nullptr, "Whether close was called.", nullptr},
    {"hash", get_hash, nullptr, "The function given as hash=, or None.", nullptr},
    {"encoding", get_encoding, nullptr,
     "How keys become bytes: 'bytes' unless the filter is of another system.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(filter_object, weak_references), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(new_filter)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(forget)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, properties},
                       {Py_tp_members, members},
                       {Py_sq_contains, reinterpret_cast<void*>(contains)},
                       {0, nullptr}};

PyType_Spec specification = {"bloomery._core.Base", sizeof(filter_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

/// The class for a handle: the given one, which must be for its kind, or the one that is registered
/// for it.
PyTypeObject* class_for(bloomery_filter* filter, PyTypeObject* type) noexcept {
    bloomery_info is = bloomery_info_init();
    if (bloomery_info_of(filter, &is) != BLOOMERY_OK || classes == nullptr) {
        PyErr_SetString(PyExc_RuntimeError, "the filter has no description");
        return nullptr;
    }
    PyObject* found = PyDict_GetItemString(classes, is.kind);
    if (found == nullptr) { // one that only files of other systems have
        found = PyDict_GetItemString(classes, "");
    }
    auto* const usual = reinterpret_cast<PyTypeObject*>(found);
    if (type == nullptr || PyType_IsSubtype(usual, type) != 0) {
        return usual; // Filter.load gives every kind
    }
    // A class of the caller's own, or that kind's; but not one of another kind, which may be
    // derived from the first.
    PyObject* each = nullptr;
    Py_ssize_t position = 0;
    bool fits = PyType_IsSubtype(type, usual) != 0;
    while (PyDict_Next(classes, &position, nullptr, &each) != 0) {
        auto* const other = reinterpret_cast<PyTypeObject*>(each);
        fits = fits && (PyType_IsSubtype(type, other) == 0 || PyType_IsSubtype(usual, other) != 0);
    }
    if (fits) {
        return type;
    }
    PyErr_Format(PyExc_TypeError,
                 "this is a %s filter, not a %.100s: use Filter, which takes every kind", is.kind,
                 type->tp_name);
    return nullptr;
}

} // namespace

namespace {

filter_object* made_object(bloomery_filter* made, PyTypeObject* type, PyObject* hash,
                           std::uint32_t encoding) noexcept {
    PyObject* const object = type == nullptr ? nullptr : type->tp_alloc(type, 0);
    if (object == nullptr) {
        bloomery_close(made);
        return nullptr;
    }
    filter_object* const self = object_of(object); // of zeros
    self->filter = made;
    self->hash = hash == nullptr ? nullptr : Py_NewRef(hash);
    self->encoding = encoding;
    self->has_plain_keys = hash == nullptr && encoding == BLOOMERY_KEY_ENCODING_BYTES;
    self->busy = new (std::nothrow) gate;
    if (self->busy == nullptr) {
        Py_DECREF(object);
        PyErr_NoMemory();
        return nullptr;
    }
    return self;
}

} // namespace

PyObject* wrap(bloomery_filter* made, PyTypeObject* type, PyObject* hash, std::uint32_t encoding,
               bool read_only) noexcept {
    filter_object* const self = made_object(made, class_for(made, type), hash, encoding);
    if (self != nullptr) {
        self->read_only = read_only;
    }
    return reinterpret_cast<PyObject*>(self);
}

PyObject* wrap_remote(bloomery_filter* made, PyTypeObject* type, PyObject* hash,
                      std::uint32_t encoding) noexcept {
    filter_object* const self = made_object(made, type, hash, encoding);
    if (self != nullptr) {
        self->is_remote = true;
        self->has_plain_keys = false; // single keys take the way on which others may run meanwhile
    }
    return reinterpret_cast<PyObject*>(self);
}

bool add_base_type(PyObject* module) noexcept {
    base_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&specification));
    return base_type != nullptr &&
           PyModule_AddObjectRef(module, "Base", reinterpret_cast<PyObject*>(base_type)) == 0;
}

} // namespace bloomery_python
