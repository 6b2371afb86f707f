// Filters in Redis. A handle of the C interface holds one, so that keys, arrays and statistics go
// the same way as for all other filters.
#include <bloomery/detail/c/handles.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/redis/filter.hpp>

#include "methods.hpp"

#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery_python {

namespace {

using bloomery::any_filter;
using bloomery::bytes;
using bloomery::items;
using bloomery::rate;
using bloomery::redis::client;
using bloomery::redis::redis_filter;

/// What a call without the interpreter lock threw, as an exception of Python.
struct caught {
    PyObject* type = nullptr;
    std::string sentence;
};

template <class Act>
caught outcome_of(Act act) noexcept {
    caught failed;
    const auto keep = [&](PyObject* type, const char* sentence) {
        failed.type = type;
        failed.sentence = sentence;
    };
    try {
        try {
            act();
        } catch (const bloomery::bad_argument& e) {
            keep(argument_error, e.what());
        } catch (const bloomery::incompatible& e) {
            keep(incompatible_error, e.what());
        } catch (const bloomery::unsupported& e) {
            keep(unsupported_error, e.what());
        } catch (const std::bad_alloc&) {
            failed.type = PyExc_MemoryError;
        } catch (const std::exception& e) {
            keep(redis_error, e.what());
        }
    } catch (...) { // no memory for the sentence
        failed.type = PyExc_MemoryError;
    }
    return failed;
}

/// Calls `act` without the interpreter lock. Returns false if an exception is set.
template <class Act>
bool outside(Act act) noexcept {
    PyThreadState* const state = PyEval_SaveThread();
    const caught failed = outcome_of(act);
    PyEval_RestoreThread(state);
    if (failed.type != nullptr) {
        PyErr_SetString(failed.type, failed.sentence.c_str());
    }
    return failed.type == nullptr;
}
/// The same while a filter is in use.
template <class Act>
bool outside(filter_object* used, use how, Act act) noexcept {
    if (!ready(used, how)) {
        return false;
    }
    caught failed;
    {
        const without_lock released(used, how);
        failed = outcome_of(act);
    }
    if (failed.type != nullptr) {
        PyErr_SetString(failed.type, failed.sentence.c_str());
    }
    return failed.type == nullptr;
}

client connected(std::string_view url, bool cluster, const char* password) {
    auto how = cluster ? bloomery::redis::parse_cluster_urls(url) : bloomery::redis::parse_url(url);
    if (how.password.empty() && password != nullptr) {
        how.password = password;
    }
    return client(std::move(how));
}

/// (class, url, cluster, password, name, what to do, n, p, largest_shard, encoding, hash)
struct redis_arguments {
    PyObject* type = nullptr;
    const char* url = nullptr;
    int cluster = 0;
    const char* password = nullptr;
    const char* name = nullptr;
    const char* verb = nullptr;
    unsigned long long n = 0;
    double p = 0;
    unsigned long long largest_shard = 0;
    PyObject* local = nullptr;
    const char* encoding = nullptr;
    PyObject* hash = nullptr;

    bool parse(PyObject* arguments) noexcept {
        return PyArg_ParseTuple(arguments, "OspzssKdKOzO", &type, &url, &cluster, &password, &name,
                                &verb, &n, &p, &largest_shard, &local, &encoding, &hash) != 0;
    }

