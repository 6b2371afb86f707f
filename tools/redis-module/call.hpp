// A call of one of our commands: its arguments, its key, and what it answers.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include "api.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::redis_module {

/// What a command throws to end with an error reply. The text is sent as it is, so it begins with
/// its code, such as ERR, or, where RedisBloom has none, without.
struct refusal {
    std::string text;
};
/// The wrong number of arguments.
struct wrong_arity {};

/// Items are queried and added in runs of at most so many, so that buffers have a fixed size.
inline constexpr std::size_t longest_run = 256;

/// The bytes of an argument, as long as the call lasts.
std::string_view view(const text* of) noexcept;
byte_view key_bytes(const text* of) noexcept;
/// Compares with a word of the command's syntax, in any case.
bool is_word(const text* of, std::string_view word) noexcept;

/// One call.
class call {
public:
    call(context* in, text** arguments, int count) noexcept
        : in_(in), arguments_(arguments, static_cast<std::size_t>(count)) {}

    [[nodiscard]] context* in() const noexcept { return in_; }
    [[nodiscard]] std::size_t count() const noexcept { return arguments_.size(); }
    [[nodiscard]] text* operator[](std::size_t i) const noexcept { return arguments_[i]; }
    [[nodiscard]] std::span<text* const> from(std::size_t i) const noexcept {
        return arguments_.subspan(i);
    }
    /// Throws wrong_arity.
    void require(bool arity_is_right) const {
        if (!arity_is_right) throw wrong_arity{};
    }

    /// Whether the client speaks RESP3.
    [[nodiscard]] bool speaks_resp3() const noexcept {
        return (flags() & context_speaks_resp3) != 0;
    }
    /// Whether the command comes from a master or from the append-only file: what it asks for was
    /// granted already, so limits of our own configuration do not count.
    [[nodiscard]] bool must_obey() const noexcept {
        return (flags() & (context_is_replicated | context_is_loading)) != 0;
    }

    /// Tells clients that watch or cache the key that it changed, which the server does not do by
    /// itself, and sends a keyspace notification.
    void tell_changed(const char* event) const noexcept {
        server.signal_modified_key(in_, arguments_[1]);
        server.notify_keyspace_event(in_, notify_generic, event, arguments_[1]);
    }

private:
    /// Requested once, because the server's answer is slow.
    [[nodiscard]] int flags() const noexcept {
        if (flags_ < 0) flags_ = server.context_flags(in_);
        return flags_;
    }

    context* in_;
    std::span<text*> arguments_;
    mutable int flags_ = -1;
};

/// An open key, of either kind; closes itself.
class open_key {
public:
    open_key(const call& of, text* name, int mode) noexcept
        : key_(server.open_key(of.in(), name, mode)) {}
    open_key(const open_key&) = delete;
    open_key& operator=(const open_key&) = delete;
    ~open_key() { close(); }
    /// Call it before a notification, whose receivers may do anything to the key.
    void close() noexcept {
        if (key_ != nullptr) server.close_key(key_);
        key_ = nullptr;
    }

    [[nodiscard]] bool is_empty() const noexcept {
        return key_ == nullptr || server.key_type(key_) == type_of_no_key;
    }
    /// The value if it is of that type, or null.
    [[nodiscard]] void* value(const data_type* type) const noexcept {
        const bool ours = key_ != nullptr && server.key_type(key_) == type_of_module &&
                          server.module_type(key_) == type;
        return ours ? server.module_value(key_) : nullptr;
    }
    /// Stores a value, which the server then owns; frees the old one.
    void set(data_type* type, void* to) noexcept { server.set_module_value(key_, type, to); }

private:
    key_handle* key_;
};

/// "WRONGTYPE ..." or "ERR not found", as RedisBloom says it.
[[noreturn]] void refuse_key(const open_key& key);

/// A yes or no: an integer in RESP2, a boolean in RESP3, which the server knows at once.
inline void reply_yes_no(context* to, bool yes) noexcept { server.reply_bool(to, yes ? 1 : 0); }

void reply_text(context* to, std::string_view text) noexcept;

/// The shortest text that reads back as the same number.
std::string exact_text(double number);

/// Runs a command. What it throws becomes an error reply.
int run(void (*what)(const call&), context* in, text** arguments, int count) noexcept;

/// A command for the server, from a function of ours.
template <void (*What)(const call&)>
int command_of(context* in, text** arguments, int count) {
    return run(What, in, arguments, count);
}

} // namespace bloomery::redis_module
