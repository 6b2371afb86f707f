// Calls for whole filters. They take long for large ones, so they release the interpreter lock.
#include "methods.hpp"

namespace bloomery_python {

namespace {
// Whole filters. These take long for large ones, so they release the interpreter lock.

filter_object* filter_in(PyObject* object) noexcept {
    if (PyObject_TypeCheck(object, base_type) == 0) {
        PyErr_Format(PyExc_TypeError, "expected a filter, not %.100s", Py_TYPE(object)->tp_name);
        return nullptr;
    }
    return object_of(object);
}

/// Whether two filters make keys of the same objects in the same way. Returns -1 if an exception is
/// set.
int make_same_keys(const filter_object* a, const filter_object* b) noexcept {
    if (a->encoding != b->encoding || (a->hash == nullptr) != (b->hash == nullptr)) {
        return 0;
    }
    return a->hash == nullptr ? 1 : PyObject_RichCompareBool(a->hash, b->hash, Py_EQ);
}

/// Calls the library with two filters: the first is changed if `how` says so, the second is only
/// read.
template <class Call>
bool call_with_both(PyObject* of, PyObject* other, use how, Call call) noexcept {
    filter_object* const self = object_of(of);
    filter_object* const second = filter_in(other);
    if (second == nullptr) {
        return false;
    }
    // While the second is waited for, the first may become busy again; whether others wait for it
    // is no matter now.
    do {
        if (!ready(self, how) || !ready(second, use::read)) {
            return false;
        }
    } while (self->filter == nullptr || !self->busy->allows(writes(how)));
    failure failed;
    {
        const without_lock outside(self, how, second == self ? nullptr : second);
        if (const bloomery_status status = call(self->filter, second->filter);
            status != BLOOMERY_OK) {
            failed = failure::of_this_thread(status);
        }
    }
    if (failed.status != BLOOMERY_OK) {
        raise(failed);
        return false;
    }
    return true;
}

/// The same for filters that must make the same keys.
template <class Call>
PyObject* combined(PyObject* self, PyObject* other, use how, Call call) noexcept {
    const filter_object* const second = filter_in(other);
    const int same = second == nullptr ? -1 : make_same_keys(object_of(self), second);
    if (same == 0) {
        PyErr_SetString(
            incompatible_error,
            "the filters make keys in different ways: they differ in hash= or encoding=");
    }
    return none_if(same > 0 && call_with_both(self, other, how, call));
}

} // namespace

PyObject* merge(PyObject* self, PyObject* other) noexcept {
    return combined(
        self, other, use::write_outside,
        [](bloomery_filter* to, const bloomery_filter* of) { return bloomery_merge(to, of); });
}
PyObject* intersect(PyObject* self, PyObject* other) noexcept {
    return combined(
        self, other, use::write_outside,
        [](bloomery_filter* to, const bloomery_filter* of) { return bloomery_intersect(to, of); });
}
PyObject* require_compatible(PyObject* self, PyObject* other) noexcept {
    return combined(self, other, use::read_outside,
                    [](const bloomery_filter* a, const bloomery_filter* b) {
                        return bloomery_compatible(a, b);
                    });
}
PyObject* equal(PyObject* self, PyObject* other) noexcept {
    const filter_object* const second = filter_in(other);
    const int same = second == nullptr ? -1 : make_same_keys(object_of(self), second);
    bool equal = false;
    if (same < 0 || !call_with_both(
                        self, other, use::read_outside,
                        [&](const bloomery_filter* a, const bloomery_filter* b) {
                            return bloomery_equal(a, b, &equal);
                        })) {
        return nullptr;
    }
    return truth(same > 0 && equal ? 1 : 0);
}
PyObject* clear(PyObject* self, PyObject* /*none*/) noexcept {
    return none_if(call_outside(object_of(self), use::write_outside,
                                [](bloomery_filter* of) { return bloomery_clear(of); }));
}
PyObject* fold(PyObject* self, PyObject* wanted) noexcept {
    const double rate = PyFloat_AsDouble(wanted);
    if (rate == -1.0 && PyErr_Occurred() != nullptr) {
        return nullptr;
    }
    return none_if(call_outside(object_of(self), use::write_outside,
                                [&](bloomery_filter* of) { return bloomery_fold(of, rate); }));
}
PyObject* advance(PyObject* self, PyObject* time) noexcept {
    const unsigned long long now = PyLong_AsUnsignedLongLong(time);
    if (PyErr_Occurred() != nullptr) {
        return nullptr;
    }
    return none_if(call_outside(object_of(self), use::write_outside,
                                [&](bloomery_filter* of) { return bloomery_advance(of, now); }));
}
PyObject* reserve(PyObject* self, PyObject* more) noexcept {
    const unsigned long long items = PyLong_AsUnsignedLongLong(more);
    if (PyErr_Occurred() != nullptr) {
        return nullptr;
    }
    return none_if(call_outside(object_of(self), use::write_outside, [&](bloomery_filter* of) {
        return bloomery_reserve(of, items, nullptr);
    }));
}
namespace {

/// The object of another handle, made from this one's.
template <class Make>
PyObject* another(PyObject* of, PyTypeObject* type, Make make) noexcept {
    filter_object* const self = object_of(of);
    bloomery_filter* made = nullptr;
    if (!call_outside(self, use::read_outside,
                      [&](const bloomery_filter* from) { return make(from, &made); })) {
        return nullptr;
    }
    return wrap(made, type, self->hash, self->encoding);
}

} // namespace

PyObject* copy(PyObject* self, PyObject* /*none*/) noexcept {
    return another(self, Py_TYPE(self), bloomery_copy);
}
PyObject* empty_copy(PyObject* self, PyObject* /*none*/) noexcept {
    return another(self, Py_TYPE(self), bloomery_new_like);
}

PyObject* with_exceptions(PyObject* self, PyObject* arguments) noexcept {
    bloomery_exception_options options = bloomery_exception_options_init();
    unsigned long long most = 0;
    int evict = 0;
    int fingerprints = 0;
    if (!PyArg_ParseTuple(arguments, "Kpp", &most, &evict, &fingerprints)) {
        return nullptr;
    }
    if (object_of(self)->encoding != BLOOMERY_KEY_ENCODING_BYTES) {
        PyErr_SetString(unsupported_error,
                        "a filter with an encoding of keys cannot have a list of exceptions");
        return nullptr;
    }
    options.most_entries = most;
    options.evict_oldest = evict != 0;
    options.fingerprints = fingerprints != 0;
    return another(self, nullptr, [&](const bloomery_filter* from, bloomery_filter** made) {
        bloomery_status status = bloomery_copy(from, made);
        if (status == BLOOMERY_OK) {
            status = bloomery_add_exceptions(*made, &options);
            if (status != BLOOMERY_OK) {
                bloomery_close(*made);
            }
        }
        return status;
    });
}

// Describing.

PyObject* info(PyObject* of, PyObject* /*none*/) noexcept {
    filter_object* const self = object_of(of);
    bloomery_info is = bloomery_info_init();
    const auto ask = [&](const bloomery_filter* filter) { return bloomery_info_of(filter, &is); };
    if (self->is_remote ? !call_outside(self, use::read_outside, ask) : !ready(self, use::read)) {
        return nullptr;
    }
    if (const bloomery_status status = self->is_remote ? BLOOMERY_OK : ask(self->filter);
        status != BLOOMERY_OK) {
        return raise(status);
    }
    const auto flag = [](bool value) { return value ? Py_True : Py_False; };
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:K,s:K,s:k,s:O,s:O,s:O,s:K,s:d,s:K,s:O}", "kind",
                         is.kind, "layout", is.layout, "scheme", is.scheme, "hash", is.hash, "seed",
                         static_cast<unsigned long long>(is.seed), "bit_count",
                         static_cast<unsigned long long>(is.bit_count), "hash_count",
                         static_cast<unsigned long>(is.hash_count), "keyed", flag(is.keyed),
                         "can_erase", flag(is.can_erase), "can_count", flag(is.can_count),
                         "item_capacity", static_cast<unsigned long long>(is.item_capacity),
                         "target_rate", is.target_rate, "byte_count",
                         static_cast<unsigned long long>(is.byte_count), "can_share",
                         flag(is.can_share));
}

