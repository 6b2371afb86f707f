// Bulk calls: turns any range of keys into the runs of digests or integers that kernels take.
//
// Nothing is allocated: keys that must be hashed first go through a small buffer.
#pragma once

#include <bloomery/detail/filter/in_place.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/hash/run_hash.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/runs.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0 {

/// A layout with kernels for its bulk calls.
template <class Layout>
concept has_kernel = requires(const Layout& layout, std::uint64_t* words) {
    { layout.target(words) } -> std::same_as<kernel::target>;
};

namespace detail {

/// The digest of a key; a digest is returned as it is.
template <class Hash, class Key>
[[nodiscard]] digest_type_of<Hash> digest_or_self(const Hash& hash, const Key& key) {
    if constexpr (is_digest<Key>) {
        static_assert(std::same_as<Key, digest_type_of<Hash>>, "the digest has another width");
        return key;
    } else {
        return digest_of(hash, key);
    }
}

/// What a layout takes of a key: kernels take wide digests, other layouts their hash's own. As
/// `digest_of` for costs and failures.
template <class Layout, class Hash, class Key>
[[nodiscard]] auto probe_of(const Hash& hash, const Key& key) {
    if constexpr (has_kernel<Layout>) {
        return widely(digest_or_self(hash, key));
    } else {
        return digest_or_self(hash, key);
    }
}

/// Keys in a buffer, this many at a time: whole words of a bitmap.
inline constexpr std::size_t run_length = 128;

/// The same for kernels, which work on several groups at a time: enough of them that the first and
/// the last do not matter, and little enough for the first-level cache.
inline constexpr std::size_t kernel_run_length = 1024;

/// The most keys of a run for kinds that take whole runs.
inline constexpr std::size_t longest_run = 512;

} // namespace detail

/// The bits of a filter, for bulk calls: layout, hash and words, and who else uses them. It holds
/// references and is made for one call; over const words it only queries. Each call is O(n k),
/// allocates nothing, and throws what the range and the keys' own functions throw; earlier keys may
/// then be inserted.
template <class Layout, class Hash, class Word = std::uint64_t>
class BLOOMERY_OWN_COPY bulk_calls {
public:
    bulk_calls(const Layout& layout, const Hash& hash, Word* words, kernel::access who) noexcept
        : layout_(layout), hash_(hash), words_(words), who_(who) {}

    /// Adds all keys.
    template <class Keys>
    void insert(Keys&& keys) const {
        each_run(
            keys, [&](const auto& run, std::size_t /*at*/, [[maybe_unused]] kernel::ahead memory) {
                if constexpr (has_kernel<Layout>) {
                    with_kernel(run, memory,
                                [&](const auto&... taken) { kernel::insert(target(), taken...); });
                } else {
                    std::array<std::uint64_t, detail::run_length / 64> ignored;
                    insert_hashed(run, ignored.data());
                }
            });
    }

    /// Adds all keys in order; bit i of `fresh` becomes whether key i changed a bit. Also throws
    /// std::bad_alloc, before anything is done, if the bitmap must grow.
    template <class Keys>
    void try_insert(Keys&& keys, bitmap& fresh) const {
        fresh.reset(std::ranges::size(keys));
        each_run(keys, [&](const auto& run, std::size_t at, [[maybe_unused]] kernel::ahead memory) {
            std::uint64_t* const answers = fresh.data() + at / 64;
            if constexpr (has_kernel<Layout>) {
                with_kernel(run, memory, [&](const auto& first, const auto&... rest) {
                    kernel::try_insert(target(), first, answers, rest...);
                });
            } else {
                insert_hashed(run, answers);
            }
        });
    }

    /// Bit i of `maybe` becomes whether all bits of key i are set. Also throws std::bad_alloc, as
    /// above.
    template <class Keys>
    void contains(Keys&& keys, bitmap& maybe) const {
        maybe.reset(std::ranges::size(keys));
        contains(keys, maybe.data());
    }

    /// The same into (n + 63) / 64 words.
    template <class Keys>
    void contains(Keys&& keys, std::uint64_t* maybe) const {
        each_run(keys, [&](const auto& run, std::size_t at, [[maybe_unused]] kernel::ahead memory) {
            if constexpr (has_kernel<Layout>) {
                with_kernel(run, memory, [&](const auto& first, const auto&... rest) {
                    kernel::contains(target(), first, maybe + at / 64, rest...);
                });
            } else {
                if (who_ == kernel::access::alone) {
                    layout::ask_run(layout_, words_, run, maybe + at / 64);
                } else {
                    layout::ask_run<kernel::among_threads>(layout_, words_, run, maybe + at / 64);
                }
            }
        });
    }

private:
    // What goes through the buffers: see detail::probe_of.
    using buffered = std::conditional_t<has_kernel<Layout>, digest128, digest_type_of<Hash>>;

