#include "bulk.hpp"

#include "keys.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <thread>
#include <utility>

namespace bloomery_python {

namespace {

/// Fewer keys than this take less time than a thread takes to start.
constexpr std::uint64_t keys_per_thread = 32768;

/// Below this, a call takes less time than releasing the interpreter lock and taking it again may.
constexpr std::uint64_t keys_worth_releasing = 2048;

/// Calls `use(part, first)` for parts of the keys, each in a thread of its own. Parts begin at
/// multiples of 64.
template <class Use>
failure in_threads(const bloomery_keys& keys, unsigned threads, Use use) {
    const std::uint64_t most = std::max<std::uint64_t>(1, keys.count / keys_per_thread);
    const auto parts = std::min<std::uint64_t>(threads, most);
    const std::uint64_t size = (keys.count / parts + 63) / 64 * 64;
    std::vector<failure> failures(static_cast<std::size_t>(parts));
    const auto run = [&](std::uint64_t part) {
        const std::uint64_t begin = std::min(part * size, keys.count);
        const std::uint64_t end =
            part + 1 == parts ? keys.count : std::min(begin + size, keys.count);
        const bloomery_status status = use(part_of(keys, begin, end), begin);
        if (status != BLOOMERY_OK) {
            failures[static_cast<std::size_t>(part)] = failure::of_this_thread(status);
        }
    };
    std::vector<std::thread> running;
    running.reserve(static_cast<std::size_t>(parts));
    std::uint64_t next = 1;
    for (; next < parts; ++next) {
        try {
            running.emplace_back(run, next);
        } catch (const std::exception&) {
            break; // no more threads, or no memory for one: this one does the rest
        }
    }
    run(0);
    for (; next < parts; ++next) {
        run(next);
    }
    for (std::thread& each : running) {
        each.join();
    }
    for (failure& each : failures) {
        if (each.status != BLOOMERY_OK) {
            return std::move(each);
        }
    }
    return {};
}

/// A user of keys that calls the library for a filter.
class caller : public keys_user {
public:
    /// Redis lets any number of threads write at once.
    caller(filter_object* self, bool writes) : self_(self), writes_(writes && !self->is_remote) {}

    bool use(const bloomery_keys& given, bool releasable) final {
        const bool releases =
            self_->is_remote || (releasable && given.count >= keys_worth_releasing);
        const bloomery_python::use how =
            releases ? (writes_ ? bloomery_python::use::write_outside
                                : bloomery_python::use::read_outside)
                     : (writes_ ? bloomery_python::use::write : bloomery_python::use::read);
        if (PyErr_CheckSignals() != 0 || !ready(self_, how)) {
            return false;
        }
        bloomery_keys keys = given;
        keys.encoding = self_->hash == nullptr ? self_->encoding : 0U;
        failure failed;
        if (releases) {
            const without_lock outside(self_, how);
            failed = call(self_->filter, keys);
        } else {
            failed = call(self_->filter, keys);
        }
        if (failed.status != BLOOMERY_OK) {
            raise(failed, nullptr, self_->is_remote);
            return false;
        }
        return true;
    }
    [[nodiscard]] bool takes_floats() const final {
        return bloomery_python::takes_floats(self_->encoding);
    }

private:
    virtual failure call(bloomery_filter* filter, const bloomery_keys& keys) = 0;

    filter_object* self_;
    bool writes_;
};

failure failure_of(bloomery_status status) {
    return status == BLOOMERY_OK ? failure{} : failure::of_this_thread(status);
}

class inserter final : public caller {
public:
    inserter(filter_object* self, unsigned threads) : caller(self, true), threads_(threads) {}

private:
    failure call(bloomery_filter* filter, const bloomery_keys& keys) override {
        bloomery_filter* shared = nullptr;
        // Kinds that threads cannot share are filled by one.
        if (threads_ <= 1 || keys.count < 2 * keys_per_thread ||
            bloomery_shared(filter, &shared) != BLOOMERY_OK) {
            return failure_of(bloomery_insert_many(filter, &keys));
        }
        const struct closing {
            bloomery_filter* of;
            ~closing() { bloomery_close(of); }
        } closed{shared};
        return in_threads(keys, threads_, [&](const bloomery_keys& part, std::uint64_t /*first*/) {
            return bloomery_insert_many(shared, &part);
        });
    }

