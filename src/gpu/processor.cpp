// The processor as a device: the definitions, key by key, in the order of the keys. It is what the
// kernels for GPUs are compared with, and what runs where there is none.
#include <bloomery/detail/gpu/block.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/hash/xxh3_anywhere.hpp>
#include <bloomery/detail/storage/word_sets.hpp>
#include <bloomery/error.hpp>
#include <bloomery/gpu/ref.hpp>
#include <bloomery/storage/words.hpp>

#include "backend.hpp"

#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace bloomery::inline v0::gpu::detail {

namespace {

/// Calls `with` with the digest of each key, and its number.
template <class With>
void each_digest(const source& keys, With with) {
    const mixer mix = keys.mix;
    const auto over = [&]<class T>(const T* data, auto digest) {
        for (std::uint64_t i = 0; i < keys.count; ++i) {
            with(digest(data[i]), i);
        }
    };
    const auto mixed = [&](auto key) { return mix(static_cast<std::uint64_t>(key)); };
    switch (keys.what) {
    case source::form::u64:
        return over(static_cast<const std::uint64_t*>(keys.data), mixed);
    case source::form::u32:
        return over(static_cast<const std::uint32_t*>(keys.data), mixed);
    case source::form::i32:
        return over(static_cast<const std::int32_t*>(keys.data), mixed);
    case source::form::hashed:
        return over(static_cast<const std::uint64_t*>(keys.data),
                    [](std::uint64_t value) { return digest128{value, value * digest_step}; });
    case source::form::digest:
        return over(static_cast<const digest128*>(keys.data), [](digest128 key) { return key; });
    }
}

/// Calls `with` with the bits of a filter, as a kernel would see them.
template <class With>
void with_ref(const target& of, With with) {
    with_block(of.layout, [&]<layout_kind Kind>(block<Kind> /*which*/) {
        with(ref<Kind>(of.words, of.blocks, {}));
    });
}

void put(std::uint64_t* bits, std::uint64_t at, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    bits[at / 64] = value ? bits[at / 64] | bit : bits[at / 64] & ~bit;
}

void clear_words(std::uint64_t* bits, std::uint64_t count) {
    std::memset(bits, 0, (count + 63) / 64 * 8);
}

/// A key in the memory of the program.
struct in_memory {
    const std::byte* bytes;
    std::uint64_t size;
    [[nodiscard]] std::uint64_t word64(std::uint64_t at) const noexcept {
        return hash::load_le64(bytes + at);
    }
    [[nodiscard]] std::uint32_t word32(std::uint64_t at) const noexcept {
        return hash::load_le32(bytes + at);
    }
    [[nodiscard]] std::uint64_t word64_at_end(std::uint64_t at) const noexcept {
        return word64(size - at);
    }
    [[nodiscard]] std::uint32_t word32_at_end(std::uint64_t at) const noexcept {
        return word32(size - at);
    }
    [[nodiscard]] std::uint8_t byte(std::uint64_t at) const noexcept {
        return std::to_integer<std::uint8_t>(bytes[at]);
    }
};

template <class Entry>
digest128 digest_in(const void* entries, std::uint64_t at) {
    if constexpr (sizeof(Entry) == 16) {
        return static_cast<const digest128*>(entries)[at];
    } else {
        const std::uint64_t value = static_cast<const std::uint64_t*>(entries)[at];
        return {value, value * digest_step};
    }
}

class processor final : public backend {
public:
    [[nodiscard]] std::string name() const override { return "processor"; }
    [[nodiscard]] bool is_gpu() const noexcept override { return false; }
    [[nodiscard]] memory_size memory() const override {
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        return {static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page,
                static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * page};
    }
    [[nodiscard]] detail::limits limits() const noexcept override {
        return {std::uint64_t{64} << 10U, std::uint64_t{1} << 20U, 11, 16, false};
    }

    [[nodiscard]] void* allocate(std::uint64_t bytes) override {
        constexpr std::uint64_t most = std::uint64_t{1} << 62U;
        void* const memory =
            bytes > most ? nullptr : std::aligned_alloc(256, (bytes / 256 + 1) * 256);
        if (memory == nullptr) {
            storage::detail::refuse_memory(bytes / 8);
        }
        return memory;
    }
    void release(void* memory) noexcept override { std::free(memory); }
    [[nodiscard]] void* borrow(std::uint64_t bytes, stream /*on*/) override {
        return allocate(bytes);
    }
    void give_back(void* memory, stream /*on*/) noexcept override { release(memory); }
    void release_kept() noexcept override {}
    [[nodiscard]] void* allocate_staging(std::uint64_t bytes) override { return allocate(bytes); }
    void release_staging(void* memory) noexcept override { release(memory); }
    [[nodiscard]] bool is_staging(const void* /*memory*/) const noexcept override { return false; }

