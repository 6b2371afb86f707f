// The methods of the base class, as Python calls them, and what they share.
#pragma once

#include "bulk.hpp"
#include "keys.hpp"
#include "object.hpp"

namespace bloomery_python {

/// True or False; null, for an exception that is set, if negative.
inline PyObject* truth(int answer) noexcept {
    return answer < 0 ? nullptr : Py_NewRef(answer != 0 ? Py_True : Py_False);
}
inline PyObject* none_if(bool done) noexcept { return done ? Py_NewRef(Py_None) : nullptr; }

/// Calls the library without the interpreter lock. Returns false if an exception is set.
template <class Call>
bool call_outside(filter_object* self, use how, Call call, const char* path = nullptr) noexcept {
    if (!ready(self, how)) {
        return false;
    }
    failure failed;
    {
        const without_lock outside(self, how);
        if (const bloomery_status status = call(self->filter); status != BLOOMERY_OK) {
            failed = failure::of_this_thread(status);
        }
    }
    if (failed.status != BLOOMERY_OK) {
        raise(failed, path, self->is_remote);
        return false;
    }
    return true;
}

/// Adds the functions for filters in Redis: redis.cpp. Returns false if an exception is set.
bool add_redis(PyObject* module) noexcept;

/// A secret: bytes, or None for none. Returns false if an exception is set.
bool secret_in(PyObject* given, const std::uint8_t*& secret) noexcept;
/// An encoding of keys: a name, or null for none. Returns false if an exception is set.
bool encoding_named(const char* name, std::uint32_t& encoding) noexcept;

// One key: single.cpp.
PyObject* add(PyObject* self, PyObject* key) noexcept;
int contains(PyObject* self, PyObject* key) noexcept;
PyObject* discard(PyObject* self, PyObject* key) noexcept;
PyObject* remove(PyObject* self, PyObject* key) noexcept;
PyObject* count(PyObject* self, PyObject* key) noexcept;
PyObject* report_false_positive(PyObject* self, PyObject* key) noexcept;
PyObject* withdraw(PyObject* self, PyObject* key) noexcept;

// Whole filters: whole.cpp.
PyObject* merge(PyObject* self, PyObject* other) noexcept;
PyObject* intersect(PyObject* self, PyObject* other) noexcept;
PyObject* equal(PyObject* self, PyObject* other) noexcept;
PyObject* require_compatible(PyObject* self, PyObject* other) noexcept;
PyObject* clear(PyObject* self, PyObject* none) noexcept;
PyObject* fold(PyObject* self, PyObject* rate) noexcept;
PyObject* advance(PyObject* self, PyObject* now) noexcept;
PyObject* reserve(PyObject* self, PyObject* items) noexcept;
PyObject* copy(PyObject* self, PyObject* none) noexcept;
PyObject* empty_copy(PyObject* self, PyObject* none) noexcept;
PyObject* with_exceptions(PyObject* self, PyObject* arguments) noexcept;
PyObject* info(PyObject* self, PyObject* none) noexcept;
PyObject* statistics(PyObject* self, PyObject* none) noexcept;
PyObject* rate_at(PyObject* self, PyObject* items) noexcept;
PyObject* describe(PyObject* self, PyObject* arguments) noexcept;

// Files and bytes: files.cpp.
PyObject* save(PyObject* self, PyObject* arguments) noexcept;
PyObject* to_bytes(PyObject* self, PyObject* arguments) noexcept;
PyObject* load(PyObject* type, PyObject* arguments) noexcept;
PyObject* map(PyObject* type, PyObject* arguments) noexcept;
PyObject* from_bytes(PyObject* type, PyObject* arguments) noexcept;
PyObject* sync(PyObject* self, PyObject* none) noexcept;
PyObject* close(PyObject* self, PyObject* none) noexcept;

} // namespace bloomery_python
