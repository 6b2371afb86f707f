// What every function of the C interface needs: the filter in a handle, exceptions turned into
// statuses, and structures from callers whose version has fewer fields, or more.
#pragma once

#include <bloomery/detail/cxx20.hpp>
#include <bloomery/detail/hash/siphash.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>

#include <bloomery.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// The filter behind a handle, or a view of it that threads share.
struct bloomery_filter {
    explicit bloomery_filter(bloomery::any_filter made) { hold(std::move(made)); }
    /// A shared handle, which keeps the filter alive.
    bloomery_filter(std::shared_ptr<bloomery::any_filter> of, bloomery::any_shared_view made)
        : value(std::move(of)), view(std::move(made)) {}

    /// Puts another filter into the handle. Throws std::bad_alloc.
    void hold(bloomery::any_filter other) {
        value = std::make_shared<bloomery::any_filter>(std::move(other));
        auto* const found = value->get_if<bloomery::filter>();
        plain = found != nullptr && has_usual_hash(*found) ? found : nullptr;
    }
    static bool has_usual_hash(const bloomery::filter& of) noexcept {
        return of.hash().id() == bloomery::hash::hash_id::xxh3_64;
    }

    /// The filter inside, if it is what most are, with the hash that most have: single keys then
    /// need no virtual call. Not of a shared handle.
    bloomery::filter* plain = nullptr;
    std::shared_ptr<bloomery::any_filter> value;
    std::optional<bloomery::any_shared_view> view; ///< of a shared handle
};

namespace bloomery::inline v0::c {

/// Thrown to end a call because a callback asked to stop.
struct stopped {
    bloomery_status why = BLOOMERY_STOPPED;
    std::string sentence = "a callback asked to stop"; ///< empty: the last error says why
};

/// How many calls of this thread have failed.
[[nodiscard]] std::uint64_t failure_count() noexcept;

/// Stores the message of the current exception for bloomery_last_error; returns its status.
[[nodiscard]] bloomery_status report() noexcept;

/// Remembers at which key a call fails, for the error that it is about to report.
void note_key(std::uint64_t at) noexcept;

[[noreturn]] void refuse_null(const char* what);
/// Throws unsupported unless the bytes of unknown fields are 0.
void require_zero(const unsigned char* bytes, std::size_t size);
[[noreturn]] void refuse_size(std::size_t given, std::size_t known);

/// Calls a function, and turns what it throws into a status.
template <class Do>
[[nodiscard]] bloomery_status guarded(Do&& act) noexcept {
    try {
        act();
        return BLOOMERY_OK;
    } catch (...) {
        return report();
    }
}

/// What a pointer of the caller points to. Throws bad_argument for a null pointer.
template <class T>
[[nodiscard]] T& required(T* given, const char* what) {
    if (given == nullptr) [[unlikely]] {
        refuse_null(what);
    }
    return *given;
}
/// The filter behind a handle, for what depends on no bit. Throws bad_argument for none.
[[nodiscard]] inline any_filter& described_in(const bloomery_filter* given) {
    return *required(given, "the filter").value;
}
/// The filter behind a handle. Throws bad_argument for none, unsupported for a shared handle.
[[nodiscard]] any_filter& filter_in(bloomery_filter* given);
[[nodiscard]] const any_filter& filter_in(const bloomery_filter* given);
/// The same for calls that replace the filter or all of its bits. Throws bad_argument while shared
/// handles are open: they would keep the old bits, or lose what they insert.
[[nodiscard]] any_filter& unshared_in(bloomery_filter* given);

/// Calls `with` with what takes the keys of a handle: the filter, or the view that threads share.
template <class Handle, class With>
decltype(auto) with_keys_of(Handle* given, With with) {
    auto& of = required(given, "the filter");
    return of.view ? with(*of.view) : with(*of.value);
}

[[nodiscard]] inline byte_view bytes_at(const void* key, std::size_t size) noexcept {
    return {static_cast<const std::byte*>(key), size};
}

/// Whether a key has its bytes. None may be at null.
[[nodiscard]] constexpr bool is_there(std::uint64_t /*key*/) noexcept { return true; }
[[nodiscard]] inline bool is_there(byte_view key) noexcept {
    return key.data() != nullptr || key.empty();
}

/// A key that is there. Throws bad_argument.
template <class Key>
[[nodiscard]] Key required_key(Key key) {
    if (!is_there(key)) {
        refuse_null("the key");
    }
    return key;
}

template <class To, class Value>
void give_if_wanted(To* to, Value value) noexcept {
    if (to != nullptr) {
        *to = static_cast<To>(value);
    }
}

/// Tells the caller an outcome. Throws filter_full if there was no room and the caller does not
/// look at the outcome, so that nothing is dropped without notice.
inline void give_outcome(std::uint32_t* to, status what, const char* if_full) {
    give_if_wanted(to, what);
    if (to == nullptr && what == status::full) {
        throw filter_full(if_full);
    }
}

/// Passes a filter to the caller. Throws bad_argument if the output parameter is null.
template <class Make>
[[nodiscard]] bloomery_status made_by(bloomery_filter** made, Make make) noexcept {
    return guarded([&] {
        bloomery_filter*& to = required(made, "the output parameter for the filter");
        to = nullptr;
        to = new bloomery_filter(make());
    });
}

/// A structure of the caller, which may have fewer fields (the others are zero, which means the
/// default) or more (which must be zero, as must reserved bytes). Throws bad_argument if
/// struct_size is not set, unsupported for fields that this version does not know.
template <class Struct>
[[nodiscard]] Struct taken(const Struct* given, const char* what) {
    const std::size_t size = required(given, what).struct_size;
    if (size < sizeof(Struct)) { // of the first version, which this is
        refuse_size(size, sizeof(Struct));
    }
    const auto* const bytes = reinterpret_cast<const unsigned char*>(given); // NOLINT: its tail
    require_zero(bytes + sizeof(Struct), size - sizeof(Struct));
    if constexpr (requires { given->reserved; }) {
        require_zero(given->reserved, sizeof given->reserved);
    }
    return *given;
}
/// The same, where null means the defaults.
template <class Struct>
[[nodiscard]] Struct taken_or_usual(const Struct* given) {
    return given == nullptr ? Struct{} : taken(given, "");
}

/// Fills the fields of a structure that the caller's version has.
template <class Struct>
void give(Struct* to, Struct value, const char* what) {
    const std::size_t size = required(to, what).struct_size;
    if (size < sizeof(Struct)) {
        refuse_size(size, sizeof(Struct));
    }
    value.struct_size = size;
    *to = value;
}

/// Memory for the caller, who frees it with bloomery_free_memory. Throws std::bad_alloc.
[[nodiscard]] char* copied_out(std::string_view bytes);

/// A string of the caller, or nothing.
[[nodiscard]] inline std::optional<std::string_view> text_in(const char* given) {
    return given == nullptr ? std::nullopt : std::optional<std::string_view>(given);
}

/// The 16 bytes of a secret, or nothing.
[[nodiscard]] std::optional<hash::sip_key> secret_in(const std::uint8_t* given);

} // namespace bloomery::inline v0::c
