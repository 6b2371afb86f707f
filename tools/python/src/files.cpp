// Files and bytes.
#include "methods.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace bloomery_python {

namespace {

/// A path of any sort, as the system takes it.
class path_argument {
public:
    ~path_argument() { Py_XDECREF(bytes_); }
    bool read(PyObject* given) noexcept { return PyUnicode_FSConverter(given, &bytes_) != 0; }
    [[nodiscard]] const char* get() const noexcept { return PyBytes_AS_STRING(bytes_); }

private:
    PyObject* bytes_ = nullptr;
};

} // namespace

PyObject* save(PyObject* self, PyObject* arguments) noexcept {
    bloomery_write_options options = bloomery_write_options_init();
    PyObject* where = nullptr;
    int overwrite = 1;
    int keep_secret = 0;
    if (!PyArg_ParseTuple(arguments, "Ozzpp", &where, &options.format, &options.comment, &overwrite,
                          &keep_secret)) {
        return nullptr;
    }
    options.refuse_existing = overwrite == 0;
    options.keep_secret = keep_secret != 0;
    path_argument path;
    if (!path.read(where) || !wait_for_writers(path.get())) {
        return nullptr;
    }
    return none_if(call_outside(
        object_of(self), use::read_outside,
        [&](const bloomery_filter* of) { return bloomery_save(of, path.get(), &options); },
        path.get()));
}

namespace {

/// Writes into a bytes object, which grows if the filter did since it was made.
struct byte_writer {
    PyObject* bytes = nullptr;
    std::size_t size = 0;

    ~byte_writer() { Py_XDECREF(bytes); }
    static int write(const std::uint8_t* more, std::size_t count, void* context) noexcept {
        auto* const self = static_cast<byte_writer*>(context);
        if (count > static_cast<std::size_t>(PyBytes_GET_SIZE(self->bytes)) - self->size) {
            return 1;
        }
        std::memcpy(PyBytes_AS_STRING(self->bytes) + self->size, more, count);
        self->size += count;
        return 0;
    }
};

} // namespace

PyObject* to_bytes(PyObject* of, PyObject* arguments) noexcept {
    bloomery_write_options options = bloomery_write_options_init();
    int keep_secret = 0;
    if (!PyArg_ParseTuple(arguments, "zzp", &options.format, &options.comment, &keep_secret)) {
        return nullptr;
    }
    options.keep_secret = keep_secret != 0;
    filter_object* const self = object_of(of);
    if (options.format == nullptr || std::strcmp(options.format, "native") == 0) {
        // Without a second copy, unless the filter grows between the two calls.
        byte_writer writer;
        std::uint64_t size = 0;
        if (!call_outside(self, use::read_outside, [&](const bloomery_filter* filter) {
                return bloomery_encoded_size(filter, &options, &size);
            })) {
            return nullptr;
        }
        writer.bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
        if (writer.bytes == nullptr) {
            return nullptr;
        }
        bloomery_status status = BLOOMERY_OK;
        if (!call_outside(self, use::read_outside, [&](const bloomery_filter* filter) {
                status = bloomery_encode_to(filter, &options, byte_writer::write, &writer);
                return status == BLOOMERY_STOPPED ? BLOOMERY_OK : status;
            })) {
            return nullptr;
        }
        if (status == BLOOMERY_OK && writer.size == size) {
            return std::exchange(writer.bytes, nullptr);
        }
    }
    std::uint8_t* bytes = nullptr;
    std::uint64_t size = 0;
    if (!call_outside(self, use::read_outside, [&](const bloomery_filter* filter) {
            return bloomery_encode(filter, &options, &bytes, &size);
        })) {
        return nullptr;
    }
    PyObject* const made = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(bytes),
                                                     static_cast<Py_ssize_t>(size));
    bloomery_free_memory(bytes);
    return made;
}

namespace {

struct read_arguments {
    bloomery_read_options options = bloomery_read_options_init();
    PyObject* from = nullptr;
    PyObject* hash = nullptr;
    std::uint32_t encoding = BLOOMERY_KEY_ENCODING_BYTES;
    int writable = 0;

