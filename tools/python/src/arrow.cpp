#include "arrow.hpp"

#include <cstring>
#include <string_view>

namespace bloomery_python {

namespace {

/// Ends a structure of Arrow, unless the consumer has moved it away.
template <class T>
struct released {
    T value{};
    released() = default;
    released(const released&) = delete;
    released& operator=(const released&) = delete;
    ~released() {
        if (value.release != nullptr) {
            value.release(&value);
        }
    }
};

/// What a format string says of the keys. Returns false with a TypeError set if they are none.
struct key_format {
    std::uint32_t form = 0;
    std::uint64_t width = 0; ///< of fixed-size keys
};

bool read_format(const char* format, key_format& read) noexcept {
    const std::string_view is(format);
    static constexpr struct {
        const char* format;
        std::uint32_t form;
    } known[] = {{"c", BLOOMERY_KEYS_I8},        {"C", BLOOMERY_KEYS_U8},
                 {"s", BLOOMERY_KEYS_I16},       {"S", BLOOMERY_KEYS_U16},
                 {"i", BLOOMERY_KEYS_I32},       {"I", BLOOMERY_KEYS_U32},
                 {"l", BLOOMERY_KEYS_I64},       {"L", BLOOMERY_KEYS_U64},
                 {"u", BLOOMERY_KEYS_OFFSETS32}, {"z", BLOOMERY_KEYS_OFFSETS32},
                 {"U", BLOOMERY_KEYS_OFFSETS64}, {"Z", BLOOMERY_KEYS_OFFSETS64},
                 {"vu", BLOOMERY_KEYS_VIEWS},    {"vz", BLOOMERY_KEYS_VIEWS}};
    for (const auto& each : known) {
        if (is == each.format) {
            read.form = each.form;
            return true;
        }
    }
    if (is.starts_with("w:")) {
        read.form = BLOOMERY_KEYS_FIXED;
        read.width = std::strtoull(format + 2, nullptr, 10);
        return true;
    }
    if (is.starts_with("tsu:") &&
        is.size() > 4) { // an instant in microseconds, as a datetime with a time zone
        read.form = BLOOMERY_KEYS_I64;
        return true;
    }
    if (is == "e" || is == "f" || is == "g") {
        PyErr_SetString(
            PyExc_TypeError,
            "floating-point numbers are not keys: cast the column to integers or to strings");
    } else if (is.starts_with("ts")) {
        PyErr_SetString(
            PyExc_TypeError,
            "these timestamps are not keys: cast them to microseconds with a time zone, or to "
            "integers");
    } else {
        PyErr_Format(
            PyExc_TypeError,
            "Arrow arrays of the format '%.60s' are not keys: use integers, strings or binary data",
            format);
    }
    return false;
}

bool use_plain(const ArrowArray& array, const key_format& of, keys_user& user) {
    bloomery_keys keys = bloomery_keys_init();
    keys.form = of.form;
    keys.count = static_cast<std::uint64_t>(array.length);
    const auto offset = static_cast<std::size_t>(array.offset);
    if (array.null_count != 0 && array.buffers[0] != nullptr) {
        keys.validity = static_cast<const std::uint8_t*>(array.buffers[0]);
        keys.validity_offset = offset;
    }
    if (array.length == 0) {
        return true;
    }
    const auto at = [&](std::size_t width) {
        return static_cast<const std::uint8_t*>(array.buffers[1]) + offset * width;
    };
    switch (of.form) {
    case BLOOMERY_KEYS_OFFSETS32:
    case BLOOMERY_KEYS_OFFSETS64:
        keys.offsets = at(of.form == BLOOMERY_KEYS_OFFSETS32 ? 4 : 8);
        // All texts may be empty, and then there need be no buffer.
        keys.data = array.buffers[2] != nullptr ? array.buffers[2] : "";
        return user.use(keys, true);
    case BLOOMERY_KEYS_VIEWS:
        keys.data = at(16);
        keys.buffers = array.buffers + 2;
        keys.buffer_count = static_cast<std::uint64_t>(array.n_buffers - 3);
        keys.buffer_sizes = static_cast<const std::int64_t*>(array.buffers[array.n_buffers - 1]);
        return user.use(keys, true);
    case BLOOMERY_KEYS_FIXED:
        keys.width = of.width;
        keys.data = at(static_cast<std::size_t>(of.width));
        return user.use(keys, true);
    case BLOOMERY_KEYS_U64:
    case BLOOMERY_KEYS_I64:
        keys.data = at(8);
        return user.use(keys, true);
    case BLOOMERY_KEYS_U32:
    case BLOOMERY_KEYS_I32:
        keys.data = at(4);
        return user.use(keys, true);
    case BLOOMERY_KEYS_U16:
    case BLOOMERY_KEYS_I16:
        keys.data = at(2);
        return user.use(keys, true);
    default:
        keys.data = at(1);
        return user.use(keys, true);
    }
}

/// Bits, as Arrow packs boolean values, as the integers 0 and 1; or nothing but nulls.
bool use_bits(const ArrowArray& array, bool are_nulls, keys_user& user) {
    constexpr std::size_t most = 65536;
    const std::vector<std::uint8_t> none(most / 8);
    std::vector<std::uint8_t> integers(most);
    const auto length = static_cast<std::size_t>(array.length);
    for (std::size_t begin = 0; begin < length; begin += most) {
        bloomery_keys keys = bloomery_keys_init();
        keys.form = BLOOMERY_KEYS_U8;
        keys.data = integers.data();
        keys.count = length - begin < most ? length - begin : most;
        const std::size_t first = static_cast<std::size_t>(array.offset) + begin;
        if (are_nulls) {
            keys.validity = none.data();
        } else {
            const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[1]);
            for (std::size_t i = 0; i < keys.count; ++i) {
                integers[i] = static_cast<std::uint8_t>(
                    unsigned{bits[(first + i) / 8]} >> ((first + i) % 8) & 1U);
            }
            if (array.null_count != 0) {
                keys.validity = static_cast<const std::uint8_t*>(array.buffers[0]);
                keys.validity_offset = first;
            }
        }
        if (!user.use(keys, true)) {
            return false;
        }
    }
    return true;
}

/// Collects the keys of a dictionary, so that indices can choose among them.
class collected_keys final : public keys_user {
public:
    bool use(const bloomery_keys& keys, bool /*releasable*/) override {
        if (keys.validity != nullptr) {
            PyErr_SetString(
                PyExc_TypeError,
                "a dictionary with nulls among its values is not supported: decode the column");
            return false;
        }
        const auto* const bytes = static_cast<const std::uint8_t*>(keys.data);
        for (std::uint64_t i = 0; i < keys.count; ++i) {
            if (!add(keys, bytes, i)) {
                PyErr_Clear();
                PyErr_SetString(PyExc_TypeError,
                                "this dictionary is not supported: decode the column");
                return false;
            }
        }
        return true;
    }

