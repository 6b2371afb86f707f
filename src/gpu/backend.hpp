// What a device must be able to do. A filter is written once, over this; CUDA and the processor are
// the two that can.
//
// Pointers are to memory of the device unless a name says otherwise. Work is given to a stream and
// may be done later, in order; whoever needs the result waits for the stream.
#pragma once

#include <bloomery/detail/gpu/block.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/gpu/device.hpp>
#include <bloomery/gpu/keys.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace bloomery::inline v0::gpu::detail {

/// The bits of a filter.
struct target {
    std::uint64_t* words;
    std::uint64_t blocks;
    layout_kind layout;

    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return blocks * plan::facts_of(layout).block_bits / 8;
    }
};

/// Keys on the device, of a form that every kernel takes.
struct source {
    enum class form : std::uint8_t {
        u64,    ///< integers, which a kernel mixes
        u32,    ///< likewise
        i32,    ///< likewise, extended by their sign
        hashed, ///< digests of 64 bits
        digest, ///< digests of 128 bits
    };
    const void* data;
    std::uint64_t count;
    form what;
    mixer mix;

    /// Whether a digest needs both words.
    [[nodiscard]] bool wide() const noexcept {
        return what == form::digest || (what != form::hashed && mix.wide);
    }
    [[nodiscard]] std::uint64_t entry_bytes() const noexcept { return wide() ? 16 : 8; }
    [[nodiscard]] std::uint64_t key_bytes() const noexcept {
        switch (what) {
        case form::u32:
        case form::i32:
            return 4;
        case form::digest:
            return 16;
        default:
            return 8;
        }
    }
    [[nodiscard]] source part(std::uint64_t from, std::uint64_t some) const noexcept {
        return {static_cast<const std::byte*>(data) + from * key_bytes(), some, what, mix};
    }
};

/// Where the digests of one round are sorted to. The top bits of a digest choose its range of
/// blocks; each range has room for a number of digests, and those that find none are worked on
/// directly.
struct sorting {
    unsigned bits;         ///< 2^bits ranges
    std::uint32_t room;    ///< in each; a multiple of 32
    void* entries;         ///< room << bits digests, of source::entry_bytes()
    std::uint32_t* counts; ///< of each range, perhaps more than its room; zero at first
    std::uint32_t* slots;  ///< of each key, for answers; or null
};
/// The slot of a key that found no room.
inline constexpr std::uint32_t no_slot = 0xffffffff;

/// What decides how work is done best.
struct limits {
    std::uint64_t shared_bytes; ///< the largest range that fits in the memory of a multiprocessor
    std::uint64_t cache_bytes;  ///< the second-level cache
    unsigned most_bits;         ///< of a sorting
    std::uint64_t most_entry_bytes; ///< of a sorting
    bool sorts;                     ///< whether it ever pays
};

class backend {
public:
    backend() = default;
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;
    virtual ~backend() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual bool is_gpu() const noexcept = 0;
    [[nodiscard]] virtual memory_size memory() const = 0;
    [[nodiscard]] virtual detail::limits limits() const noexcept = 0;