    /// (source, format, secret, encoding, hash, writable)
    bool parse(PyObject* arguments) noexcept {
        PyObject* secret = nullptr;
        const char* encoding_name = nullptr;
        if (!PyArg_ParseTuple(arguments, "OzOzOp", &from, &options.format, &secret, &encoding_name,
                              &hash, &writable) ||
            !secret_in(secret, options.secret) || !encoding_named(encoding_name, encoding)) {
            return false;
        }
        if (hash == Py_None) {
            hash = nullptr;
        }
        return true;
    }
};

/// Makes a filter without the interpreter lock.
template <class Make>
PyObject* made_outside(PyObject* type, const read_arguments& given, const char* path,
                       bool read_only, Make make) noexcept {
    bloomery_filter* made = nullptr;
    failure failed;
    PyThreadState* const state = PyEval_SaveThread();
    if (const bloomery_status status = make(&made); status != BLOOMERY_OK) {
        failed = failure::of_this_thread(status);
    }
    PyEval_RestoreThread(state);
    if (failed.status != BLOOMERY_OK) {
        return raise(failed, path);
    }
    return wrap(made, reinterpret_cast<PyTypeObject*>(type), given.hash, given.encoding, read_only);
}

} // namespace

PyObject* load(PyObject* type, PyObject* arguments) noexcept {
    read_arguments given;
    path_argument path;
    if (!given.parse(arguments) || !path.read(given.from)) {
        return nullptr;
    }
    return made_outside(type, given, path.get(), false, [&](bloomery_filter** made) {
        return bloomery_load(path.get(), &given.options, made);
    });
}

PyObject* map(PyObject* type, PyObject* arguments) noexcept {
    read_arguments given;
    path_argument path;
    if (!given.parse(arguments) || !path.read(given.from)) {
        return nullptr;
    }
    const bool writable = given.writable != 0;
    if (writable && !require_no_own_writer(path.get(), "use that filter, or close it first")) {
        return nullptr;
    }
    given.options.refuse_locked = true; // another process may have it open for as long as it lives
    PyObject* const made =
        made_outside(type, given, path.get(), !writable, [&](bloomery_filter** to) {
            return bloomery_map(path.get(), writable, &given.options, to);
        });
    if (writable && made != nullptr) {
        try {
            object_of(made)->writes_to = new writer_entry(path.get());
        } catch (const std::bad_alloc&) {
            Py_DECREF(made);
            return PyErr_NoMemory();
        }
    }
    return made;
}

PyObject* from_bytes(PyObject* type, PyObject* arguments) noexcept {
    read_arguments given;
    if (!given.parse(arguments)) {
        return nullptr;
    }
    Py_buffer bytes;
    if (PyObject_GetBuffer(given.from, &bytes, PyBUF_SIMPLE) != 0) {
        return nullptr;
    }
    const auto decode = [&](bloomery_filter** to) {
        return bloomery_decode(bytes.buf, static_cast<std::size_t>(bytes.len), &given.options, to);
    };
    PyObject* made = nullptr;
    if (bytes.readonly != 0) {
        made = made_outside(type, given, nullptr, false, decode);
    } else { // another thread must not change what was checked
        bloomery_filter* filter = nullptr;
        const bloomery_status status = decode(&filter);
        made = status != BLOOMERY_OK ? raise(status)
                                     : wrap(filter, reinterpret_cast<PyTypeObject*>(type),
                                            given.hash, given.encoding);
    }
    PyBuffer_Release(&bytes);
    return made;
}

PyObject* sync(PyObject* of, PyObject* /*none*/) noexcept {
    filter_object* const self = object_of(of);
    if (self->read_only) {
        return none_if(ready(self, use::read));
    }
    return none_if(call_outside(self, use::write_outside,
                                [](bloomery_filter* filter) { return bloomery_sync(filter); }));
}

PyObject* close(PyObject* of, PyObject* /*none*/) noexcept {
    filter_object* const self = object_of(of);
    if (self->filter == nullptr) {
        Py_RETURN_NONE;
    }
    // An error while syncing is told here; the filter is closed all the same.
    const bool synced = own(sync(of, nullptr)) != nullptr;
    if (self->filter == nullptr) { // another thread was faster
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    if (!wait_until_idle(self)) {
        return nullptr;
    }
    if (bloomery_filter* const closing = std::exchange(self->filter, nullptr)) {
        PyThreadState* const state = PyEval_SaveThread();
        bloomery_close(closing);
        PyEval_RestoreThread(state);
        delete std::exchange(self->writes_to, nullptr);
    }
    return none_if(synced);
}

} // namespace bloomery_python
