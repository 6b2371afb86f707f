// Who waits for whom while the interpreter lock is released.
#include "object.hpp"

#include <unistd.h>

#include <chrono>
#include <new>

namespace bloomery_python {

void without_lock::change(gate& of, int gate::* count, int by) noexcept {
    {
        const std::lock_guard held(of.mutex);
        of.*count += by;
        of.process = getpid();
    }
    of.changed.notify_all();
}

namespace {

bool is_idle(const gate& busy) noexcept {
    return busy.readers == 0 && busy.writers == 0 && busy.line.empty();
}

/// A place in the line, until it ends.
class place_in_line {
public:
    explicit place_in_line(gate& busy) : busy_(busy) {
        const std::lock_guard held(busy.mutex);
        busy.line.push_back(this);
    }
    ~place_in_line() {
        {
            const std::lock_guard held(busy_.mutex);
            std::erase(busy_.line, this);
        }
        busy_.changed.notify_all();
    }
    place_in_line(const place_in_line&) = delete;
    place_in_line& operator=(const place_in_line&) = delete;

    [[nodiscard]] bool is_first() const noexcept { return busy_.line.front() == this; }

    /// Releases the interpreter lock until `wanted`, which may no longer be so when it has the lock
    /// again, or for a while. Returns false if an exception is set, such as KeyboardInterrupt.
    template <class Is>
    bool wait(Is wanted) noexcept {
        PyThreadState* const state = PyEval_SaveThread();
        {
            std::unique_lock held(busy_.mutex);
            busy_.changed.wait_for(held, std::chrono::milliseconds(100), wanted);
        }
        PyEval_RestoreThread(state);
        return PyErr_CheckSignals() == 0;
    }

private:
    gate& busy_;
};

/// Waits until a call may use the filter.
bool wait_in_line(filter_object* self, use how) {
    place_in_line place(*self->busy);
    const auto allowed = [&] {
        return self->busy->allows(writes(how)) && (!is_outside(how) || place.is_first());
    };
    for (;;) {
        if (self->filter == nullptr) {
            PyErr_SetString(argument_error, "the filter is closed");
            return false;
        }
        if (allowed()) {
            return true;
        }
        if (!place.wait(allowed)) {
            return false;
        }
    }
}

} // namespace

bool is_of_parent(const gate& busy) noexcept { return !is_idle(busy) && busy.process != getpid(); }

bool wait_for(filter_object* self, use how) noexcept {
    if (self->filter == nullptr) {
        PyErr_SetString(argument_error, "the filter is closed");
        return false;
    }
    if (writes(how) && self->read_only) {
        PyErr_SetString(argument_error,
                        "the file was opened for reading: open it with mode=\"r+\" to change it");
        return false;
    }
    try {
        if (is_of_parent(*self->busy)) {
            if (self->busy->writers != 0) {
                PyErr_SetString(
                    PyExc_RuntimeError,
                    "this process was forked while a thread was changing the filter, so that "
                    "it is incomplete here: fork before, or use the start method 'spawn'");
                return false;
            }
            self->busy = new gate; // the old one may be locked for ever
        }
        return may(self, how) || wait_in_line(self, how);
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
        return false;
    }
}

bool wait_until_idle(filter_object* self) noexcept {
    gate& busy = *self->busy;
    const auto idle = [&] { return busy.readers == 0 && busy.writers == 0; };
    if (idle() || is_of_parent(busy)) {
        return true;
    }
    try {
        place_in_line place(busy);
        while (!idle()) {
            if (!place.wait(idle)) {
                return false;
            }
        }
        return true;
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
        return false;
    }
}

} // namespace bloomery_python
