// The library's calls for many keys, over whatever Python has them in.
#pragma once

#include "arrays.hpp"

namespace bloomery_python {

// Each returns false or null if an exception is set. The interpreter lock is released where no
// Python object is needed.

bool insert_all(filter_object* self, PyObject* keys, unsigned threads) noexcept;

enum class verb { ask, try_insert, erase };
/// Answers as a bytearray: one byte per key, or one bit per key if `packed`.
PyObject* answers_for_all(filter_object* self, PyObject* keys, verb what, bool packed,
                          unsigned threads) noexcept;

/// Counts as a bytearray of 64-bit integers.
PyObject* counts_for_all(filter_object* self, PyObject* keys) noexcept;

/// A cascade of the keys that it holds and those that it must deny.
PyObject* make_cascade(PyObject* stored, PyObject* others,
                       const bloomery_options& options) noexcept;

} // namespace bloomery_python
