#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/version.hpp>

#include "handle.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <system_error>

namespace bloomery::inline v0::c {

namespace {

/// What a thread remembers about its last error.
struct failure {
    bloomery_status status = BLOOMERY_OK;
    int system_error = 0;
    std::uint64_t key = BLOOMERY_NO_KEY;
    std::uint64_t number = 0; ///< how many there were before it, and this one
    bool told = true;         ///< false: there was no memory for the message
    std::string sentence;
};
thread_local failure last_failure;
thread_local std::uint64_t failing_key = BLOOMERY_NO_KEY; ///< of the call that is about to fail

bloomery_status keep(bloomery_status status, const char* sentence, int system_error = 0) noexcept {
    last_failure.status = status;
    last_failure.system_error = system_error;
    ++last_failure.number;
    last_failure.key = std::exchange(failing_key, BLOOMERY_NO_KEY);
    try {
        last_failure.sentence = sentence;
        last_failure.told = true;
    } catch (...) {
        last_failure.told = false;
    }
    return status;
}

int number_of(const std::error_code& code) noexcept {
    return code.category() == std::generic_category() || code.category() == std::system_category()
               ? code.value()
               : 0;
}

constexpr std::array status_names{"ok",
                                  "bad_argument",
                                  "incompatible",
                                  "memory_refused",
                                  "claim_refused",
                                  "bad_data",
                                  "unsealed",
                                  "unsupported",
                                  "no_place",
                                  "filter_full",
                                  "growth_refused",
                                  "io_error",
                                  "out_of_memory",
                                  "stopped",
                                  "internal"};

void refuse_shared(const bloomery_filter* given) {
    if (required(given, "the filter").view) {
        throw unsupported("a shared handle can only insert and query keys; use the handle that it "
                          "was made from, while no thread inserts");
    }
}

} // namespace

// One handler for all functions, so that each error has one code in one place.
bloomery_status report() noexcept {
    try {
        throw;
    } catch (const bad_argument& e) {
        return keep(BLOOMERY_BAD_ARGUMENT, e.what());
    } catch (const incompatible& e) {
        return keep(BLOOMERY_INCOMPATIBLE, e.what());
    } catch (const claim_refused& e) {
        return keep(BLOOMERY_CLAIM_REFUSED, e.what());
    } catch (const memory_refused& e) {
        return keep(BLOOMERY_MEMORY_REFUSED, e.what());
    } catch (const unsealed& e) {
        return keep(BLOOMERY_UNSEALED, e.what());
    } catch (const bad_data& e) {
        return keep(BLOOMERY_BAD_DATA, e.what());
    } catch (const unsupported& e) {
        return keep(BLOOMERY_UNSUPPORTED, e.what());
    } catch (const no_place& e) {
        return keep(BLOOMERY_NO_PLACE, e.what());
    } catch (const growth_refused& e) {
        return keep(BLOOMERY_GROWTH_REFUSED, e.what());
    } catch (const filter_full& e) {
        return keep(BLOOMERY_FILTER_FULL, e.what());
    } catch (const io_error& e) {
        return keep(BLOOMERY_IO_ERROR, e.what(), number_of(e.code()));
    } catch (const stopped& by) {
        return by.sentence.empty() ? by.why : keep(by.why, by.sentence.c_str());
    } catch (const std::bad_alloc&) {
        return keep(BLOOMERY_OUT_OF_MEMORY, "out of memory");
    } catch (const std::system_error& e) {
        return keep(BLOOMERY_IO_ERROR, e.what(), number_of(e.code()));
    } catch (const std::exception& e) {
        return keep(BLOOMERY_INTERNAL, e.what());
    } catch (...) {
        return keep(BLOOMERY_INTERNAL, "an unknown exception");
    }
}

std::uint64_t failure_count() noexcept { return last_failure.number; }

void note_key(std::uint64_t at) noexcept { failing_key = at; }

void refuse_null(const char* what) { throw bad_argument(std::string(what) + " is a null pointer"); }

void require_zero(const unsigned char* bytes, std::size_t size) {
    if (std::any_of(bytes, bytes + size, [](unsigned char byte) { return byte != 0; })) {
        throw unsupported("a structure has a field that this version of the library does not know; "
                          "use a later version, or leave the field zero");
    }
}

void refuse_size(std::size_t given, std::size_t known) {
    throw bad_argument("struct_size is " + std::to_string(given) + ", not " +
                       std::to_string(known) +
                       "; set it to the size of the structure, as its _init function does");
}

any_filter& filter_in(bloomery_filter* given) {
    refuse_shared(given);
    return *given->value;
}
const any_filter& filter_in(const bloomery_filter* given) {
    refuse_shared(given);
    return *given->value;
}
any_filter& unshared_in(bloomery_filter* given) {
    any_filter& found = filter_in(given);
    if (given->value.use_count() > 1) {
        throw bad_argument("the filter has open shared handles; close them first");
    }
    return found;
}

char* copied_out(std::string_view bytes) {
    // One byte more, so that strings end with a null byte, and an empty result is not a null
    // pointer.
    auto* const made = static_cast<char*>(std::malloc(bytes.size() + 1));
    if (made == nullptr) {
        throw std::bad_alloc();
    }
    if (!bytes.empty()) {
        std::memcpy(made, bytes.data(), bytes.size());
    }
    made[bytes.size()] = '\0';
    return made;
}

std::optional<hash::sip_key> secret_in(const std::uint8_t* given) {
    if (given == nullptr) {
        return std::nullopt;
    }
    const auto* const bytes = reinterpret_cast<const std::byte*>(given); // NOLINT: bytes both
    return hash::sip_key{hash::load_le64(bytes), hash::load_le64(bytes + 8)};
}

} // namespace bloomery::inline v0::c

using namespace bloomery;

const char* bloomery_version(void) { return bloomery::version; }
std::uint32_t bloomery_abi(void) { return BLOOMERY_C_ABI; }
const char* bloomery_kernel(void) { return kernel::name_of(kernel::active()).data(); }

const char* bloomery_last_error(void) {
    return c::last_failure.told ? c::last_failure.sentence.c_str()
                                : "out of memory while an error was being described";
}
bloomery_status bloomery_last_status(void) { return c::last_failure.status; }
int bloomery_last_system_error(void) { return c::last_failure.system_error; }
std::uint64_t bloomery_last_key_index(void) { return c::last_failure.key; }

const char* bloomery_status_name(bloomery_status status) {
    const auto at = static_cast<std::size_t>(status);
    return at < c::status_names.size() ? c::status_names[at] : "unknown";
}

void bloomery_free_memory(void* memory) { std::free(memory); }

bloomery_status bloomery_random_secret(std::uint8_t* secret) {
    return c::guarded([&] {
        auto* const bytes = reinterpret_cast<std::byte*>( // NOLINT: bytes both
            &c::required(secret, "the output parameter for the secret"));
        const hash::sip_key made = hash::random_key();
        hash::store_le64(bytes, made.k0);
        hash::store_le64(bytes + 8, made.k1);
    });
}