    [[nodiscard]] kernel::basic_target<Word> target() const noexcept {
        return layout_.target(words_);
    }

    void insert_hashed(std::span<const buffered> run, std::uint64_t* fresh) const {
        if (who_ == kernel::access::alone) {
            layout::insert_run(layout_, words_, run, fresh);
        } else {
            layout::insert_run<kernel::among_threads>(layout_, words_, run, fresh);
        }
    }

    /// Calls the kernel with a run of digests or of integers.
    template <class Run, class Call>
    void with_kernel(const Run& run, kernel::ahead memory, Call call) const {
        if constexpr (std::same_as<std::ranges::range_value_t<Run>, digest128>) {
            call(kernel::digests(run), who_, memory);
        } else if constexpr (detail::mixes_integers<Hash>) {
            call(kernel::integers{run, hash_.integer_seed().value_or(0)}, who_);
        }
    }

    /// Calls `visit(run, index of its first key, whether the memory was prefetched)`. Runs start at
    /// multiples of 64.
    template <class Keys, class Visit>
    void each_run(Keys& keys, Visit visit) const {
        using key_type = std::ranges::range_value_t<Keys>;
        if constexpr (has_kernel<Layout> && detail::in_place_digests<Keys> &&
                      std::same_as<digest_type_of<Hash>, digest128>) {
            visit(std::span(std::ranges::data(keys), std::ranges::size(keys)), 0,
                  kernel::ahead::by_size);
        } else if constexpr (has_kernel<Layout> && detail::is_mixed_integer<key_type, Hash>) {
            if (hash_.integer_seed()) {
                each_run_of_integers(keys, visit);
            } else {
                each_run_hashed(keys, visit);
            }
        } else {
            each_run_hashed(keys, visit);
        }
    }

    template <class Keys, class Visit>
    void each_run_of_integers(Keys& keys, Visit visit) const {
        if constexpr (detail::in_place_integers<Keys>) {
            visit(detail::words_of(keys), 0, kernel::ahead::by_size);
        } else {
            std::array<std::uint64_t, 4 * detail::run_length> buffer;
            std::size_t filled = 0;
            std::size_t done = 0;
            const auto flush = [&] {
                visit(std::span<const std::uint64_t>(buffer.data(), filled), done,
                      kernel::ahead::by_size);
                done += filled;
                filled = 0;
            };
            for (const std::ranges::range_value_t<Keys>& key : keys) {
                buffer[filled] = integer_of(key);
                if (++filled == buffer.size()) {
                    flush();
                }
            }
            if (filled != 0) {
                flush();
            }
        }
    }

    template <class Keys, class Visit>
    void each_run_hashed(Keys& keys, Visit visit) const {
        if constexpr (has_kernel<Layout>) {
            hash::detail::key_lengths lengths;
            std::size_t done = 0;
            // Kernels prefetch by themselves, and need not look up the layout for each key.
            std::array<buffered, detail::kernel_run_length> buffer;
            auto next = std::ranges::begin(keys);
            const auto end = std::ranges::end(keys);
            while (next != end) {
                const std::size_t filled = fill_next(next, end, buffer, false, lengths);
                visit(std::span<const buffered>(buffer.data(), filled), done,
                      kernel::ahead::by_size);
                done += filled;
            }
        } else {
            each_run_alternating(keys, visit);
        }
    }

    /// The same in two buffers, so that the memory prefetched for one arrives while the other is
    /// filled.
    template <class Keys, class Visit>
    void each_run_alternating(Keys& keys, Visit visit) const {
        std::array<std::array<buffered, detail::run_length>, 2> buffers;
        // detail/layout/runs.hpp prefetches by itself, where it can.
        const bool ask = kernel::prefetches && !layout::detail::has_places<Layout, buffered> &&
                         layout_.word_count() * 8 > kernel::cache_byte_count();
        hash::detail::key_lengths lengths;
        std::size_t done = 0;
        std::size_t turn = 0;
        std::size_t waiting = 0; // keys in the other buffer, whose memory was prefetched
        auto next = std::ranges::begin(keys);
        const auto end = std::ranges::end(keys);
        while (next != end) {
            const std::size_t filled = fill_next(next, end, buffers[turn], ask, lengths);
            if (waiting != 0) {
                visit(std::span<const buffered>(buffers[1 - turn].data(), waiting), done,
                      kernel::ahead::done);
                done += waiting;
            }
            waiting = filled;
            turn = 1 - turn;
        }
        if (waiting != 0) {
            visit(std::span<const buffered>(buffers[1 - turn].data(), waiting), done,
                  kernel::ahead::done);
        }
    }

