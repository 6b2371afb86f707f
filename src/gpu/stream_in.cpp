// Keys in the memory of the program: copied to the device in pieces, while it works on the piece
// before.
#include <bloomery/error.hpp>
#include <bloomery/filter/parallel.hpp>
#include <bloomery/gpu/filter.hpp>

#include "backend.hpp"
#include "key_kinds.hpp"
#include "work.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace bloomery::inline v0::gpu {

namespace {

using detail::offset_bytes;

/// Large enough that starting a copy costs nothing beside it, small enough to start working soon.
constexpr std::uint64_t piece_bytes = std::uint64_t{32} << 20U;

/// A piece of a batch: keys, and for strings the bytes that they are in.
struct piece {
    std::uint64_t first;
    std::uint64_t count;
    const std::byte* bytes;
    std::uint64_t byte_count;
    std::uint64_t base = 0; ///< the offset of `bytes` in all bytes of the strings
};

std::uint64_t offset_at(const keys& some, std::uint64_t i) {
    return some.what() == keys::kind::string32
               ? static_cast<std::uint64_t>(
                     std::int64_t{static_cast<const std::int32_t*>(some.offsets())[i]})
               : static_cast<std::uint64_t>(static_cast<const std::int64_t*>(some.offsets())[i]);
}

[[noreturn]] void refuse_offset(const keys& some, std::uint64_t i) {
    throw bad_argument("the offsets of string " + std::to_string(i) + ", " +
                       std::to_string(static_cast<std::int64_t>(offset_at(some, i))) + " and " +
                       std::to_string(static_cast<std::int64_t>(offset_at(some, i + 1))) +
                       ", are not in order or not within the " + std::to_string(some.width()) +
                       " bytes: check the offsets");
}

/// The whole batch is checked before any key is used.
void require_offsets(const keys& some) {
    for (std::uint64_t i = 0; i < some.count(); ++i) {
        const std::uint64_t from = offset_at(some, i);
        const std::uint64_t to = offset_at(some, i + 1);
        if (from > to || to > some.width()) { // negative ones are huge
            refuse_offset(some, i);
        }
    }
}

/// The next piece: as many keys as fit, at least 64, and a multiple of that unless it is the last.
piece next_piece(const keys& some, std::uint64_t first) {
    const auto* const data = static_cast<const std::byte*>(some.data());
    const std::uint64_t left = some.count() - first;
    if (offset_bytes(some.what()) == 0) {
        const std::uint64_t fit = std::max<std::uint64_t>(piece_bytes / some.width() / 64 * 64, 64);
        const std::uint64_t count = std::min(left, fit);
        return {first, count, data + first * some.width(), count * some.width()};
    }
    const std::uint64_t from = offset_at(some, first);
    std::uint64_t count = 0;
    const std::uint64_t most = piece_bytes / offset_bytes(some.what());
    while (count < left && count < most) {
        const std::uint64_t more = std::min<std::uint64_t>(64, left - count);
        if (count != 0 && offset_at(some, first + count + more) - from > piece_bytes) {
            break;
        }
        count += more;
    }
    return {first, count, data + from, offset_at(some, first + count) - from, from};
}

/// Copies with a few threads: one does not saturate the bus to the device.
void copy_fast(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    constexpr std::uint64_t worth_a_thread = std::uint64_t{4} << 20U;
    const std::uint64_t parts = std::clamp<std::uint64_t>(
        bytes / worth_a_thread, 1, std::min(8U, std::max(1U, std::thread::hardware_concurrency())));
    if (parts == 1) {
        std::memcpy(to, from, bytes);
        return;
    }
    threads(parts).run([&](std::size_t part) {
        const std::uint64_t begin = bytes / parts * part;
        const std::uint64_t end = part + 1 == parts ? bytes : bytes / parts * (part + 1);
        std::memcpy(to + begin, from + begin, end - begin);
    });
}

/// One of the two places where pieces are worked on.
class lane {
public:
    explicit lane(detail::backend& device) : device_(device), on_(device.make_stream()) {}
    lane(const lane&) = delete;
    lane& operator=(const lane&) = delete;
    ~lane() {
        if (memory_ != nullptr) {
            device_.give_back(memory_, on_);
        }
        device_.end_stream(on_); // which waits
        device_.release_staging(staging_);
    }

    [[nodiscard]] stream on() const noexcept { return on_; }

    /// Copies a piece to the device; returns its keys there. Waits for the piece before.
    keys take(const keys& some, const piece& next) {
        device_.wait(on_);
        const std::uint64_t each = offset_bytes(some.what());
        const std::uint64_t offsets = each == 0 ? 0 : (next.count + 1) * each;
        const std::uint64_t bytes = (next.byte_count + 15) / 16 * 16;
        require(bytes + offsets);
        bring(0, next.bytes, next.byte_count);
        if (offsets != 0) {
            bring(bytes, static_cast<const std::byte*>(some.offsets()) + next.first * each,
                  offsets);
        }
        return {some.what(),
                memory_,
                offsets == 0 ? nullptr : static_cast<std::byte*>(memory_) + bytes,
                static_cast<std::size_t>(next.count),
                offsets == 0 ? some.width() : next.byte_count,
                true};
    }

private:
    void bring(std::uint64_t at, const std::byte* from, std::uint64_t bytes) {
        if (bytes == 0) {
            return;
        }
        const std::byte* staged = from;
        if (!device_.is_staging(from)) {
            copy_fast(static_cast<std::byte*>(staging_) + at, from, bytes);
            staged = static_cast<std::byte*>(staging_) + at;
        }
        device_.copy_in(static_cast<std::byte*>(memory_) + at, staged, bytes, on_);
    }
    void require(std::uint64_t bytes) {
        if (bytes <= room_) {
            return;
        }
        room_ = 0;
        device_.release_staging(std::exchange(staging_, nullptr));
        if (memory_ != nullptr) {
            device_.give_back(std::exchange(memory_, nullptr), on_);
        }
        staging_ = device_.allocate_staging(bytes);
        memory_ = device_.borrow(bytes, on_);
        room_ = bytes;
    }

    detail::backend& device_;
    stream on_;
    void* staging_ = nullptr;
    void* memory_ = nullptr;
    std::uint64_t room_ = 0;
};

} // namespace

void filter::work::stream_in(const keys& some, const step& act) const {
    if (offset_bytes(some.what()) != 0) {
        require_offsets(some);
    }
    device_.wait(on_); // what was given to it before comes first
    std::array<std::optional<lane>, 2> lanes;
    std::size_t turn = 0;
    for (std::uint64_t first = 0; first < some.count();) {
        const piece next = next_piece(some, first);
        std::optional<lane>& mine = lanes[turn++ % 2];
        if (!mine) {
            mine.emplace(device_);
        }
        act({mine->take(some, next), next.base, next.first}, mine->on());
        first += next.count;
    }
    for (const std::optional<lane>& each : lanes) {
        if (each) {
            device_.wait(each->on()); // here, because an error may be reported
        }
    }
}

} // namespace bloomery::inline v0::gpu
