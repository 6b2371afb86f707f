// Any iterable of Python objects as keys.
#include "arrays.hpp"
#include "keys.hpp"

#include <array>
#include <string>

namespace bloomery_python {

namespace {

/// How many Python objects are gathered for one call of the library.
constexpr std::size_t batch_size = 1024;

/// Gathers Python objects, and passes them on in runs of one form.
class batch {
public:
    batch(PyObject* hash, keys_user& user) : hash_(hash), user_(user), encoded_(batch_size) {
        kept_.reserve(batch_size);
    }

    /// Returns false if an exception is set; then the keys before this one have been used, unless
    /// it is about them.
    bool add(PyObject* object) {
        one_key key;
        if (hash_ != nullptr || !simple_key(object, key)) [[unlikely]] {
            return add_other(object);
        }
        return add(object, key, true);
    }

    bool flush() {
        if (count_ == 0) {
            return true;
        }
        const std::size_t count = count_;
        count_ = 0;
        const bool used = user_.use(are_integers_ ? bloomery_keys_u64(integers_.data(), count)
                                                  : bloomery_keys_slices(slices_.data(), count),
                                    false);
        kept_.clear();
        return used;
    }

private:
    [[gnu::noinline]] bool add_other(PyObject* object) {
        one_key key;
        key_room room;
        if (hash_ == nullptr && user_.takes_floats() && is_float(object)) {
            return add_float(PyFloat_AsDouble(object));
        }
        if (hash_ != nullptr ? !hashed_key(hash_, object, key) : !key_of(object, key, room)) {
            return flush_before_error();
        }
        return add(object, key, false);
    }

    bool add_float(double number) {
        if (number == -1.0 && PyErr_Occurred() != nullptr) {
            return flush_before_error();
        }
        bloomery_keys keys = bloomery_keys_init();
        keys.form = BLOOMERY_KEYS_F64;
        keys.data = &number;
        keys.count = 1;
        return flush() && user_.use(keys, false);
    }

    /// `held`: the object holds the bytes of the key.
    [[gnu::always_inline]] bool add(PyObject* object, const one_key& key, bool held) {
        if (count_ == batch_size || (count_ != 0 && are_integers_ != key.is_integer)) {
            if (!flush()) {
                return false;
            }
        }
        are_integers_ = key.is_integer;
        if (key.is_integer) {
            integers_[count_] = key.integer;
        } else if (held) {
            kept_.push_back(own(Py_NewRef(object)));
            slices_[count_] = {key.bytes, key.size};
        } else {
            encoded_[count_].assign(static_cast<const char*>(key.bytes), key.size);
            slices_[count_] = {encoded_[count_].data(), key.size};
        }
        ++count_;
        return true;
    }

    /// The keys before one that cannot be used are used, as by a loop.
    bool flush_before_error() {
        PyObject* type = nullptr;
        PyObject* value = nullptr;
        PyObject* traceback = nullptr;
        PyErr_Fetch(&type, &value, &traceback);
        if (flush()) {
            PyErr_Restore(type, value, traceback);
        } else { // the first error counts
            Py_XDECREF(type);
            Py_XDECREF(value);
            Py_XDECREF(traceback);
        }
        return false;
    }

    PyObject* hash_;
    keys_user& user_;
    std::array<std::uint64_t, batch_size> integers_{};
    std::array<bloomery_slice, batch_size> slices_{};
    std::vector<std::string> encoded_; ///< the bytes of slices that no Python object holds
    std::vector<owned> kept_;          ///< the objects that hold the other ones
    std::size_t count_ = 0;
    bool are_integers_ = false;
};

} // namespace

bool for_all_objects(PyObject* keys, PyObject* hash, keys_user& user) {
    batch gathered(hash, user);
    if (PyList_CheckExact(keys) || PyTuple_CheckExact(keys)) {
        // Code that makes a key, and other threads while this one waits, may change the list
        // meanwhile.
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(keys); ++i) {
            const owned item = own(Py_NewRef(PySequence_Fast_GET_ITEM(keys, i)));
            if (!gathered.add(item.get())) {
                return false;
            }
        }
        return gathered.flush();
    }
    const owned iterator = own(PyObject_GetIter(keys));
    if (iterator == nullptr) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError,
                         "%.100s is not a collection of keys: pass an iterable, a numpy array or "
                         "an Arrow array",
                         Py_TYPE(keys)->tp_name);
        }
        return false;
    }
    while (PyObject* const next = PyIter_Next(iterator.get())) {
        const owned item = own(next);
        if (!gathered.add(item.get())) {
            return false;
        }
    }
    if (PyErr_Occurred() != nullptr) {
        PyObject* type = nullptr;
        PyObject* value = nullptr;
        PyObject* traceback = nullptr;
        PyErr_Fetch(&type, &value, &traceback);
        if (!gathered.flush()) {
            PyErr_Clear();
        }
        PyErr_Restore(type, value, traceback);
        return false;
    }
    return gathered.flush();
}

} // namespace bloomery_python
