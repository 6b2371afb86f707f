// The structures of the Arrow C data interface, as its specification defines them, and their keys.
#pragma once

#include "arrays.hpp"

#include <cstdint>

extern "C" {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

} // extern "C"

namespace bloomery_python {

/// The keys of an object with __arrow_c_array__, and of what __arrow_c_stream__ returned. As
/// for_all_keys. Nulls are skipped.
bool for_all_in_arrow_array(PyObject* keys, keys_user& user);
bool for_all_in_arrow_stream(PyObject* capsule, keys_user& user);

} // namespace bloomery_python
