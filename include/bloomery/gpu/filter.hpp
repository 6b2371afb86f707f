// A Bloom filter in the memory of a GPU: the same bits and files as bloomery::filter.
#pragma once

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/gpu/block.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/filter/statistics.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/gpu/device.hpp>
#include <bloomery/gpu/keys.hpp>
#include <bloomery/gpu/ref.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/plan/shape.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace bloomery::inline v0::gpu {

/// Which answer selects a key: presence::possible, or presence::absent.
using bloomery::detail::presence;

/// How a bulk call does its work. The bits and the answers are the same.
enum class way : std::uint8_t {
    direct, ///< key by key, each wherever its block is
    sorted, ///< first by range of blocks, then range by range, in fast memory: needs scratch
};

/// Limits for the work of bulk calls.
struct tuning {
    std::optional<way> insert = {}; ///< default: whichever is faster for the size
    std::optional<way> ask = {};
    /// The most memory for sorting; the digests of strings, up to 512 MiB, come on top. Default:
    /// twice the filter, at least 1 GiB, and at most half of the memory that is free. More keys
    /// than fit are sorted in several rounds.
    std::optional<std::uint64_t> scratch_bytes = {};
};

/// A set of keys on a device, for batches of keys; otherwise as bloomery::filter, whose bits it has
/// after the same inserts.
///
/// Only the split layouts: one key is one short block. Hashes: mix64 and XXH3, of 64 or 128 bits,
/// computed on the device. A keyed hash is refused, because its key would have to be there too.
///
/// Calls wait until the work is done, which they do on the default stream: what other streams do to
/// the keys must be done before. Those ending in `_async` only give the work to a stream, take keys
/// and answers on the device only, and need the filter until it is done. Threads: any number may
/// insert and query at once; `merge`, `intersect`, `clear`, `tune` and moving need exclusive
/// access. Errors: bad_argument (nothing was changed), memory_refused (some keys of the batch may
/// be in), device_error. A moved-from filter may only be assigned to or destroyed.
class BLOOMERY_EXPORT filter {
public:
    /// Sized by the planner for n keys at a rate of at most p. Where it would choose a layout that
    /// is not split, which saves memory at rates above 5 % or below 1 in 8 million, this takes the
    /// smallest split one. Throws bad_argument, memory_refused.
    filter(items n, rate p, const device& on, native_hash hash = {});
    /// Of a given shape; what it is made for decides the width of the hash, as on the processor.
    /// Throws bad_argument, unsupported unless the layout is split, memory_refused.
    filter(const plan::shape& shape, const device& on, native_hash hash = {}, design made_for = {});
    /// A copy of a filter of the processor. Throws unsupported if its layout or hash is not for
    /// GPUs.
    filter(const bloomery::filter& other, const device& on);
    filter(const any_filter& other, const device& on);

    /// The shape that the first constructor uses. Throws bad_argument.
    [[nodiscard]] static plan::shape shape_for(items n, rate p);

    // Batches.

    /// Adds all keys. O(keys).
    void insert_many(const keys& some);
    void insert_many_async(const keys& some, stream on);

    /// Adds all keys; bit i is set if key i was definitely new. Of equal keys in a batch, at least
    /// one counts as new if they were.
    [[nodiscard]] bitmap try_insert_many(const keys& some);
    /// The same with answers on the device: one bit per key, in as many words as needed.
    void try_insert_many(const keys& some, device_span<std::uint64_t> fresh);
    void try_insert_many_async(const keys& some, device_span<std::uint64_t> fresh, stream on);

    /// Queries all keys; bit i is the answer for key i.
    [[nodiscard]] bitmap may_contain_many(const keys& some) const;
    /// The same with answers on the device: one bit, or one byte, 0 or 1, per key.
    void may_contain_many(const keys& some, device_span<std::uint64_t> maybe) const;
    void may_contain_many(const keys& some, device_span<bool> maybe) const;
    void may_contain_many_async(const keys& some, device_span<std::uint64_t> maybe,
                                stream on) const;
    void may_contain_many_async(const keys& some, device_span<bool> maybe, stream on) const;