    /// Throws memory_refused.
    [[nodiscard]] virtual void* allocate(std::uint64_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;
    /// Memory for the work of one stream; kept for later calls. Throws memory_refused.
    [[nodiscard]] virtual void* borrow(std::uint64_t bytes, stream on) = 0;
    virtual void give_back(void* memory, stream on) noexcept = 0;
    virtual void release_kept() noexcept = 0;
    /// Memory of the program that the device can copy from while it works. Throws memory_refused.
    [[nodiscard]] virtual void* allocate_staging(std::uint64_t bytes) = 0;
    virtual void release_staging(void* memory) noexcept = 0;
    /// Whether memory of the program is of that kind already.
    [[nodiscard]] virtual bool is_staging(const void* memory) const noexcept = 0;

    [[nodiscard]] virtual stream make_stream() = 0;
    virtual void end_stream(stream of) noexcept = 0;
    virtual void wait(stream on) = 0;

    virtual void copy_in(void* to, const void* from_program, std::uint64_t bytes, stream on) = 0;
    virtual void copy_out(void* to_program, const void* from, std::uint64_t bytes, stream on) = 0;
    virtual void copy(void* to, const void* from, std::uint64_t bytes, stream on) = 0;
    virtual void zero(void* memory, std::uint64_t bytes, stream on) = 0;

    /// The digests of byte strings: records, or strings from `offsets`, whose first byte is at
    /// bytes[-base], of `mean_bytes` each. `digests` is for digest128 if the mixer is wide,
    /// otherwise for 64-bit words.
    virtual void hash(const keys& strings, std::uint64_t base, std::uint64_t mean_bytes,
                      const mixer& mix, void* digests, stream on) = 0;

    /// Strings inserted and asked without digests in memory, where those have 64 bits.
    virtual void insert_strings(const target& into, const keys& strings, std::uint64_t base,
                                std::uint64_t mean_bytes, const mixer& mix, stream on) = 0;
    virtual void ask_strings(const target& of, const keys& strings, std::uint64_t base,
                             std::uint64_t mean_bytes, const mixer& mix, std::uint64_t* maybe,
                             stream on) = 0;

    virtual void insert(const target& into, const source& keys, stream on) = 0;
    /// One bit per key, in whole words.
    virtual void try_insert(const target& into, const source& keys, std::uint64_t* fresh,
                            stream on) = 0;
    virtual void ask(const target& of, const source& keys, std::uint64_t* maybe, stream on) = 0;

    /// Sorts keys; inserts those without room, unless there are slots.
    virtual void sort(const target& into, const source& keys, const sorting& by, stream on) = 0;
    /// Inserts what was sorted, in the memory of multiprocessors if `shared`.
    virtual void insert_sorted(const target& into, const sorting& by, bool wide, bool shared,
                               stream on) = 0;
    /// Queries what was sorted: one bit for each slot, in whole words.
    virtual void ask_sorted(const target& of, const sorting& by, bool wide, std::uint32_t* answers,
                            stream on) = 0;
    /// Brings these answers into the order of the keys, and queries those that have no slot.
    virtual void collect(const target& of, const source& keys, const sorting& by,
                         const std::uint32_t* answers, std::uint64_t* maybe, stream on) = 0;

    virtual void unite(std::uint64_t* words, const std::uint64_t* with, std::uint64_t count,
                       stream on) = 0;
    virtual void intersect(std::uint64_t* words, const std::uint64_t* with, std::uint64_t count,
                           stream on) = 0;
    /// Waits.
    [[nodiscard]] virtual std::uint64_t ones(const std::uint64_t* words, std::uint64_t count,
                                             stream on) = 0;
    /// Bits to bytes.
    virtual void spread(const std::uint64_t* bits, std::uint64_t count, bool* answers,
                        stream on) = 0;
    /// The positions of the bits that are `which`, in order; waits and returns how many.
    [[nodiscard]] virtual std::uint64_t select(const std::uint64_t* bits, std::uint64_t count,
                                               bool which, std::uint64_t* positions, stream on) = 0;
    /// Values of 4 or 8 bytes at positions.
    virtual void gather(const void* values, std::uint64_t width, const std::uint64_t* positions,
                        std::uint64_t count, void* copies, stream on) = 0;
};

/// Memory of a stream's work, given back at the end.
class borrowed {
public:
    borrowed(backend& from, std::uint64_t bytes, stream on)
        : from_(from), on_(on), memory_(from.borrow(bytes, on)) {}
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;
    ~borrowed() { from_.give_back(memory_, on_); }

    [[nodiscard]] std::byte* data() const noexcept { return static_cast<std::byte*>(memory_); }
    template <class T>
    [[nodiscard]] T* at(std::uint64_t offset) const noexcept {
        return reinterpret_cast<T*>(data() + offset);
    }

private:
    backend& from_;
    stream on_;
    void* memory_;
};

[[nodiscard]] std::shared_ptr<backend> processor_backend();

// Those of CUDA, or what stands for them where it is missing.
[[nodiscard]] std::optional<std::size_t> cuda_number_of(const void* memory) noexcept;
[[nodiscard]] std::size_t cuda_count() noexcept;
/// Throws no_device, bad_argument, device_error.
[[nodiscard]] std::shared_ptr<backend> cuda_backend(std::size_t number);

} // namespace bloomery::inline v0::gpu::detail