    [[nodiscard]] redis_filter made() const {
        client via = connected(url, cluster != 0, password);
        const std::string_view how = verb;
        if (how == "create") {
            return redis_filter::create(std::move(via), name, items{n}, rate{p},
                                        bytes{largest_shard});
        }
        if (how == "create_redisson") {
            return redis_filter::create_redisson(std::move(via), name, items{n}, rate{p});
        }
        if (how == "open_or_create") {
            return redis_filter::open_or_create(std::move(via), name, items{n}, rate{p},
                                                bytes{largest_shard});
        }
        if (how == "push") {
            return redis_filter::push(std::move(via), name,
                                      bloomery::c::filter_of(*object_of(local)->filter));
        }
        return redis_filter::open(std::move(via), name);
    }
};

PyObject* redis_make(PyObject* /*module*/, PyObject* arguments) noexcept {
    redis_arguments given;
    if (!given.parse(arguments)) {
        return nullptr;
    }
    filter_object* source = nullptr;
    if (std::strcmp(given.verb, "push") == 0) {
        if (PyObject_TypeCheck(given.local, base_type) == 0) {
            PyErr_Format(PyExc_TypeError, "expected a filter, not %.100s",
                         Py_TYPE(given.local)->tp_name);
            return nullptr;
        }
        source = object_of(given.local);
    }
    bloomery_filter* handle = nullptr;
    bool split = true;
    const auto make = [&] {
        redis_filter made = given.made();
        split = made.is_split();
        handle = bloomery::c::handle_of(any_filter(std::in_place, std::move(made)));
    };
    const bool done = source == nullptr ? outside(make) : outside(source, use::read_outside, make);
    std::uint32_t encoding = split ? BLOOMERY_KEY_ENCODING_BYTES : BLOOMERY_KEY_ENCODING_KRYO5;
    if (!done || (given.encoding != nullptr && !encoding_named(given.encoding, encoding))) {
        bloomery_close(handle);
        return nullptr;
    }
    return wrap_remote(handle, reinterpret_cast<PyTypeObject*>(given.type),
                       given.hash == Py_None ? nullptr : given.hash, encoding);
}

/// Whether there is a filter of that name: (url, cluster, password, name).
PyObject* redis_exists(PyObject* /*module*/, PyObject* arguments) noexcept {
    const char* url = nullptr;
    int cluster = 0;
    const char* password = nullptr;
    const char* name = nullptr;
    if (!PyArg_ParseTuple(arguments, "spzs", &url, &cluster, &password, &name)) {
        return nullptr;
    }
    bool found = false;
    if (!outside(
            [&] { found = redis_filter::exists(connected(url, cluster != 0, password), name); })) {
        return nullptr;
    }
    return truth(found ? 1 : 0);
}

/// A filter in memory with the bits that a split one in Redis would have: (n, p, largest_shard).
PyObject* redis_local(PyObject* /*module*/, PyObject* arguments) noexcept {
    unsigned long long n = 0;
    double p = 0;
    unsigned long long largest_shard = 0;
    if (!PyArg_ParseTuple(arguments, "KdK", &n, &p, &largest_shard)) {
        return nullptr;
    }
    bloomery_filter* handle = nullptr;
    if (!outside([&] {
            const bloomery::plan::split_shape shape =
                bloomery::plan::split_for(items{n}, rate{p}, bytes{largest_shard});
            bloomery::spec what{bloomery::filter_kind::bloom,
                                bloomery::layout::scheme_id::redisson_split,
                                bloomery::hash::hash_id::highway_128};
            what.shape = {bloomery::layout_kind::classic, shape.shard_count * shape.shard_bits,
                          shape.hash_count};
            what.parameters[0] = shape.shard_count;
            handle = bloomery::c::handle_of(bloomery::make_foreign(what, bloomery::design{n, p}));
        })) {
        return nullptr;
    }
    return wrap(handle, nullptr, nullptr);
}

/// What is done with a whole filter: (filter, verb, text, seconds).
PyObject* redis_do(PyObject* /*module*/, PyObject* arguments) noexcept {
    PyObject* of = nullptr;
    const char* said = nullptr;
    const char* text = nullptr;
    long long seconds = 0;
    if (!PyArg_ParseTuple(arguments, "OszL", &of, &said, &text, &seconds)) {
        return nullptr;
    }
    filter_object* const self = PyObject_TypeCheck(of, base_type) != 0 ? object_of(of) : nullptr;
    if (self == nullptr || !self->is_remote) {
        PyErr_SetString(PyExc_TypeError, "this is not a filter in Redis");
        return nullptr;
    }
    const std::string_view verb = said;
    const bool changes_handle = verb == "rename" || verb == "replicas";
    bloomery_filter* made = nullptr;
    std::optional<std::chrono::seconds> left;
    std::string name;
    const bool done = outside(self, changes_handle ? use::write_outside : use::read_outside, [&] {
        redis_filter& filter = *bloomery::c::filter_of(*self->filter).get_if<redis_filter>();
        if (verb == "drop") {
            filter.drop();
        } else if (verb == "pull") {
            made = bloomery::c::handle_of(filter.pull());
        } else if (verb == "copy") {
            made = bloomery::c::handle_of(any_filter(std::in_place, filter.copy(text)));
        } else if (verb == "rename") {
            filter.rename(text);
        } else if (verb == "expire") {
            filter.expire_after(std::chrono::seconds(seconds));
        } else if (verb == "persist") {
            filter.persist();
        } else if (verb == "replicas") {
            filter.wait_for_replicas(static_cast<unsigned>(seconds));
        } else if (verb == "ttl") {
            left = filter.time_left();
        }
        name = filter.name();
    });
    if (!done) {
        return nullptr;
    }
    if (verb == "name") {
        return PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()),
                                    "surrogateescape");
    }
    if (verb == "copy") {
        return wrap_remote(made, Py_TYPE(of), self->hash, self->encoding);
    }
    if (made != nullptr) {
        return wrap(made, nullptr, self->hash, self->encoding);
    }
    return left ? PyLong_FromLongLong(left->count()) : Py_NewRef(Py_None);
}

PyMethodDef functions[] = {{"redis_make", redis_make, METH_VARARGS, nullptr},
                           {"redis_exists", redis_exists, METH_VARARGS, nullptr},
                           {"redis_local", redis_local, METH_VARARGS, nullptr},
                           {"redis_do", redis_do, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

} // namespace

bool add_redis(PyObject* module) noexcept { return PyModule_AddFunctions(module, functions) == 0; }

} // namespace bloomery_python
