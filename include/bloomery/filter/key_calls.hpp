// The verbs of the counting family, from any key to the digest that a filter works on.
//
// A kind of filter says what happens to one digest; here is the rest, once for all kinds: keys of
// every type, one hash for each, and many keys at once, whose memory arrives while others are
// hashed.
#pragma once

#include <bloomery/filter/bulk.hpp>
#include <bloomery/filter/require_room.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/digest_of.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/kernel/bulk.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/key/key.hpp>
#include <bloomery/layout/status.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector> // std::min and the like, without the rest of <algorithm>

namespace bloomery {

/// The base of `Self`, which has, for a digest128, `insert` (insertion), `may_contain` (bool),
/// `prefetch` and `byte_count()`, and brings them together with these by `using`. It may have
/// `erase` (status) and `count` (a number); what it does not have, does not exist for keys either.
/// It may also take runs of up to `longest_run` digests at once, and befriend this class for that:
/// `insert_run(digests, fresh)` and `ask_run(digests, maybe)`, with a bit for each answer.
///
/// Every call takes what the same call for one digest takes, once for each key, and throws what it
/// throws and what the keys' own functions throw.
template <class Self>
class key_calls {
public:
    using digest_type = digest128;
    using hash_type = native_hash;

    /// The digest of a key, for this filter and every other of equal hash and seed.
    template <key_for<native_hash> Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    /// Adds a key. Converts to true if it surely was not in before.
    template <key Key>
    insertion insert(const Key& key) {
        return self().insert(digest(key));
    }
    /// The same, for who wants to know: what it tells must not be ignored.
    template <key_for<native_hash> Key>
    [[nodiscard]] insertion try_insert(const Key& key) {
        return self().insert(key);
    }
    /// False: the key is surely not in. True: it is, or the filter errs.
    template <key Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return self().may_contain(digest(key));
    }
    /// Takes a key out once. Only keys that are in may be taken out: another one, for which the
    /// filter errs, takes counts away from keys that are in, which may then be denied.
    template <key Key>
        requires requires(Self& filter, digest128 hashed) { filter.erase(hashed); }
    status erase(const Key& key) {
        return self().erase(digest(key));
    }
    /// How often a key is in: see the kind for what is promised.
    template <key Key>
        requires requires(const Self& filter, digest128 hashed) { filter.count(hashed); }
    [[nodiscard]] auto count(const Key& key) const {
        return self().count(digest(key));
    }

    /// Adds all keys. Throws filter_full at the first that finds no room; those before are in.
    template <keys_for<native_hash> Keys>
    void insert_many(Keys&& keys) {
        if constexpr (takes_runs<Self>) {
            std::array<std::uint64_t, longest_run / 64> ignored;
            each_long_run(keys, [&](std::span<const digest128> run, std::size_t /*at*/) {
                self().insert_run(run, ignored.data());
            });
        } else {
            each_run(keys, [this](std::span<const digest128> run, std::size_t /*at*/) {
                for (const digest128 key : run) {
                    detail::require_room(self().insert(key));
                }
            });
        }
    }
    /// The same; bit i of `fresh` becomes whether key i was surely new.
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        if constexpr (takes_runs<Self>) {
            fresh.reset(std::ranges::size(keys));
            each_long_run(keys, [&](std::span<const digest128> run, std::size_t at) {
                self().insert_run(run, fresh.data() + at / 64);
            });
        } else {
            answer(keys, fresh,
                   [this](digest128 key) { return detail::require_room(self().insert(key)); });
        }
    }
    /// Asks for all keys; bit i of `maybe` becomes the answer for key i.
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys>
    void may_contain_many(Keys&& keys, bitmap& maybe) const {
        if constexpr (takes_runs<Self>) {
            maybe.reset(std::ranges::size(keys));
            each_long_run(keys, [&](std::span<const digest128> run, std::size_t at) {
                self().ask_run(run, maybe.data() + at / 64);
            });
        } else {
            answer(keys, maybe, [this](digest128 key) { return self().may_contain(key); });
        }
    }
    /// Takes out all keys that are in; bit i of `erased` becomes whether key i was.
    template <keys_for<native_hash> Keys>
        requires std::ranges::sized_range<Keys> &&
                 requires(Self& filter, digest128 hashed) { filter.erase(hashed); }
    void erase_many(Keys&& keys, bitmap& erased) {
        answer(keys, erased,
               [this](digest128 key) { return self().erase(key) != status::not_present; });
    }

    [[nodiscard]] const native_hash& hash() const noexcept { return hash_; }
    [[nodiscard]] const design& made_for() const noexcept { return design_; }

