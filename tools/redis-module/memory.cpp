#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace bloomery::redis_module {

namespace {

constexpr std::size_t line = 64;
/// From this size on, pages are given back and taken anew rather than overwritten: so that what a
/// few bytes of a header ask for takes memory only as it is filled.
constexpr std::uint64_t worth_pages = std::uint64_t{1} << 14U;

std::uint32_t offset_to_line(const void* block) noexcept {
    return static_cast<std::uint32_t>(-reinterpret_cast<std::uintptr_t>(block) & (line - 1));
}

/// Zeroes private memory. Whole pages are dropped: the system hands out zeros when they are touched
/// again, so that what was never touched costs nothing.
void zero(std::byte* from, std::uint64_t size) noexcept {
    if (size >= worth_pages) {
        static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const auto begin = reinterpret_cast<std::uintptr_t>(from);
        const std::uintptr_t first = (begin + page - 1) & ~(page - 1);
        const std::uintptr_t last = (begin + size) & ~(page - 1);
        // Locked memory is refused, and written instead.
        if (::madvise(from + (first - begin), last - first, MADV_DONTNEED) == 0) {
            std::memset(from, 0, first - begin);
            std::memset(from + (last - begin), 0, begin + size - last);
            return;
        }
    }
    std::memset(from, 0, size);
}

} // namespace

bool is_zero(const std::byte* bytes, std::uint64_t size) noexcept {
    std::uint64_t any = 0;
    std::uint64_t at = 0;
    for (; at + sizeof any <= size; at += sizeof any) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + at, sizeof word);
        any |= word;
    }
    for (; at < size; ++at) any |= std::to_integer<std::uint64_t>(bytes[at]);
    return any == 0;
}

server_bytes::server_bytes(std::uint64_t size, start at) : size_(size), start_(at) {
    const std::uint64_t spare = at == start::of_a_line ? line - 1 : 0;
    if (size > PTRDIFF_MAX - spare) throw std::bad_array_new_length();
    const std::size_t wanted = std::max<std::uint64_t>(size + spare, 1);
    block_ = server.try_calloc != nullptr ? server.try_calloc(1, wanted) : server.try_alloc(wanted);
    if (block_ == nullptr) throw std::bad_alloc();
    if (at == start::of_a_line) offset_ = offset_to_line(block_);
    if (server.try_calloc == nullptr) zero(data(), size_);
}

server_bytes server_bytes::copy() const {
    server_bytes made(size_, start_);
    for_each_page_in_use(*this, [&](std::uint64_t at, std::uint64_t end) {
        std::copy_n(data() + at, end - at, made.data() + at);
    });
    return made;
}

void server_bytes::clear() noexcept { zero(data(), size_); }

void server_bytes::defrag(defrag_context* by) {
    if (block_ == nullptr) return;
    void* const moved = server.defrag_alloc(by, block_);
    if (moved == nullptr) return;
    block_ = moved;
    if (start_ == start::of_a_line) {
        const std::uint32_t offset = offset_to_line(block_);
        if (offset != offset_) std::memmove(block() + offset, block() + offset_, size_);
        offset_ = offset;
    }
}

} // namespace bloomery::redis_module
