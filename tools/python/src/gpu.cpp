// What bloomery.gpu calls through ctypes: a library of its own beside the extension, because it
// needs no Python, and because the extension must not need CUDA.
//
// Functions return 0, or the number of an error, whose sentence bpg_error gives to the same thread.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/gpu/filter.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#define CALL extern "C" __attribute__((visibility("default")))

namespace {

using namespace bloomery;
using gpu_filter = gpu::filter;

// Known to gpu.py.
enum status : int {
    ok,
    bad_argument_,
    incompatible_,
    bad_data_,
    unsupported_,
    memory_refused_,
    io_error_,
    no_device_,
    device_error_,
    other
};

thread_local std::string sentence;
thread_local int system_error = 0;

status remember(status what, const char* why) noexcept {
    try {
        sentence = why;
    } catch (...) {
        sentence.clear();
    }
    return what;
}

template <class Do>
status guarded(Do&& act) noexcept {
    try {
        act();
        return ok;
    } catch (const gpu::no_device& e) {
        return remember(no_device_, e.what());
    } catch (const gpu::device_error& e) {
        return remember(device_error_, e.what());
    } catch (const bad_argument& e) {
        return remember(bad_argument_, e.what());
    } catch (const incompatible& e) {
        return remember(incompatible_, e.what());
    } catch (const memory_refused& e) {
        return remember(memory_refused_, e.what());
    } catch (const bad_data& e) {
        return remember(bad_data_, e.what());
    } catch (const unsupported& e) {
        return remember(unsupported_, e.what());
    } catch (const io_error& e) {
        system_error = e.code().value();
        return remember(io_error_, e.what());
    } catch (const std::bad_alloc&) {
        return remember(memory_refused_, "out of memory");
    } catch (const std::exception& e) {
        return remember(other, e.what());
    }
}

/// -1 is the processor.
gpu::device device_of(int number) {
    return number < 0 ? gpu::device::processor()
                      : gpu::device::number(static_cast<std::size_t>(number));
}

/// As in gpu.py.
struct key_view {
    const void* data;
    const void* offsets;
    std::uint64_t count;
    std::uint64_t width;
    std::uint32_t kind;
    std::uint32_t on_device;
    void* stream; ///< whose work must be done first; or null
};

gpu::keys keys_of(const gpu_filter& for_filter, const key_view& some) {
    if (some.stream != nullptr) {
        for_filter.where().wait({some.stream});
    }
    return {static_cast<gpu::keys::kind>(some.kind), some.data,  some.offsets,
            static_cast<std::size_t>(some.count),    some.width, some.on_device != 0};
}

} // namespace

CALL const char* bpg_error() { return sentence.c_str(); }
CALL int bpg_system_error() { return system_error; }
CALL std::uint64_t bpg_count() { return gpu::device::count(); }

/// The GPU that has this memory, or -1.
CALL int bpg_number_of(const void* memory) {
    const auto number = gpu::device::number_of(memory);
    return number ? static_cast<int>(*number) : -1;
}

CALL int bpg_name(int device, char* name, std::uint64_t room) {
    return guarded([&] {
        const std::string found = device_of(device).name();
        std::strncpy(name, found.c_str(), room - 1);
        name[room - 1] = '\0';
    });
}

CALL int bpg_new(std::uint64_t n, double p, std::uint64_t seed, int device, gpu_filter** made) {
    return guarded([&] {
        *made = new gpu_filter(items{n}, rate{p}, device_of(device), native_hash::seeded(seed));
    });
}

CALL int bpg_decode(const void* bytes, std::uint64_t size, int device, gpu_filter** made) {
    return guarded([&] {
        const any_filter decoded =
            format::decode_native({static_cast<const std::byte*>(bytes), std::size_t{size}});
        *made = new gpu_filter(decoded, device_of(device));
    });
}

/// `take` gets the bytes piece by piece.
CALL int bpg_encode(const gpu_filter* of, void (*take)(const void* bytes, std::uint64_t size)) {
    return guarded([&] {
        const filter host = of->to_host();
        format::encode_native(any_filter::view_of(host),
                              [&](byte_view piece) { take(piece.data(), piece.size()); });
    });
}

CALL int bpg_load(const char* path, int device, gpu_filter** made) {
    return guarded([&] { *made = new gpu_filter(gpu_filter::load(path, device_of(device))); });
}
CALL int bpg_save(const gpu_filter* of, const char* path) {
    return guarded([&] { of->save(path); });
}
CALL void bpg_close(gpu_filter* of) { delete of; }

CALL int bpg_insert(gpu_filter* into, const key_view* keys) {
    return guarded([&] { into->insert_many(keys_of(*into, *keys)); });
}

/// One byte per key, on the device or in the memory of the program.
CALL int bpg_contains(const gpu_filter* of, const key_view* keys, bool* maybe, int on_device,
                      void* stream) {
    return guarded([&] {
        const gpu::keys some = keys_of(*of, *keys);
        if (stream != nullptr) {
            of->where().wait({stream});
        }
        if (on_device != 0) {
            of->may_contain_many(some, gpu::device_span<bool>(maybe, some.count()));
            return;
        }
        const bitmap answers = of->may_contain_many(some);
        for (std::size_t i = 0; i < some.count(); ++i) {
            maybe[i] = answers[i];
        }
    });
}
/// The words of a bitmap, in the memory of the program.
CALL int bpg_contains_bits(const gpu_filter* of, const key_view* keys, std::uint64_t* maybe) {
    return guarded([&] {
        const bitmap answers = of->may_contain_many(keys_of(*of, *keys));
        std::memcpy(maybe, answers.words().data(), answers.words().size_bytes());
    });
}
CALL int bpg_try_insert_bits(gpu_filter* into, const key_view* keys, std::uint64_t* fresh) {
    return guarded([&] {
        const bitmap answers = into->try_insert_many(keys_of(*into, *keys));
        std::memcpy(fresh, answers.words().data(), answers.words().size_bytes());
    });
}

CALL int bpg_merge(gpu_filter* into, const gpu_filter* other) {
    return guarded([&] { into->merge(*other); });
}
CALL int bpg_intersect(gpu_filter* into, const gpu_filter* other) {
    return guarded([&] { into->intersect(*other); });
}
CALL int bpg_clear(gpu_filter* of) {
    return guarded([&] { of->clear(); });
}
CALL int bpg_bits_set(const gpu_filter* of, std::uint64_t* count) {
    return guarded([&] { *count = of->bits_set(); });
}
CALL std::uint64_t bpg_bit_count(const gpu_filter* of) { return of->shape().bit_count; }