    unsigned threads_;
};

class answerer final : public caller {
public:
    answerer(filter_object* self, verb what, unsigned threads)
        : caller(self, what != verb::ask), what_(what), threads_(threads) {}
    bitmap answers;

private:
    failure call(bloomery_filter* filter, const bloomery_keys& keys) override {
        return answers.append(keys.count, [&](std::uint8_t* to) {
            switch (what_) {
            case verb::try_insert:
                return failure_of(bloomery_try_insert_many(filter, &keys, to, nullptr));
            case verb::erase:
                return failure_of(bloomery_erase_many(filter, &keys, to, nullptr));
            default:
                return in_threads(
                    keys, threads_, [&](const bloomery_keys& part, std::uint64_t first) {
                        return bloomery_may_contain_many(filter, &part, to + first / 8, nullptr);
                    });
            }
        });
    }

    verb what_;
    unsigned threads_;
};

class counter final : public caller {
public:
    explicit counter(filter_object* self) : caller(self, false) {}
    std::vector<std::uint64_t> counts;

private:
    failure call(bloomery_filter* filter, const bloomery_keys& keys) override {
        const std::size_t before = counts.size();
        counts.resize(before + static_cast<std::size_t>(keys.count));
        return failure_of(bloomery_count_many(filter, &keys, counts.data() + before));
    }
};

/// Calls `act`, whose std::bad_alloc becomes a MemoryError.
template <class Act>
auto guarded(Act act) noexcept -> decltype(act()) {
    try {
        return act();
    } catch (const std::exception&) {
        PyErr_NoMemory();
        return {};
    }
}

PyObject* byte_array(const void* bytes, std::size_t size) noexcept {
    return PyByteArray_FromStringAndSize(static_cast<const char*>(bytes),
                                         static_cast<Py_ssize_t>(size));
}

/// A byte of 0 or 1 for each bit.
PyObject* unpacked(const bitmap& bits) noexcept {
    const auto count = static_cast<std::size_t>(bits.size());
    const owned made = own(byte_array(nullptr, count));
    if (made == nullptr) {
        return nullptr;
    }
    char* to = PyByteArray_AS_STRING(made.get());
    const std::vector<std::uint8_t>& from = bits.bytes();
    std::size_t i = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; i + 8 <= count; i += 8) {
            // Bit j of the byte becomes bit 0 of byte j: copies, of which each byte keeps one bit.
            const std::uint64_t spread =
                (from[i / 8] * 0x0101010101010101U & 0x8040201008040201U) + 0x7F7F7F7F7F7F7F7FU;
            const std::uint64_t bytes = spread >> 7U & 0x0101010101010101U;
            std::memcpy(to + i, &bytes, 8);
        }
    }
    for (; i < count; ++i) {
        to[i] = static_cast<char>(unsigned{from[i / 8]} >> (i % 8) & 1U);
    }
    return Py_NewRef(made.get());
}