    [[nodiscard]] stream make_stream() override { return {}; }
    void end_stream(stream /*of*/) noexcept override {}
    void wait(stream /*on*/) override {}

    void copy_in(void* to, const void* from, std::uint64_t bytes, stream /*on*/) override {
        copy_bytes(to, from, bytes);
    }
    void copy_out(void* to, const void* from, std::uint64_t bytes, stream /*on*/) override {
        copy_bytes(to, from, bytes);
    }
    void copy(void* to, const void* from, std::uint64_t bytes, stream /*on*/) override {
        copy_bytes(to, from, bytes);
    }
    void zero(void* memory, std::uint64_t bytes, stream /*on*/) override {
        std::memset(memory, 0, bytes);
    }

    void hash(const keys& strings, std::uint64_t base, std::uint64_t /*mean_bytes*/,
              const mixer& mix, void* digests, stream /*on*/) override {
        each_string(strings, base, mix, [&](digest128 key, std::uint64_t i) {
            if (mix.wide) {
                static_cast<digest128*>(digests)[i] = key;
            } else {
                static_cast<std::uint64_t*>(digests)[i] = key.low;
            }
        });
    }
    void insert_strings(const target& into, const keys& strings, std::uint64_t base,
                        std::uint64_t /*mean_bytes*/, const mixer& mix, stream /*on*/) override {
        with_ref(into, [&](auto bits) {
            each_string(strings, base, mix,
                        [&](digest128 key, std::uint64_t /*i*/) { bits.insert(key); });
        });
    }
    void ask_strings(const target& of, const keys& strings, std::uint64_t base,
                     std::uint64_t /*mean_bytes*/, const mixer& mix, std::uint64_t* maybe,
                     stream /*on*/) override {
        clear_words(maybe, strings.count());
        with_ref(of, [&](auto bits) {
            each_string(strings, base, mix, [&](digest128 key, std::uint64_t i) {
                put(maybe, i, bits.may_contain(key));
            });
        });
    }

    void insert(const target& into, const source& keys, stream /*on*/) override {
        with_ref(into, [&](auto bits) {
            each_digest(keys, [&](digest128 key, std::uint64_t /*i*/) { bits.insert(key); });
        });
    }
    void try_insert(const target& into, const source& keys, std::uint64_t* fresh,
                    stream /*on*/) override {
        clear_words(fresh, keys.count);
        with_ref(into, [&](auto bits) {
            each_digest(
                keys, [&](digest128 key, std::uint64_t i) { put(fresh, i, bits.try_insert(key)); });
        });
    }
    void ask(const target& of, const source& keys, std::uint64_t* maybe, stream /*on*/) override {
        clear_words(maybe, keys.count);
        with_ref(of, [&](auto bits) {
            each_digest(keys, [&](digest128 key, std::uint64_t i) {
                put(maybe, i, bits.may_contain(key));
            });
        });
    }

    void sort(const target& into, const source& keys, const sorting& by, stream /*on*/) override {
        with_ref(into, [&](auto bits) {
            each_digest(keys, [&](digest128 key, std::uint64_t i) {
                const std::uint64_t range = by.bits == 0 ? 0 : key.low >> (64 - by.bits);
                const std::uint32_t place = by.counts[range]++;
                const std::uint64_t slot = range * by.room + place;
                if (by.slots != nullptr) {
                    by.slots[i] = place < by.room ? static_cast<std::uint32_t>(slot) : no_slot;
                }
                if (place >= by.room) {
                    if (by.slots == nullptr) {
                        bits.insert(key);
                    }
                } else if (keys.wide()) {
                    static_cast<digest128*>(by.entries)[slot] = key;
                } else {
                    static_cast<std::uint64_t*>(by.entries)[slot] = key.low;
                }
            });
        });
    }
    void insert_sorted(const target& into, const sorting& by, bool wide, bool /*shared*/,
                       stream /*on*/) override {
        with_ref(into, [&](auto bits) {
            each_sorted(by, wide, [&](digest128 key, std::uint64_t /*slot*/) { bits.insert(key); });
        });
    }
    void ask_sorted(const target& of, const sorting& by, bool wide, std::uint32_t* answers,
                    stream /*on*/) override {
        with_ref(of, [&](auto bits) {
            each_sorted(by, wide, [&](digest128 key, std::uint64_t slot) {
                const std::uint32_t bit = std::uint32_t{1} << (slot % 32);
                std::uint32_t& word = answers[slot / 32];
                word = bits.may_contain(key) ? word | bit : word & ~bit;
            });
        });
    }
    void collect(const target& of, const source& keys, const sorting& by,
                 const std::uint32_t* answers, std::uint64_t* maybe, stream /*on*/) override {
        clear_words(maybe, keys.count);
        with_ref(of, [&](auto bits) {
            each_digest(keys, [&](digest128 key, std::uint64_t i) {
                const std::uint32_t slot = by.slots[i];
                put(maybe, i,
                    slot == no_slot ? bits.may_contain(key)
                                    : (answers[slot / 32] >> (slot % 32) & 1U) != 0);
            });
        });
    }