private:
    friend Self;

    static constexpr std::size_t longest_run = 512;
    template <class Kind> // no member of a class that is not complete yet
    static constexpr bool takes_runs =
        requires(Kind& kind, std::span<const digest128> run, std::uint64_t* bits) {
            kind.insert_run(run, bits);
            kind.ask_run(run, bits);
        };

    /// Takes the hash as it is.
    key_calls(const native_hash& hash, const design& made_for) noexcept
        : hash_(hash), design_(made_for) {}

    /// The hash with as many bits as a filter made for that needs.
    [[nodiscard]] static native_hash wide_enough(const native_hash& hash,
                                                 const design& made_for) noexcept {
        return needs_wide_digests(made_for) ? hash.widened() : hash;
    }

    [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }
    [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }

    template <class Keys, class Ask>
    void answer(Keys& keys, bitmap& answers, Ask ask) const {
        answers.reset(std::ranges::size(keys));
        each_run(keys, [&](std::span<const digest128> run, std::size_t at) {
            // A run begins with a word of the answers. Each word is made in a register: to change
            // it in memory, every key would wait for the one before.
            for (std::size_t from = 0; from < run.size(); from += 64) {
                const std::size_t count = std::min<std::size_t>(64, run.size() - from);
                std::uint64_t word = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    word |= std::uint64_t{ask(run[from + i])} << i;
                }
                answers.data()[(at + from) / 64] = word;
            }
        });
    }

    /// Asks for all keys in two steps, 64 at a time: `prepare(digests, count, questions)`, which
    /// may read digests up to a multiple of eight, and, when the memory that the filter's
    /// `prefetch(questions)` asked for has come, `answer(questions)`, a bit for each key.
    template <class Questions, class Keys, class Prepare, class Answer>
    void ask_in_steps(Keys& keys, bitmap& maybe, Prepare prepare, Answer answer) const {
        constexpr std::size_t in_flight = 4;
        maybe.reset(std::ranges::size(keys));
        std::array<Questions, in_flight> asked;
        std::uint64_t* next = maybe.data();
        std::size_t turn = 0;
        const auto finish = [&](Questions& of) {
            if (of.count != 0) {
                *next++ = answer(of);
            }
            of.count = 0;
        };
        const auto visit = [&, vast = is_vast()](std::span<const digest128> run, std::size_t) {
            for (std::size_t from = 0; from < run.size(); from += 64) {
                const auto count = std::min<std::size_t>(64, run.size() - from);
                prepare(run.data() + from, static_cast<std::uint32_t>(count), asked[turn]);
                if (vast) {
                    self().prefetch(asked[turn]);
                }
                turn = (turn + 1) % in_flight;
                finish(asked[turn]); // the oldest
            }
        };
        each_run(keys, visit, false);
        for (std::size_t i = 1; i < in_flight; ++i) {
            finish(asked[(turn + i) % in_flight]);
        }
    }

    /// Calls `visit(digests, index of the first)` for all keys in order, in runs for insert_run and
    /// ask_run; keys that come hashed are not copied.
    template <class Keys, class Visit>
    void each_long_run(Keys& keys, Visit visit) const {
        if constexpr (detail::in_place_digests<Keys>) {
            const std::span<const digest128> all(std::ranges::data(keys), std::ranges::size(keys));
            for (std::size_t at = 0; at < all.size(); at += longest_run) {
                visit(all.subspan(at, std::min(longest_run, all.size() - at)), at);
            }
        } else {
            each_run(keys, visit, false);
        }
    }

    /// Calls `visit(digests, index of the first)` for all keys in order. A run is hashed, and its
    /// memory asked for, while the one before it waits.
    template <class Keys, class Visit>
    void each_run(Keys& keys, Visit visit) const {
        each_run(keys, visit, is_vast());
    }
    /// Whether a filter is so large that its memory is worth asking for ahead.
    [[nodiscard]] bool is_vast() const noexcept {
        return self().byte_count() > kernel::cache_byte_count();
    }
    /// The same for a kind that asks, or not, by itself.
    template <class Keys, class Visit>
    void each_run(Keys& keys, Visit visit, bool ask) const {
        std::array<std::array<digest128, detail::run_length>, 2> buffers;
        std::size_t done = 0;
        std::size_t turn = 0;
        std::size_t waiting = 0;
        auto next = std::ranges::begin(keys);
        const auto end = std::ranges::end(keys);
        while (next != end) {
            const std::size_t filled = fill(next, end, buffers[turn], ask);
            if (waiting != 0) {
                visit(std::span<const digest128>(buffers[1 - turn].data(), waiting), done);
                done += waiting;
            }
            waiting = filled;
            turn = 1 - turn;
        }
        if (waiting != 0) {
            visit(std::span<const digest128>(buffers[1 - turn].data(), waiting), done);
        }
    }

    template <class Iterator, class End>
    std::size_t fill(Iterator& next, const End& end,
                     std::array<digest128, detail::run_length>& into, bool ask) const {
        if constexpr (detail::is_mixed_integer<std::iter_value_t<Iterator>, native_hash>) {
            if (const std::optional<std::uint64_t> seed = hash_.integer_seed()) {
                return mix(next, end, *seed, into, ask);
            }
        }
        return hash_.visit([&]([[maybe_unused]] const auto& chosen) {
            std::size_t filled = 0;
            for (; filled < into.size() && next != end; ++next, ++filled) {
                const std::iter_value_t<Iterator>& key = *next; // a proxy becomes what it is for
                if constexpr (detail::is_digest<std::iter_value_t<Iterator>>) {
                    into[filled] = key;
                } else {
                    into[filled] = widely(digest_of(chosen, key));
                }
                if (ask) {
                    self().prefetch(into[filled]);
                }
            }
            return filled;
        });
    }

    /// The same for integers that are hashed in vectors.
    template <class Iterator, class End>
    std::size_t mix(Iterator& next, const End& end, std::uint64_t seed,
                    std::array<digest128, detail::run_length>& into, bool ask) const {
        std::size_t filled = 0;
        if constexpr (detail::in_place_integers<std::ranges::subrange<Iterator, End>>) {
            filled = std::min<std::size_t>(into.size(), static_cast<std::size_t>(end - next));
            // Signed and unsigned words of one width may alias.
            const auto* const first = reinterpret_cast<const std::uint64_t*>(std::to_address(next));
            kernel::mix({std::span(first, filled), seed}, into.data());
            next += static_cast<std::iter_difference_t<Iterator>>(filled);
        } else {
            std::array<std::uint64_t, detail::run_length> integers;
            for (; filled < into.size() && next != end; ++next, ++filled) {
                const std::iter_value_t<Iterator>& key = *next;
                integers[filled] = integer_of(key);
            }
            kernel::mix({std::span(integers).first(filled), seed}, into.data());
        }
        for (std::size_t i = 0; ask && i < filled; ++i) {
            self().prefetch(into[i]);
        }
        return filled;
    }

    native_hash hash_;
    design design_;
};

} // namespace bloomery
