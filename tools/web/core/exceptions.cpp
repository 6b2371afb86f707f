// C++ exceptions for WebAssembly where the C++ library was built without them: what the compiler
// calls under -fwasm-exceptions. One thread. Facts from the Itanium C++ ABI (the LSDA, the type
// infos) and from LLVM's docs of WebAssembly exception handling (lpad context, tag 0).
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

// The compiler writes where a landing pad is and reads what it selects.
extern "C" {
struct lpad_context {
    std::uintptr_t index;
    const std::uint8_t* lsda;
    std::uintptr_t selector;
};
lpad_context __wasm_lpad_context = {0, nullptr, 0};
}

// The matcher of libc++abi: public bases, ambiguity, cv, pointers. Declared as it lies in the
// library.
namespace __cxxabiv1 {
class __shim_type_info : public std::type_info {
public:
    ~__shim_type_info() override;
    virtual void noop1() const;
    virtual void noop2() const;
    virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};
} // namespace __cxxabiv1

namespace {

struct alignas(16) header {
    const std::type_info* type;
    void* (*destroy)(void*);
    void* adjusted; ///< the object as the type of the handler sees it
    header* outer;  ///< the one that was caught before
    int handlers;   ///< that are open; negative while it is thrown again
    int references; ///< exception_ptrs, and one while it flies or is handled
};

header* caught = nullptr;
unsigned flying = 0;

void* object_of(header* of) noexcept { return of + 1; }
header* header_of(void* object) noexcept { return static_cast<header*>(object) - 1; }

void drop(header* one) noexcept {
    if (--one->references == 0) {
        if (one->destroy != nullptr) {
            one->destroy(object_of(one));
        }
        std::free(one);
    }
}

std::uintptr_t uleb(const std::uint8_t*& at) noexcept {
    std::uintptr_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
        byte = *at++;
        value |= static_cast<std::uintptr_t>(byte & 0x7fU) << shift;
        shift += 7;
    } while ((byte & 0x80U) != 0);
    return value;
}

std::intptr_t sleb(const std::uint8_t*& at) noexcept {
    std::uintptr_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0;
    do {
        byte = *at++;
        value |= static_cast<std::uintptr_t>(byte & 0x7fU) << shift;
        shift += 7;
    } while ((byte & 0x80U) != 0);
    if ((byte & 0x40U) != 0 && shift < 8 * sizeof value) {
        value |= ~std::uintptr_t{0} << shift;
    }
    return static_cast<std::intptr_t>(value);
}

bool matches(const std::type_info* wanted, header* thrown) noexcept {
    thrown->adjusted = object_of(thrown);
    using shim = const __cxxabiv1::__shim_type_info*;
    return wanted == nullptr ||
           static_cast<shim>(wanted)->can_catch(static_cast<shim>(thrown->type), thrown->adjusted);
}

