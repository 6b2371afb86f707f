// The module bloomery._core. The package around it gives it its shape: see bloomery/__init__.py.
#include "methods.hpp"

namespace bloomery_python {

namespace {

PyObject* plan(PyObject* /*module*/, PyObject* arguments) noexcept {
    bloomery_options options = bloomery_options_init();
    unsigned long long items = 0;
    unsigned long long bytes = 0;
    unsigned long long bits = 0;
    unsigned int hashes = 0;
    int foldable = 0;
    if (!PyArg_ParseTuple(arguments, "KdKKIpz", &items, &options.rate, &bytes, &bits, &hashes,
                          &foldable, &options.layout)) {
        return nullptr;
    }
    options.items = items;
    options.bytes = bytes;
    options.bits = bits;
    options.hashes = hashes;
    options.foldable = foldable != 0;
    bloomery_plan made = bloomery_plan_init();
    if (const bloomery_status status = bloomery_plan_for(&options, &made); status != BLOOMERY_OK) {
        return raise(status);
    }
    return Py_BuildValue("{s:s,s:K,s:K,s:I,s:O,s:K,s:d,s:d,s:d,s:K}", "layout", made.layout, "bits",
                         static_cast<unsigned long long>(made.bits), "nbytes",
                         static_cast<unsigned long long>(made.bytes), "hashes", made.hashes,
                         "meets_rate", made.meets_rate ? Py_True : Py_False, "n",
                         static_cast<unsigned long long>(made.items), "p", made.rate, "fpp",
                         made.expected_rate, "bits_per_key", made.bits_per_item, "capacity",
                         static_cast<unsigned long long>(made.item_capacity));
}

PyObject* expected_rate(PyObject* /*module*/, PyObject* arguments) noexcept {
    const char* layout = nullptr;
    unsigned long long bits = 0;
    unsigned int hashes = 0;
    unsigned long long items = 0;
    if (!PyArg_ParseTuple(arguments, "sKIK", &layout, &bits, &hashes, &items)) {
        return nullptr;
    }
    double rate = 0;
    const bloomery_status status = bloomery_expected_rate(layout, bits, hashes, items, &rate);
    return status != BLOOMERY_OK ? raise(status) : PyFloat_FromDouble(rate);
}

PyObject* advise(PyObject* /*module*/, PyObject* situation) noexcept {
    const char* const given = PyUnicode_AsUTF8(situation);
    if (given == nullptr) {
        return nullptr;
    }
    char* json = nullptr;
    if (const bloomery_status status = bloomery_advise(given, &json); status != BLOOMERY_OK) {
        return raise(status);
    }
    PyObject* const text = PyUnicode_FromString(json);
    bloomery_free_memory(json);
    return text;
}

PyObject* cascade(PyObject* /*module*/, PyObject* arguments) noexcept {
    PyObject* stored = nullptr;
    PyObject* others = nullptr;
    unsigned long long seed = 0;
    PyObject* secret = nullptr;
    bloomery_options options = bloomery_options_init();
    if (!PyArg_ParseTuple(arguments, "OOKO", &stored, &others, &seed, &secret) ||
        !secret_in(secret, options.secret)) {
        return nullptr;
    }
    options.seed = seed;
    return make_cascade(stored, others, options);
}

PyObject* detect(PyObject* /*module*/, PyObject* given) noexcept {
    Py_buffer bytes;
    if (PyObject_GetBuffer(given, &bytes, PyBUF_SIMPLE) != 0) {
        return nullptr;
    }
    const char* format = nullptr;
    const bloomery_status status =
        bloomery_detect(bytes.buf, static_cast<std::size_t>(bytes.len), &format);
    PyBuffer_Release(&bytes);
    return status != BLOOMERY_OK ? raise(status) : PyUnicode_FromString(format);
}

PyObject* formats(PyObject* /*module*/, PyObject* /*none*/) noexcept {
    owned list = own(PyList_New(0));
    for (std::uint32_t i = 0; list != nullptr && bloomery_format_name(i) != nullptr; ++i) {
        bloomery_format is = bloomery_format_init();
        if (const bloomery_status status = bloomery_format_named(bloomery_format_name(i), &is);
            status != BLOOMERY_OK) {
            return raise(status);
        }
        const owned row =
            own(Py_BuildValue("(ssssOO)", is.name, is.what, is.keys, is.needs,
                              is.writable ? Py_True : Py_False, is.makeable ? Py_True : Py_False));
        if (row == nullptr || PyList_Append(list.get(), row.get()) != 0) {
            return nullptr;
        }
    }
    return list.release();
}

template <auto Name>
PyObject* names(PyObject* /*module*/, PyObject* /*none*/) noexcept {
    owned list = own(PyList_New(0));
    for (std::uint32_t i = 0; list != nullptr && Name(i) != nullptr; ++i) {
        const owned name = own(PyUnicode_FromString(Name(i)));
        if (name == nullptr || PyList_Append(list.get(), name.get()) != 0) {
            return nullptr;
        }
    }
    return list.release();
}

PyObject* random_secret(PyObject* /*module*/, PyObject* /*none*/) noexcept {
    std::uint8_t secret[BLOOMERY_SECRET_SIZE];
    const bloomery_status status = bloomery_random_secret(secret);
    return status != BLOOMERY_OK
               ? raise(status)
               : PyBytes_FromStringAndSize(reinterpret_cast<const char*>(secret), sizeof secret);
}

PyObject* kernel(PyObject* /*module*/, PyObject* /*none*/) noexcept {
    return PyUnicode_FromString(bloomery_kernel());
}

PyMethodDef functions[] = {{"plan", plan, METH_VARARGS, nullptr},
                           {"expected_rate", expected_rate, METH_VARARGS, nullptr},
                           {"advise", advise, METH_O, nullptr},
                           {"cascade", cascade, METH_VARARGS, nullptr},
                           {"detect", detect, METH_O, nullptr},
                           {"formats", formats, METH_NOARGS, nullptr},
                           {"kinds", names<bloomery_kind_name>, METH_NOARGS, nullptr},
                           {"layouts", names<bloomery_layout_name>, METH_NOARGS, nullptr},
                           {"encodings", names<bloomery_key_encoding_name>, METH_NOARGS, nullptr},
                           {"random_secret", random_secret, METH_NOARGS, nullptr},
                           {"kernel", kernel, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "bloomery._core",
                          nullptr,
                          -1,
                          functions,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

} // namespace

} // namespace bloomery_python

PyMODINIT_FUNC PyInit__core() {
    using namespace bloomery_python;
    owned module = own(PyModule_Create(&definition));
    if (module == nullptr || !add_errors(module.get()) || !add_base_type(module.get()) ||
        PyModule_AddStringConstant(module.get(), "version", bloomery_version()) != 0) {
        return nullptr;
    }
#ifdef BLOOMERY_PYTHON_REDIS
    if (!add_redis(module.get())) {
        return nullptr;
    }
#endif
    return module.release();
}