    /// Writes the positions of the keys that may be in the filter, or of those that are definitely
    /// absent, in order; returns how many. `positions` needs room for all keys.
    [[nodiscard]] std::size_t select(const keys& some, presence which,
                                     device_span<std::uint64_t> positions) const;
    /// Copies those keys, which must be integers on the device, in order; returns how many.
    /// `copies` needs room for all keys, and must be elsewhere.
    template <class T>
        requires integer<std::remove_const_t<T>>
    [[nodiscard]] std::size_t copy(device_span<T> some, presence which,
                                   device_span<std::remove_const_t<T>> copies) const {
        return copy_keys(keys(some), which, copies.data, copies.count);
    }

    /// Hash once, query many filters: the digest of one key. O(key).
    template <key_for<native_hash> Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return digest_of(hash_, key);
    }

    // The whole filter. O(w).

    /// Throws incompatible unless the specs are equal, and bad_argument unless they are on the same
    /// device.
    void merge(const filter& other);
    void intersect(const filter& other);
    void clear();

    [[nodiscard]] std::uint64_t bits_set() const;
    [[nodiscard]] double fill_ratio() const;
    /// Estimates from the number of ones; the rate assumes that keys are spread evenly over blocks.
    [[nodiscard]] statistics stats() const;

    /// A copy in the memory of the program. Throws memory_refused, device_error.
    [[nodiscard]] bloomery::filter to_host() const;
    /// Writes a file, as bloomery::save does, without a copy of the filter in the program's memory.
    void save(const std::string& path, if_exists policy = if_exists::replace) const;
    /// Throws as bloomery::load does, and as the constructors.
    [[nodiscard]] static filter load(const std::string& path, const device& on);

    // Facts. O(1).

    [[nodiscard]] struct spec spec() const;
    [[nodiscard]] const plan::shape& shape() const noexcept { return shape_; }
    [[nodiscard]] const design& made_for() const noexcept { return design_; }
    [[nodiscard]] const native_hash& hash() const noexcept { return hash_; }
    [[nodiscard]] std::uint64_t byte_count() const noexcept { return memory_.byte_count(); }
    [[nodiscard]] const device& where() const noexcept { return memory_.where(); }
    [[nodiscard]] compatibility compatible_with(const filter& other) const;

    /// The words on the device, as in the memory of the program.
    [[nodiscard]] std::uint64_t* words() const noexcept {
        return static_cast<std::uint64_t*>(memory_.data());
    }
    /// For your own kernels. Throws bad_argument if the filter has another layout.
    template <layout_kind Kind>
    [[nodiscard]] gpu::ref<Kind> ref() const {
        if (shape_.layout != Kind) {
            refuse_ref(Kind);
        }
        return {words(), shape_.block_count(), mixer()};
    }

    void tune(const tuning& how) noexcept { tuning_ = how; }
    [[nodiscard]] const tuning& tuned() const noexcept { return tuning_; }

private:
    [[nodiscard]] detail::mixer mixer() const noexcept;
    [[noreturn]] void refuse_ref(layout_kind wanted) const;
    std::size_t copy_keys(const keys& some, presence which, void* copies, std::size_t room) const;

    enum class verb : std::uint8_t { ask, try_insert };
    void insert_on(const keys& some, stream on);
    void answer(const keys& some, device_span<std::uint64_t> bits, stream on, verb what) const;
    void answer_bytes(const keys& some, device_span<bool> maybe, stream on) const;
    [[nodiscard]] bitmap answers_of(const keys& some, verb what) const;

    class work; // of one bulk call: src/gpu/work.hpp

    plan::shape shape_;
    native_hash hash_;
    design design_;
    device_memory memory_;
    tuning tuning_;
};

} // namespace bloomery::inline v0::gpu