    std::vector<bloomery_slice> slices;
    std::vector<std::uint64_t> integers;

private:
    bool add(const bloomery_keys& keys, const std::uint8_t* bytes, std::uint64_t i) {
        switch (keys.form) {
        case BLOOMERY_KEYS_OFFSETS32:
            return add_slice(bytes, static_cast<const std::int32_t*>(keys.offsets)[i],
                             static_cast<const std::int32_t*>(keys.offsets)[i + 1]);
        case BLOOMERY_KEYS_OFFSETS64:
            return add_slice(bytes, static_cast<const std::int64_t*>(keys.offsets)[i],
                             static_cast<const std::int64_t*>(keys.offsets)[i + 1]);
        case BLOOMERY_KEYS_FIXED:
            return add_slice(bytes, static_cast<std::int64_t>(i * keys.width),
                             static_cast<std::int64_t>((i + 1) * keys.width));
        case BLOOMERY_KEYS_VIEWS:
            return add_view(keys, bytes + 16 * i);
        case BLOOMERY_KEYS_U64:
        case BLOOMERY_KEYS_I64:
            integers.push_back(at<std::uint64_t>(bytes, i));
            return true;
        case BLOOMERY_KEYS_I32:
            return add_integer(at<std::int32_t>(bytes, i));
        case BLOOMERY_KEYS_U32:
            return add_integer(at<std::uint32_t>(bytes, i));
        case BLOOMERY_KEYS_I16:
            return add_integer(at<std::int16_t>(bytes, i));
        case BLOOMERY_KEYS_U16:
            return add_integer(at<std::uint16_t>(bytes, i));
        case BLOOMERY_KEYS_I8:
            return add_integer(at<std::int8_t>(bytes, i));
        case BLOOMERY_KEYS_U8:
            return add_integer(at<std::uint8_t>(bytes, i));
        default:
            return false;
        }
    }
    bool add_integer(std::int64_t key) {
        integers.push_back(static_cast<std::uint64_t>(key));
        return true;
    }
    bool add_slice(const std::uint8_t* bytes, std::int64_t begin, std::int64_t end) {
        if (begin < 0 || end < begin) {
            return false;
        }
        slices.push_back({bytes + begin, static_cast<std::size_t>(end - begin)});
        return true;
    }
    bool add_view(const bloomery_keys& keys, const std::uint8_t* view) {
        bloomery_slice slice{};
        if (!slice_of_view(keys, view, slice)) {
            return false;
        }
        slices.push_back(slice);
        return true;
    }
    template <class T>
    static T at(const std::uint8_t* bytes, std::uint64_t i) noexcept {
        T value;
        std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
        return value;
    }
};

bool use_array(const ArrowSchema& schema, const ArrowArray& array, keys_user& user);

/// The index at a position of an integer array, as Arrow's dictionaries have them.
std::uint64_t index_at(const void* data, std::uint32_t form, std::size_t i) noexcept {
    switch (form) {
    case BLOOMERY_KEYS_I8:
    case BLOOMERY_KEYS_U8:
        return static_cast<const std::uint8_t*>(data)[i];
    case BLOOMERY_KEYS_I16:
    case BLOOMERY_KEYS_U16:
        return static_cast<const std::uint16_t*>(data)[i];
    case BLOOMERY_KEYS_I32:
    case BLOOMERY_KEYS_U32:
        return static_cast<const std::uint32_t*>(data)[i];
    default:
        return static_cast<const std::uint64_t*>(data)[i];
    }
}

bool use_dictionary(const ArrowSchema& schema, const ArrowArray& array, keys_user& user) {
    key_format of;
    collected_keys values;
    if (!read_format(schema.format, of) ||
        !use_array(*schema.dictionary, *array.dictionary, values)) {
        return false;
    }
    constexpr std::size_t most = 65536; // so many that threads can share them
    std::vector<bloomery_slice> slices(values.integers.empty() ? most : 0);
    std::vector<std::uint64_t> integers(values.integers.empty() ? 0 : most);
    const auto* const validity =
        array.null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(array.buffers[0]);
    const auto length = static_cast<std::size_t>(array.length);
    for (std::size_t begin = 0; begin < length; begin += most) {
        bloomery_keys keys = bloomery_keys_init();
        keys.count = length - begin < most ? length - begin : most;
        const std::size_t first = static_cast<std::size_t>(array.offset) + begin;
        keys.validity = validity;
        keys.validity_offset = first;
        for (std::size_t i = 0; i < keys.count; ++i) {
            const std::size_t at = first + i;
            if (validity != nullptr && (validity[at / 8] >> (at % 8) & 1U) == 0) {
                if (integers.empty()) {
                    slices[i] = {"", 0};
                }
                continue;
            }
            const std::uint64_t index = index_at(array.buffers[1], of.form, at);
            if (index >= values.slices.size() + values.integers.size()) {
                PyErr_Format(PyExc_ValueError, "key %zu has an index outside of its dictionary",
                             begin + i);
                return false;
            }
            if (integers.empty()) {
                slices[i] = values.slices[index];
            } else {
                integers[i] = values.integers[index];
            }
        }
        keys.form = integers.empty() ? BLOOMERY_KEYS_SLICES : BLOOMERY_KEYS_U64;
        keys.data = integers.empty() ? static_cast<const void*>(slices.data()) : integers.data();
        if (!user.use(keys, true)) {
            return false;
        }
    }
    return true;
}

bool use_array(const ArrowSchema& schema, const ArrowArray& array, keys_user& user) {
    if (array.length < 0 || array.offset < 0) {
        PyErr_SetString(PyExc_ValueError, "the Arrow array has a negative length or offset");
        return false;
    }
    if (schema.dictionary != nullptr) {
        return use_dictionary(schema, array, user);
    }
    const std::string_view format(schema.format);
    if (format == "n" || (format == "b" && array.n_buffers >= 2)) {
        return use_bits(array, format == "n", user);
    }
    key_format of;
    if (!read_format(schema.format, of)) {
        return false;
    }
    const std::int64_t needed =
        of.form == BLOOMERY_KEYS_VIEWS                                             ? 3
        : of.form == BLOOMERY_KEYS_OFFSETS32 || of.form == BLOOMERY_KEYS_OFFSETS64 ? 3
                                                                                   : 2;
    if (array.n_buffers < needed) {
        PyErr_SetString(PyExc_ValueError,
                        "the Arrow array has fewer buffers than its format needs");
        return false;
    }
    return use_plain(array, of, user);
}

template <class T>
T* in_capsule(PyObject* capsule, const char* name) noexcept {
    return static_cast<T*>(PyCapsule_GetPointer(capsule, name));
}

} // namespace

