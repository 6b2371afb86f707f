// One bulk call of a filter: turns any batch into keys that kernels take, chooses the way, and
// provides the memory for it.
#pragma once

#include <bloomery/gpu/filter.hpp>

#include "backend.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace bloomery::inline v0::gpu {

namespace detail {

/// How many rounds a batch is sorted in, and how.
struct sort_plan {
    bool sorts = false;
    bool shared = false;    ///< ranges fit in the memory of a multiprocessor
    unsigned bits = 0;      ///< 2^bits ranges
    std::uint64_t keys = 0; ///< in a round: a multiple of 64
    std::uint32_t room = 0; ///< for each range
};

/// For inserting, or for asking, which takes more memory per key and pays later.
enum class purpose : std::uint8_t { insert, ask };

/// O(1). `free_bytes` is called only if the answer matters.
[[nodiscard]] sort_plan plan_sort(const target& of, std::uint64_t count, std::uint64_t entry_bytes,
                                  purpose why, const limits& device, std::optional<way> forced,
                                  std::optional<std::uint64_t> scratch_bytes,
                                  const std::function<std::uint64_t()>& free_bytes);

} // namespace detail

class filter::work {
public:
    /// Some keys of a batch, on the device.
    struct part {
        keys some;
        std::uint64_t base;  ///< of strings: the offset of the first byte
        std::uint64_t first; ///< the number of the first key: a multiple of 64
    };
    using step = std::function<void(const part& of, stream on)>;

    work(const filter& of, stream on);

    /// Calls `act` for all keys, part by part. Keys of the program are copied while the device
    /// works on those before; then `act` gets streams of its own, and has been done when this
    /// returns.
    void each_part(const keys& some, const step& act) const;

    void insert(const part& of, stream on) const;
    /// Answers go to the bits from `first` on.
    void ask(const part& of, std::uint64_t* maybe, stream on) const;
    void try_insert(const part& of, std::uint64_t* fresh, stream on) const;

private:
    void stream_in(const keys& some, const step& act) const;
    [[nodiscard]] detail::sort_plan plan(std::uint64_t count, std::uint64_t entry_bytes,
                                         detail::purpose why) const;
    /// Whether strings need no digests in memory.
    [[nodiscard]] bool at_once(const part& of, detail::purpose why) const;
    /// Calls `with` with the keys of a part in the form that kernels take, and the number of the
    /// first.
    template <class With>
    void each_source(const part& of, stream on, With with) const;
    void insert(const detail::source& keys, stream on) const;
    void ask(const detail::source& keys, std::uint64_t* maybe, stream on) const;
    void insert_sorted(const detail::source& keys, const detail::sort_plan& how, stream on) const;
    void ask_sorted(const detail::source& keys, const detail::sort_plan& how, std::uint64_t* maybe,
                    stream on) const;
    /// Whether there was memory to sort in.
    template <class Do>
    [[nodiscard]] static bool has_memory_for(Do act);

    const filter& of_;
    detail::backend& device_;
    stream on_;
    detail::target bits_;
    detail::mixer mix_;
};

} // namespace bloomery::inline v0::gpu