    /// `fill`, inlined only for a pointer to the keys: an iterator with more state than that needs
    /// all registers in the loop over the keys.
    template <class Iterator, class End, class Into>
    std::size_t fill_next(Iterator& next, const End& end, Into& into, bool ask,
                          hash::detail::key_lengths& lengths) const {
        if constexpr (std::contiguous_iterator<Iterator>) {
            return fill(next, end, into, ask, lengths);
        } else {
            return fill_apart(next, end, into, ask, lengths);
        }
    }
    template <class Iterator, class End, class Into>
    [[gnu::noinline]] std::size_t fill_apart(Iterator& next, const End& end, Into& into, bool ask,
                                             hash::detail::key_lengths& lengths) const {
        return fill(next, end, into, ask, lengths);
    }

    /// Hashes the next keys of a range, as many as the buffer holds, and returns how many.
    template <class Iterator, class End>
    std::size_t fill(Iterator& next, const End& end, std::span<buffered> into, bool ask,
                     hash::detail::key_lengths& lengths) const {
        const auto with = [&](const auto& chosen) {
            return hash::detail::with_run_hash(chosen, lengths, [&](const auto& run) {
                return fill_with(run, next, end, into, ask, lengths);
            });
        };
        using key_type = std::iter_value_t<Iterator>;
        if constexpr (has_kernel<Layout> && !detail::is_digest<key_type> &&
                      requires { hash_.visit([](const auto&) {}); }) {
            return hash_.visit(with);
        } else {
            return with(hash_);
        }
    }

    template <class Chosen, class Iterator, class End>
    std::size_t fill_with(const Chosen& chosen, Iterator& next, const End& end,
                          std::span<buffered> into, bool ask,
                          hash::detail::key_lengths& lengths) const {
        std::size_t filled = 0;
        std::size_t longer = 0;
        Iterator from = std::move(next); // in registers, where what is stored cannot change it
        // Iterators that can tell how far it is to the end need not be asked for it at every key.
        constexpr bool counted =
            std::sized_sentinel_for<End, Iterator> && !std::contiguous_iterator<Iterator>;
        std::size_t most = into.size();
        if constexpr (counted) {
            most = std::min(most, static_cast<std::size_t>(end - from));
        }
        for (; filled < most && (counted || from != end); ++from) {
            if constexpr (byte_string<std::iter_value_t<Iterator>> && requires {
                              {
                                  chosen.of_usual_size(byte_view{})
                              } -> std::same_as<digest_type_of<Chosen>>;
                          }) {
                filled = fill_usual<counted>(chosen, from, end, into, filled, most, ask);
                if (filled == most || (!counted && from == end)) {
                    break;
                }
            }
            buffered& place = into[filled];
            const std::iter_value_t<Iterator>& key = *from; // a proxy becomes what it stands for
            longer += hash::detail::is_longer<Chosen>(key);
            if constexpr (hash::detail::is_text_in_run<Chosen, std::iter_value_t<Iterator>>) {
                place = detail::probe_of<Layout>(chosen, chosen(bytes_of(key)));
            } else {
                place = detail::probe_of<Layout>(chosen, key);
            }
            if (ask) {
                layout_.prefetch(words_, place);
            }
            ++filled;
        }
        lengths.learn(filled, longer);
        next = std::move(from);
        return filled;
    }

    /// The keys up to the next of an unusual size, in a loop that calls nothing: across a call, an
    /// engine for WebAssembly keeps nothing in registers.
    template <bool Counted, class Chosen, class Iterator, class End>
    BLOOMERY_INLINE std::size_t fill_usual(Chosen chosen, Iterator& from, const End& end,
                                           std::span<buffered> into, std::size_t filled,
                                           std::size_t most, bool ask) const {
        for (; filled < most && (Counted || from != end); ++from, ++filled) {
            const byte_view key = bytes_of(*from);
            if (!Chosen::is_usual_size(key.size())) {
                break;
            }
            into[filled] = detail::probe_of<Layout>(chosen, chosen.of_usual_size(key));
            if (ask) {
                layout_.prefetch(words_, into[filled]);
            }
        }
        return filled;
    }

    const Layout& layout_;
    const Hash& hash_;
    Word* words_;
    kernel::access who_;
};

} // namespace bloomery::inline v0
