// The Python object around a filter, and who may use it while the global interpreter lock is
// released.
#pragma once

#include "writers.hpp"

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace bloomery_python {

/// Calls that release the interpreter lock say here what they do with the filter; everything else
/// only looks.
///
/// All members change only in a thread that holds the interpreter lock, so a call for one key,
/// which holds it from beginning to end, needs no lock of its own: it compares two numbers with
/// zero. Calls that release it take turns, in the order in which they came, so that none waits for
/// ever.
struct gate {
    int readers = 0;
    int writers = 0;              ///< 0 or 1
    std::deque<const void*> line; ///< who waits, the first in front
    std::mutex mutex;
    std::condition_variable changed;
    pid_t process = 0; ///< the one whose threads these are

    [[nodiscard]] bool allows(bool to_write) const noexcept {
        return writers == 0 && (!to_write || readers == 0);
    }
};

struct filter_object {
    PyObject_HEAD bloomery_filter* filter; ///< null once closed
    PyObject* hash;                        ///< the caller's hash function, or null
    gate* busy;
    PyObject* weak_references;
    std::uint32_t encoding; ///< of keys: bloomery_key_encoding
    bool has_plain_keys;    ///< no hash function of the caller's, and no encoding
    bool read_only;         ///< mapped for reading
    bool is_remote; ///< in Redis: calls take a while, and any number of threads may make them
    writer_entry* writes_to; ///< the file that it is mapped from for writing, or null
};

inline filter_object* object_of(PyObject* self) noexcept {
    return reinterpret_cast<filter_object*>(self);
}

/// Whether the threads in a gate are those of the process that this one was forked from, so that
/// they will never leave.
bool is_of_parent(const gate& busy) noexcept;

/// How a call uses a filter.
enum class use { read, write, read_outside, write_outside };
constexpr bool writes(use how) noexcept { return how == use::write || how == use::write_outside; }
/// Whether it releases the interpreter lock meanwhile.
constexpr bool is_outside(use how) noexcept {
    return how == use::read_outside || how == use::write_outside;
}

/// Waits until no other thread is in a call that conflicts, and checks that the filter is open.
/// Returns false if an exception is set.
bool wait_for(filter_object* self, use how) noexcept;
/// Waits until no other thread is in a call at all. Returns false if an exception is set.
bool wait_until_idle(filter_object* self) noexcept;

/// Whether a call may go on at once.
inline bool may(const filter_object* self, use how) noexcept {
    return self->filter != nullptr && self->busy->allows(writes(how)) &&
           (!writes(how) || !self->read_only) && (!is_outside(how) || self->busy->line.empty());
}
inline bool ready(filter_object* self, use how) noexcept {
    if (may(self, how)) [[likely]] {
        return true;
    }
    return wait_for(self, how);
}

/// Releases the interpreter lock until it ends. Only after `ready`, with no Python code between.
class without_lock {
public:
    without_lock(filter_object* of, use how, filter_object* also_read = nullptr) noexcept
        : first_(of->busy), second_(also_read == nullptr ? nullptr : also_read->busy),
          writes_(writes(how)) {
        change(1);
        state_ = PyEval_SaveThread();
    }
    ~without_lock() {
        PyEval_RestoreThread(state_);
        change(-1);
    }
    without_lock(const without_lock&) = delete;
    without_lock& operator=(const without_lock&) = delete;

private:
    void change(int by) noexcept {
        change(*first_, writes_ ? &gate::writers : &gate::readers, by);
        if (second_ != nullptr) {
            change(*second_, &gate::readers, by);
        }
    }
    static void change(gate& of, int gate::* count, int by) noexcept;

    gate* first_;
    gate* second_;
    bool writes_;
    PyThreadState* state_ = nullptr;
};

/// The base class of all filters: what every kind can do, and, with underscores, what some can.
extern PyTypeObject* base_type;
bool add_base_type(PyObject* module) noexcept;

/// The object of a handle, of the class for its kind, or of the given one. Takes the handle over.
/// Returns null with an exception set.
PyObject* wrap(bloomery_filter* made, PyTypeObject* type, PyObject* hash,
               std::uint32_t encoding = BLOOMERY_KEY_ENCODING_BYTES,
               bool read_only = false) noexcept;

/// The same for a filter in Redis, with exactly that class.
PyObject* wrap_remote(bloomery_filter* made, PyTypeObject* type, PyObject* hash,
                      std::uint32_t encoding) noexcept;

} // namespace bloomery_python
