// Python.h, and what every file of the extension needs: references that end by themselves, and
// errors.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <bloomery.h>
#include <structmember.h>

#include <memory>

namespace bloomery_python {

struct drop_reference {
    void operator()(PyObject* of) const noexcept { Py_DECREF(of); }
};
/// A reference that this code owns.
using owned = std::unique_ptr<PyObject, drop_reference>;
inline owned own(PyObject* given) noexcept { return owned(given); }

/// Some of the exceptions, for what the library does not find itself.
extern PyObject* argument_error;
extern PyObject* incompatible_error;
extern PyObject* unsupported_error;
extern PyObject* redis_error; ///< also of every call for a filter in Redis that has no better one

/// Adds the exceptions to the module. Returns false if an exception is set.
bool add_errors(PyObject* module) noexcept;

/// Raises the exception for a status, with the sentence of the last failed call of this thread.
/// `path` names the file for system errors; null for none. Returns null.
PyObject* raise(bloomery_status status, const char* path = nullptr) noexcept;
/// The same for a call that failed in another thread.
struct failure {
    bloomery_status status = BLOOMERY_OK;
    int system_error = 0;
    std::unique_ptr<char[]> sentence; ///< null if there was no memory for it

    /// What the calling thread's last failed call said.
    static failure of_this_thread(bloomery_status status) noexcept;
};
PyObject* raise(const failure& failed, const char* path = nullptr,
                bool from_redis = false) noexcept;

} // namespace bloomery_python