/// Keeps the keys themselves, for calls that need all of them at once.
class kept_keys final : public keys_user {
public:
    bool use(const bloomery_keys& keys, bool /*releasable*/) override {
        for (std::uint64_t i = 0; i < keys.count; ++i) {
            const std::uint64_t bit = keys.validity_offset + i;
            const bool is_null =
                keys.validity != nullptr && (keys.validity[bit / 8] >> (bit % 8) & 1U) == 0;
            if (!is_null && !add(keys, i)) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] bloomery_keys all() const {
        return integers_.empty()
                   ? bloomery_keys_offsets64(bytes_.data(), offsets_.data(), offsets_.size() - 1)
                   : bloomery_keys_u64(integers_.data(), integers_.size());
    }

private:
    bool add(const bloomery_keys& keys, std::uint64_t i) {
        const bloomery_keys one = part_of(keys, i, i + 1);
        const auto* const at = static_cast<const char*>(one.data);
        std::int64_t begin = 0;
        switch (keys.form) {
        case BLOOMERY_KEYS_SLICES: {
            bloomery_slice slice;
            std::memcpy(&slice, at, sizeof slice);
            return add_bytes(static_cast<const char*>(slice.data), slice.size);
        }
        case BLOOMERY_KEYS_FIXED:
            return add_bytes(at, static_cast<std::size_t>(keys.width));
        case BLOOMERY_KEYS_VIEWS: {
            bloomery_slice slice{};
            return slice_of_view(keys, at, slice) &&
                   add_bytes(static_cast<const char*>(slice.data), slice.size);
        }
        case BLOOMERY_KEYS_OFFSETS32: {
            std::int32_t ends[2];
            std::memcpy(ends, one.offsets, sizeof ends);
            return add_bytes(at + ends[0], static_cast<std::size_t>(ends[1] - ends[0]));
        }
        case BLOOMERY_KEYS_OFFSETS64: {
            std::int64_t ends[2];
            std::memcpy(ends, one.offsets, sizeof ends);
            return add_bytes(at + ends[0], static_cast<std::size_t>(ends[1] - ends[0]));
        }
        case BLOOMERY_KEYS_U64:
        case BLOOMERY_KEYS_I64:
            std::memcpy(&begin, at, 8);
            return add_integer(begin);
        case BLOOMERY_KEYS_I32:
            return add_integer(value<std::int32_t>(at));
        case BLOOMERY_KEYS_U32:
            return add_integer(value<std::uint32_t>(at));
        case BLOOMERY_KEYS_I16:
            return add_integer(value<std::int16_t>(at));
        case BLOOMERY_KEYS_U16:
            return add_integer(value<std::uint16_t>(at));
        case BLOOMERY_KEYS_I8:
            return add_integer(value<std::int8_t>(at));
        case BLOOMERY_KEYS_U8:
            return add_integer(value<std::uint8_t>(at));
        default:
            PyErr_SetString(PyExc_TypeError, "a cascade does not take these arrays: pass a list");
            return false;
        }
    }
    template <class T>
    static std::int64_t value(const char* at) noexcept {
        T read;
        std::memcpy(&read, at, sizeof read);
        return static_cast<std::int64_t>(read);
    }
    bool add_integer(std::int64_t key) {
        integers_.push_back(static_cast<std::uint64_t>(key));
        return is_one_sort();
    }
    bool add_bytes(const char* at, std::size_t size) {
        bytes_.append(at, size);
        offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
        return is_one_sort();
    }
    [[nodiscard]] bool is_one_sort() const noexcept {
        if (integers_.empty() || offsets_.size() == 1) {
            return true;
        }
        PyErr_SetString(PyExc_TypeError,
                        "the keys of a cascade are all integers or all bytes and strings");
        return false;
    }

    std::string bytes_;
    std::vector<std::int64_t> offsets_{0};
    std::vector<std::uint64_t> integers_;
};

} // namespace

bool insert_all(filter_object* self, PyObject* keys, unsigned threads) noexcept {
    return ready(self, use::write) && guarded([&] {
               inserter user(self, threads);
               return for_all_keys(keys, self->hash, user);
           });
}

PyObject* answers_for_all(filter_object* self, PyObject* keys, verb what, bool packed,
                          unsigned threads) noexcept {
    if (!ready(self, what == verb::ask ? use::read : use::write)) {
        return nullptr;
    }
    return guarded([&]() -> PyObject* {
        answerer user(self, what, threads);
        if (!for_all_keys(keys, self->hash, user)) {
            return nullptr;
        }
        const bitmap& made = user.answers;
        return packed ? byte_array(made.bytes().data(), made.bytes().size()) : unpacked(made);
    });
}

PyObject* counts_for_all(filter_object* self, PyObject* keys) noexcept {
    if (!ready(self, use::read)) {
        return nullptr;
    }
    return guarded([&]() -> PyObject* {
        counter user(self);
        if (!for_all_keys(keys, self->hash, user)) {
            return nullptr;
        }
        return byte_array(user.counts.data(), user.counts.size() * sizeof user.counts[0]);
    });
}

PyObject* make_cascade(PyObject* stored, PyObject* others,
                       const bloomery_options& options) noexcept {
    return guarded([&]() -> PyObject* {
        kept_keys in;
        kept_keys out;
        if (!for_all_keys(stored, nullptr, in) || !for_all_keys(others, nullptr, out)) {
            return nullptr;
        }
        const bloomery_keys first = in.all();
        const bloomery_keys second = out.all();
        bloomery_filter* made = nullptr;
        failure failed;
        PyThreadState* const state = PyEval_SaveThread();
        failed = failure_of(bloomery_new_cascade(&first, &second, &options, &made));
        PyEval_RestoreThread(state);
        return failed.status != BLOOMERY_OK ? raise(failed) : wrap(made, nullptr, nullptr);
    });
}

} // namespace bloomery_python