bool slice_of_view(const bloomery_keys& keys, const void* view, bloomery_slice& slice) noexcept {
    struct {
        std::int32_t size;
        std::int32_t prefix; // or the first bytes of a short one
        std::int32_t buffer;
        std::int32_t offset;
    } is{};
    std::memcpy(&is, view, sizeof is);
    if (is.size >= 0 && is.size <= 12) {
        slice = {static_cast<const char*>(view) + 4, static_cast<std::size_t>(is.size)};
        return true;
    }
    if (is.size < 0 || is.buffer < 0 ||
        static_cast<std::uint64_t>(is.buffer) >= keys.buffer_count || is.offset < 0 ||
        std::int64_t{is.offset} + is.size > keys.buffer_sizes[is.buffer]) {
        PyErr_SetString(PyExc_ValueError, "an Arrow view is outside of its buffers");
        return false;
    }
    slice = {static_cast<const char*>(keys.buffers[is.buffer]) + is.offset,
             static_cast<std::size_t>(is.size)};
    return true;
}

bool for_all_in_arrow_array(PyObject* keys, keys_user& user) {
    const owned pair = own(PyObject_CallMethod(keys, "__arrow_c_array__", nullptr));
    if (pair == nullptr) {
        return false;
    }
    if (!PyTuple_Check(pair.get()) || PyTuple_GET_SIZE(pair.get()) != 2) {
        PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ must return a pair of capsules");
        return false;
    }
    // The capsules keep what they hold, and end it.
    const auto* const schema =
        in_capsule<ArrowSchema>(PyTuple_GET_ITEM(pair.get(), 0), "arrow_schema");
    const auto* const array =
        schema == nullptr ? nullptr
                          : in_capsule<ArrowArray>(PyTuple_GET_ITEM(pair.get(), 1), "arrow_array");
    if (array == nullptr) {
        return false;
    }
    if (schema->release == nullptr || array->release == nullptr) {
        PyErr_SetString(PyExc_ValueError, "the Arrow array was released already");
        return false;
    }
    return use_array(*schema, *array, user);
}

bool for_all_in_arrow_stream(PyObject* capsule, keys_user& user) {
    auto* const stream = in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream");
    if (stream == nullptr) {
        return false;
    }
    if (stream->release == nullptr) {
        PyErr_SetString(PyExc_ValueError, "the Arrow stream was released already");
        return false;
    }
    const auto refuse = [&] {
        const char* const why = stream->get_last_error(stream);
        PyErr_Format(PyExc_ValueError, "reading the Arrow stream failed: %.300s",
                     why != nullptr ? why : "no reason given");
        return false;
    };
    released<ArrowSchema> schema;
    if (stream->get_schema(stream, &schema.value) != 0) {
        return refuse();
    }
    if (std::string_view(schema.value.format) == "+s") {
        PyErr_SetString(PyExc_TypeError,
                        "a table is not an array of keys: pass one of its columns");
        return false;
    }
    for (;;) {
        released<ArrowArray> array;
        if (stream->get_next(stream, &array.value) != 0) {
            return refuse();
        }
        if (array.value.release == nullptr) {
            return true;
        }
        if (!use_array(schema.value, array.value, user)) {
            return false;
        }
    }
}

} // namespace bloomery_python