[[noreturn]] void raise(header* one) {
    ++flying;
    __builtin_wasm_throw(0, one);
}

} // namespace

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept {
    void* const block = std::malloc(sizeof(header) + size);
    if (block == nullptr) {
        std::terminate();
    }
    return new (block) header{} + 1;
}
void __cxa_free_exception(void* object) noexcept { std::free(header_of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
    header* const one = header_of(object);
    one->type = type;
    one->destroy = destroy;
    one->references = 1;
    raise(one);
}

// In a landing pad that distinguishes types: says which handler takes the exception, 0 for none.
int _Unwind_CallPersonality(header* thrown) {
    __wasm_lpad_context.selector = 0;
    const std::uint8_t* at = __wasm_lpad_context.lsda;
    if (at == nullptr) {
        return 0;
    }
    ++at;                             // no start of landing pads
    const bool typed = *at++ != 0xff; // absolute pointers, or no types at all
    const std::uint8_t* types = nullptr;
    if (typed) {
        const std::uintptr_t offset = uleb(at);
        types = at + offset;
    }
    ++at; // the encoding of call sites
    const std::uintptr_t length = uleb(at);
    const std::uint8_t* const actions = at + length;
    std::uintptr_t action = 0;
    for (std::uintptr_t i = 0; i <= __wasm_lpad_context.index; ++i) {
        uleb(at);
        action = uleb(at);
    }
    if (action == 0) {
        return 0; // clean up only
    }
    for (const std::uint8_t* record = actions + action - 1;;) {
        const std::intptr_t type = sleb(record);
        const std::uint8_t* const link = record;
        const std::intptr_t next = sleb(record);
        if (type > 0) {
            const auto* const wanted = reinterpret_cast<const std::type_info* const*>(types)[-type];
            if (matches(wanted, thrown)) {
                __wasm_lpad_context.selector = static_cast<std::uintptr_t>(type);
                return 0;
            }
        }
        if (next == 0) {
            return 0;
        }
        record = link + next;
    }
}

void* __cxa_get_exception_ptr(header* thrown) noexcept { return thrown->adjusted; }

void* __cxa_begin_catch(header* thrown) noexcept {
    if (thrown->adjusted == nullptr) { // a landing pad of catch (...) alone asks no one
        thrown->adjusted = object_of(thrown);
    }
    --flying;
    thrown->handlers = (thrown->handlers < 0 ? -thrown->handlers : thrown->handlers) + 1;
    if (caught != thrown) {
        thrown->outer = caught;
        caught = thrown;
    }
    return thrown->adjusted;
}

void __cxa_end_catch() noexcept {
    header* const one = caught;
    if (one == nullptr) {
        return;
    }
    if (one->handlers < 0) { // leaves because it was thrown again: it stays alive
        if (++one->handlers == 0) {
            caught = one->outer;
        }
    } else if (--one->handlers == 0) {
        caught = one->outer;
        drop(one);
    }
}

[[noreturn]] void __cxa_rethrow() {
    header* const one = caught;
    if (one == nullptr) {
        std::terminate();
    }
    one->handlers = -one->handlers;
    raise(one);
}

std::type_info* __cxa_current_exception_type() noexcept {
    return caught == nullptr ? nullptr : const_cast<std::type_info*>(caught->type);
}
bool __cxa_uncaught_exception() noexcept { return flying != 0; }
unsigned __cxa_uncaught_exceptions() noexcept { return flying; }

// std::exception_ptr.
void __cxa_increment_exception_refcount(void* object) noexcept {
    if (object != nullptr) {
        ++header_of(object)->references;
    }
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
    if (object != nullptr) {
        drop(header_of(object));
    }
}
void* __cxa_current_primary_exception() noexcept {
    if (caught == nullptr) {
        return nullptr;
    }
    ++caught->references;
    return object_of(caught);
}
void __cxa_rethrow_primary_exception(void* object) {
    if (object == nullptr) {
        return;
    }
    // A copy of the header cannot share the object, so the same one flies again: right as long as
    // no handler of it is open, which is the only way the core uses it.
    ++header_of(object)->references;
    raise(header_of(object));
}

// An instance ends without notice, so nothing is destroyed at its end.
int __cxa_thread_atexit(void (*)(void*), void*, void*) noexcept { return 0; }

// The library without exceptions ends the program here.
[[noreturn]] void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
[[noreturn]] void __cxa_bad_cast() { throw std::bad_cast(); }
[[noreturn]] void __cxa_bad_typeid() { throw std::bad_typeid(); }

} // extern "C"

namespace {
void* taken(void* block) {
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    return block;
}
} // namespace

void* operator new(std::size_t size) { return taken(std::malloc(size == 0 ? 1 : size)); }
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size, std::align_val_t to) {
    const std::size_t line = static_cast<std::size_t>(to);
    return taken(std::aligned_alloc(line, (size + line - 1) / line * line));
}
void* operator new[](std::size_t size, std::align_val_t to) { return operator new(size, to); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

// The library was compiled without exceptions, so what it would throw arrives here, as text with
// the type's name in front. Its own frames have nothing to clean up but what they allocated.
#include <cstdarg>
#include <stdexcept>
#include <string_view>

_LIBCPP_BEGIN_NAMESPACE_STD
[[noreturn]] void __libcpp_verbose_abort(const char* format, ...) noexcept(false) {
    const std::string_view text = format;
    const auto is = [&](std::string_view type) { return text.starts_with(type); };
    va_list arguments;
    va_start(arguments, format);
    if (is("system_error")) {
        static_cast<void>(va_arg(arguments, int)); // its number comes before its text
    }
    const char* const said = text.find("%s") != text.npos ? va_arg(arguments, const char*) : format;
    va_end(arguments);
    if (is("length_error")) throw std::length_error(said);
    if (is("out_of_range")) throw std::out_of_range(said);
    if (is("invalid_argument")) throw std::invalid_argument(said);
    if (is("bad_alloc")) throw std::bad_alloc();
    if (is("bad_cast")) throw std::bad_cast();
    throw std::runtime_error(said);
}
_LIBCPP_END_NAMESPACE_STD

// What the library says last. Nobody could read it here, and its printf would be 10 KB.
extern "C" [[noreturn]] void abort_message(const char* /*format*/, ...) { __builtin_trap(); }

// The text of a system_error. Only the host's random numbers can fail, and it has no texts for
// that.
extern "C" char* strerror(int /*number*/) {
    static char text[] = "the host refused"; // NOLINT: C's type
    return text;
}