PyObject* statistics(PyObject* self, PyObject* /*none*/) noexcept {
    bloomery_statistics is = bloomery_statistics_init();
    if (!call_outside(object_of(self), use::read_outside,
                      [&](const bloomery_filter* of) { return bloomery_statistics_of(of, &is); })) {
        return nullptr;
    }
    return Py_BuildValue("{s:K,s:K,s:d,s:d,s:d,s:d,s:O,s:O}", "bit_count",
                         static_cast<unsigned long long>(is.bit_count), "bits_set",
                         static_cast<unsigned long long>(is.bits_set), "fill_ratio", is.fill_ratio,
                         "items", is.items, "standard_error", is.standard_error, "expected_rate",
                         is.expected_rate, "saturated", is.saturated ? Py_True : Py_False,
                         "intersected", is.intersected ? Py_True : Py_False);
}

PyObject* rate_at(PyObject* of, PyObject* items) noexcept {
    const unsigned long long count = PyLong_AsUnsignedLongLong(items);
    filter_object* const self = object_of(of);
    if (PyErr_Occurred() != nullptr || !ready(self, use::read)) {
        return nullptr;
    }
    double rate = 0;
    if (self->is_remote) {
        return call_outside(self, use::read_outside,
                            [&](const bloomery_filter* filter) {
                                return bloomery_rate_at(filter, count, &rate);
                            })
                   ? PyFloat_FromDouble(rate)
                   : nullptr;
    }
    const bloomery_status status = bloomery_rate_at(self->filter, count, &rate);
    return status != BLOOMERY_OK ? raise(status) : PyFloat_FromDouble(rate);
}

PyObject* describe(PyObject* self, PyObject* arguments) noexcept {
    const char* format = nullptr;
    if (!PyArg_ParseTuple(arguments, "z", &format)) {
        return nullptr;
    }
    char* json = nullptr;
    if (!call_outside(object_of(self), use::read_outside, [&](const bloomery_filter* of) {
            return bloomery_describe(of, format, &json);
        })) {
        return nullptr;
    }
    PyObject* const text = PyUnicode_FromString(json);
    bloomery_free_memory(json);
    return text;
}

} // namespace bloomery_python
