#include "call.hpp"

#include <bloomery/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <new>

namespace bloomery::redis_module {

std::string_view view(const text* of) noexcept {
    std::size_t size = 0;
    const char* const bytes = server.bytes_of(of, &size);
    return {bytes, size};
}

byte_view key_bytes(const text* of) noexcept { return std::as_bytes(std::span(view(of))); }

bool is_word(const text* of, std::string_view word) noexcept {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::ranges::equal(view(of), word, {}, lower, lower);
}

void refuse_key(const open_key& key) {
    if (key.is_empty()) throw refusal{"ERR not found"};
    throw refusal{"WRONGTYPE Operation against a key holding the wrong kind of value"};
}

void reply_text(context* to, std::string_view text) noexcept {
    server.reply_bytes(to, text.data(), text.size());
}

std::string exact_text(double number) {
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number);
    return {digits, end.ptr};
}

int run(void (*what)(const call&), context* in, text** arguments, int count) noexcept {
    try {
        what(call(in, arguments, count));
        return ok;
    } catch (const refusal& why) {
        return server.reply_error(in, why.text.c_str());
    } catch (const wrong_arity&) {
        return server.wrong_arity(in);
    } catch (const std::bad_alloc&) {
        return server.reply_error(in, "ERR Insufficient memory");
    } catch (const memory_refused&) {
        return server.reply_error(in, "ERR Insufficient memory");
    } catch (const std::exception& why) {
        char line[512];
        std::snprintf(line, sizeof line, "ERR %s", why.what());
        return server.reply_error(in, line);
    }
}

} // namespace bloomery::redis_module
