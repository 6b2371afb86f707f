// Calls for one key.
#include "methods.hpp"

namespace bloomery_python {

namespace {

/// A key for filters whose keys go through an encoding or a function, as an array of one.
class array_of_one {
public:
    /// Returns false if an exception is set.
    bool read(const filter_object* self, PyObject* object) noexcept {
        if (self->hash != nullptr) {
            if (!hashed_key(self->hash, object, key_)) {
                return false;
            }
            keys = bloomery_keys_u64(&key_.integer, 1);
            return true;
        }
        if (takes_floats(self->encoding) && is_float(object)) {
            number_ = PyFloat_AsDouble(object);
            keys = bloomery_keys_init();
            keys.form = BLOOMERY_KEYS_F64;
            keys.data = &number_;
            keys.count = 1;
            keys.encoding = self->encoding;
            return number_ != -1.0 || PyErr_Occurred() == nullptr;
        }
        if (!key_of(object, key_, room_)) {
            return false;
        }
        slice_ = {key_.bytes, key_.size};
        keys = key_.is_integer ? bloomery_keys_u64(&key_.integer, 1)
                               : bloomery_keys_slices(&slice_, 1);
        keys.encoding = self->encoding;
        return true;
    }

    bloomery_keys keys = bloomery_keys_init();

private:
    one_key key_;
    key_room room_;
    bloomery_slice slice_{};
    double number_ = 0;
};

/// The answer for any Python object. Making a key of it may run Python code, so the filter is
/// looked at afterwards.
[[gnu::noinline]] int answer_for_other(filter_object* self, PyObject* object, verb what) noexcept {
    array_of_one one;
    if (!one.read(self, object)) {
        return -1;
    }
    std::uint8_t answer = 0;
    const auto call = [&](bloomery_filter* filter) {
        switch (what) {
        case verb::try_insert:
            return bloomery_try_insert_many(filter, &one.keys, &answer, nullptr);
        case verb::erase:
            return bloomery_erase_many(filter, &one.keys, &answer, nullptr);
        default:
            return bloomery_may_contain_many(filter, &one.keys, &answer, nullptr);
        }
    };
    if (self->is_remote) { // a round trip, during which other threads run
        return call_outside(self, use::read_outside, call) ? answer & 1 : -1;
    }
    if (!ready(self, what == verb::ask ? use::read : use::write)) {
        return -1;
    }
    if (const bloomery_status status = call(self->filter); status != BLOOMERY_OK) {
        raise(status);
        return -1;
    }
    return answer & 1;
}

/// A key for the list of exceptions, which has no calls for arrays.
bool exception_key(const filter_object* self, PyObject* object, one_key& key,
                   key_room& room) noexcept {
    if (self->hash != nullptr) {
        return hashed_key(self->hash, object, key);
    }
    return key_of(object, key, room);
}

} // namespace

PyObject* add(PyObject* of, PyObject* object) noexcept {
    filter_object* const self = object_of(of);
    one_key key;
    if (!self->has_plain_keys || !simple_key(object, key)) [[unlikely]] {
        return truth(answer_for_other(self, object, verb::try_insert));
    }
    if (!ready(self, use::write)) {
        return nullptr;
    }
    bool fresh = false;
    const bloomery_status status =
        key.is_integer ? bloomery_try_insert_u64(self->filter, key.integer, &fresh, nullptr)
                       : bloomery_try_insert(self->filter, key.bytes, key.size, &fresh, nullptr);
    return status != BLOOMERY_OK ? raise(status) : Py_NewRef(fresh ? Py_True : Py_False);
}

int contains(PyObject* of, PyObject* object) noexcept {
    filter_object* const self = object_of(of);
    one_key key;
    if (!self->has_plain_keys || !simple_key(object, key)) [[unlikely]] {
        return answer_for_other(self, object, verb::ask);
    }
    if (!ready(self, use::read)) {
        return -1;
    }
    bool maybe = true;
    const bloomery_status status =
        key.is_integer ? bloomery_may_contain_u64(self->filter, key.integer, &maybe)
                       : bloomery_may_contain(self->filter, key.bytes, key.size, &maybe);
    if (status != BLOOMERY_OK) {
        raise(status);
        return -1;
    }
    return maybe ? 1 : 0;
}

PyObject* discard(PyObject* of, PyObject* object) noexcept {
    return truth(answer_for_other(object_of(of), object, verb::erase));
}

PyObject* remove(PyObject* of, PyObject* object) noexcept {
    const int erased = answer_for_other(object_of(of), object, verb::erase);
    if (erased == 0) {
        // A tuple alone would be taken for the arguments of the exception.
        if (const owned arguments = own(PyTuple_Pack(1, object))) {
            PyErr_SetObject(PyExc_KeyError, arguments.get());
        }
        return nullptr;
    }
    return none_if(erased > 0);
}

PyObject* count(PyObject* of, PyObject* object) noexcept {
    filter_object* const self = object_of(of);
    array_of_one one;
    if (!one.read(self, object) || !ready(self, use::read)) {
        return nullptr;
    }
    std::uint64_t often = 0;
    const bloomery_status status = bloomery_count_many(self->filter, &one.keys, &often);
    return status != BLOOMERY_OK ? raise(status) : PyLong_FromUnsignedLongLong(often);
}

PyObject* report_false_positive(PyObject* of, PyObject* object) noexcept {
    filter_object* const self = object_of(of);
    one_key key;
    key_room room;
    if (!exception_key(self, object, key, room) || !ready(self, use::write)) {
        return nullptr;
    }
    const bloomery_status status =
        key.is_integer ? bloomery_report_false_positive_u64(self->filter, key.integer, nullptr)
                       : bloomery_report_false_positive(self->filter, key.bytes, key.size, nullptr);
    return status != BLOOMERY_OK ? raise(status) : Py_NewRef(Py_None);
}

PyObject* withdraw(PyObject* of, PyObject* object) noexcept {
    filter_object* const self = object_of(of);
    one_key key;
    key_room room;
    if (!exception_key(self, object, key, room) || !ready(self, use::write)) {
        return nullptr;
    }
    bool listed = false;
    const bloomery_status status =
        key.is_integer ? bloomery_withdraw_u64(self->filter, key.integer, &listed)
                       : bloomery_withdraw(self->filter, key.bytes, key.size, &listed);
    return status != BLOOMERY_OK ? raise(status) : Py_NewRef(listed ? Py_True : Py_False);
}

} // namespace bloomery_python