    void unite(std::uint64_t* words, const std::uint64_t* with, std::uint64_t count,
               stream /*on*/) override {
        storage::unite(words, {with, static_cast<std::size_t>(count)});
    }
    void intersect(std::uint64_t* words, const std::uint64_t* with, std::uint64_t count,
                   stream /*on*/) override {
        storage::intersect(words, {with, static_cast<std::size_t>(count)});
    }
    [[nodiscard]] std::uint64_t ones(const std::uint64_t* words, std::uint64_t count,
                                     stream /*on*/) override {
        std::uint64_t total = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            total += static_cast<std::uint64_t>(std::popcount(words[i]));
        }
        return total;
    }
    void spread(const std::uint64_t* bits, std::uint64_t count, bool* answers,
                stream /*on*/) override {
        for (std::uint64_t i = 0; i < count; ++i) {
            answers[i] = (bits[i / 64] >> (i % 64) & 1U) != 0;
        }
    }
    [[nodiscard]] std::uint64_t select(const std::uint64_t* bits, std::uint64_t count, bool which,
                                       std::uint64_t* positions, stream /*on*/) override {
        std::uint64_t found = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (((bits[i / 64] >> (i % 64) & 1U) != 0) == which) {
                positions[found++] = i;
            }
        }
        return found;
    }
    void gather(const void* values, std::uint64_t width, const std::uint64_t* positions,
                std::uint64_t count, void* copies, stream /*on*/) override {
        for (std::uint64_t i = 0; i < count; ++i) {
            std::memcpy(static_cast<std::byte*>(copies) + i * width,
                        static_cast<const std::byte*>(values) + positions[i] * width, width);
        }
    }

private:
    struct piece {
        std::uint64_t from;
        std::uint64_t size;
    };
    static piece extent(const keys& strings, std::uint64_t base, std::uint64_t i) {
        const auto between = [&]<class T>(const T* offsets) {
            return piece{static_cast<std::uint64_t>(offsets[i]) - base,
                         static_cast<std::uint64_t>(offsets[i + 1]) -
                             static_cast<std::uint64_t>(offsets[i])};
        };
        switch (strings.what()) {
        case keys::kind::string32:
            return between(static_cast<const std::int32_t*>(strings.offsets()));
        case keys::kind::string64:
            return between(static_cast<const std::int64_t*>(strings.offsets()));
        default:
            return {i * strings.width(), strings.width()};
        }
    }

    template <class With>
    static void each_string(const keys& strings, std::uint64_t base, const mixer& mix, With with) {
        for (std::uint64_t i = 0; i < strings.count(); ++i) {
            const auto [from, size] = extent(strings, base, i);
            const in_memory key{static_cast<const std::byte*>(strings.data()) + from, size};
            if (mix.wide) {
                with(hash::detail::xxh3_128_of(key, size, mix.seed), i);
            } else {
                const std::uint64_t value = hash::detail::xxh3_64_of(key, size, mix.seed);
                with(digest128{value, value * digest_step}, i);
            }
        }
    }

    static void copy_bytes(void* to, const void* from, std::uint64_t bytes) {
        if (bytes != 0) { // an empty span may be null
            std::memmove(to, from, bytes);
        }
    }

    template <class With>
    static void each_sorted(const sorting& by, bool wide, With with) {
        for (std::uint64_t range = 0; range < std::uint64_t{1} << by.bits; ++range) {
            const std::uint64_t first = range * by.room;
            const std::uint64_t count = std::min(by.counts[range], by.room);
            for (std::uint64_t slot = first; slot < first + count; ++slot) {
                with(wide ? digest_in<digest128>(by.entries, slot)
                          : digest_in<std::uint64_t>(by.entries, slot),
                     slot);
            }
        }
    }
};

} // namespace

std::shared_ptr<backend> processor_backend() { return std::make_shared<processor>(); }

} // namespace bloomery::inline v0::gpu::detail
