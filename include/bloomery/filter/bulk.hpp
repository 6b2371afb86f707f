// Many keys at once: from any range of keys to the runs of digests or integers that kernels take.
//
// Nothing is allocated: keys that must be hashed first go through two small buffers in turn, so
// that the memory that one asked for arrives while the other is filled.
#pragma once

#include <bloomery/hash/digest_of.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/kernel/shared_words.hpp>
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

namespace bloomery {

/// A layout whose bulk calls the kernels do.
template <class Layout>
concept has_kernel = requires(const Layout& layout, std::uint64_t* words) {
    { layout.target(words) } -> std::same_as<kernel::target>;
};

namespace detail {

/// Keys that are already what a kernel takes, in one piece.
template <class Keys>
concept in_place = std::ranges::contiguous_range<Keys> && std::ranges::sized_range<Keys>;
template <class Keys>
concept in_place_integers =
    in_place<Keys> && (std::same_as<std::ranges::range_value_t<Keys>, std::uint64_t> ||
                       std::same_as<std::ranges::range_value_t<Keys>, std::int64_t>);
template <class Keys>
concept in_place_digests =
    in_place<Keys> && std::same_as<std::ranges::range_value_t<Keys>, digest128>;

template <class Key>
inline constexpr bool is_digest =
    std::same_as<Key, digest64> || std::same_as<Key, digest128> || is_digest_list<Key>;

template <class Hash>
concept mixes_integers = requires(const Hash& hash) {
    { hash.integer_seed() } -> std::same_as<std::optional<std::uint64_t>>;
};

template <class Key, class Hash>
inline constexpr bool is_mixed_integer = integer_key<Key> && !fed_key<Key> && mixes_integers<Hash>;

/// The digest of a key, or the digest that it is.
template <class Hash, class Key>
[[nodiscard]] digest_type_of<Hash> digest_or_self(const Hash& hash, const Key& key) {
    if constexpr (is_digest<Key>) {
        static_assert(std::same_as<Key, digest_type_of<Hash>>, "a digest of another width");
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

} // namespace detail

/// The bits of a filter, for bulk calls: layout, hash and words, and who else uses them. It holds
/// references and is made for one call. Each takes O(n k), allocates nothing, and throws what the
/// range and the keys' own functions throw; then the keys before may be in.
template <class Layout, class Hash>
class bulk_calls {
public:
    bulk_calls(const Layout& layout, const Hash& hash, std::uint64_t* words,
               kernel::access who) noexcept
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
                    for (const auto& digest : run) {
                        insert_one(digest);
                    }
                }
            });
    }

    /// Adds all keys in order; bit i of `fresh` becomes whether key i changed a bit. Throws also
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
                answer(run, answers, [&](const auto& digest) { return insert_one(digest); });
            }
        });
    }

    /// Bit i of `maybe` becomes whether all bits of key i are set. Throws also std::bad_alloc, as
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
                answer(run, maybe + at / 64, [&](const auto& digest) {
                    return who_ == kernel::access::alone
                               ? layout_.may_contain(words_, digest)
                               : layout_.template may_contain<kernel::access::shared>(words_,
                                                                                      digest);
                });
            }
        });
    }

private:
    // What goes through the buffers: see detail::probe_of.
    using buffered = std::conditional_t<has_kernel<Layout>, digest128, digest_type_of<Hash>>;

    [[nodiscard]] kernel::target target() const noexcept { return layout_.target(words_); }

    template <class Digest>
    bool insert_one(const Digest& digest) const {
        return who_ == kernel::access::alone
                   ? layout_.insert(words_, digest)
                   : layout_.template insert<kernel::access::shared>(words_, digest);
    }

    template <class Run, class Ask>
    static void answer(const Run& run, std::uint64_t* answers, Ask ask) {
        for (std::size_t i = 0; i < run.size(); ++i) {
            const std::uint64_t bit = std::uint64_t{ask(run[i])} << (i % 64);
            answers[i / 64] = i % 64 == 0 ? bit : answers[i / 64] | bit;
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

    /// Calls `visit(run, index of its first key, whether the memory was asked for)`. Runs start at
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
            // Signed and unsigned words of one width may alias.
            const auto* const first =
                reinterpret_cast<const std::uint64_t*>(std::ranges::data(keys));
            visit(std::span(first, std::ranges::size(keys)), 0, kernel::ahead::by_size);
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
        std::array<std::array<buffered, detail::run_length>, 2> buffers;
        const bool ask = layout_.word_count() * 8 > kernel::cache_byte_count();
        std::size_t done = 0;
        std::size_t turn = 0;
        std::size_t waiting = 0; // keys in the other buffer, whose memory was asked for
        auto next = std::ranges::begin(keys);
        const auto end = std::ranges::end(keys);
        while (next != end) {
            const std::size_t filled = fill(next, end, buffers[turn], ask);
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

    /// Hashes the next keys of a range, as many as the buffer takes, and returns how many.
    template <class Iterator, class End>
    std::size_t fill(Iterator& next, const End& end, std::array<buffered, detail::run_length>& into,
                     bool ask) const {
        using key_type = std::iter_value_t<Iterator>;
        if constexpr (has_kernel<Layout> && !detail::is_digest<key_type> &&
                      requires { hash_.visit([](const auto&) {}); }) {
            return hash_.visit(
                [&](const auto& chosen) { return fill_with(chosen, next, end, into, ask); });
        } else {
            return fill_with(hash_, next, end, into, ask);
        }
    }

    template <class Chosen, class Iterator, class End>
    std::size_t fill_with(const Chosen& chosen, Iterator& next, const End& end,
                          std::array<buffered, detail::run_length>& into, bool ask) const {
        std::size_t filled = 0;
        for (; filled < into.size() && next != end; ++next) {
            buffered& place = into[filled];
            const std::iter_value_t<Iterator>& key = *next; // a proxy becomes what it stands for
            place = detail::probe_of<Layout>(chosen, key);
            if (ask) {
                layout_.prefetch(words_, place);
            }
            ++filled;
        }
        return filled;
    }

    const Layout& layout_;
    const Hash& hash_;
    std::uint64_t* words_;
    kernel::access who_;
};

} // namespace bloomery
