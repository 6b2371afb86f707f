// The verbs of all kinds of filters, from any key to the digest that a filter works on.
//
// A kind defines what happens to one digest. Here is the rest, once for all kinds: keys of every
// type, and many keys at once, whose memory arrives while others are hashed.
#pragma once

#include <bloomery/detail/filter/bulk.hpp>
#include <bloomery/detail/filter/derived_calls.hpp>
#include <bloomery/detail/filter/require_room.hpp>
#include <bloomery/detail/hash/digest_of.hpp>
#include <bloomery/detail/kernel/bulk.hpp>
#include <bloomery/detail/layout/status.hpp>
#include <bloomery/detail/own_copy.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/hash/native.hpp>
#include <bloomery/kernel/kernel.hpp>
#include <bloomery/key/key.hpp>
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

namespace bloomery::inline v0 {

/// The base of `Self`, which has, for a digest128, `try_insert` (insertion), `may_contain` (bool),
/// `prefetch` and `byte_count()`, and combines them with these by `using`. `erase` (status) and
/// `count` (a number) exist for keys if `Self` has them for digests. It may also take runs of up to
/// `detail::longest_run` digests: `insert_run(digests, fresh)` and `ask_run(digests, maybe)`, with
/// a bit for each answer; and have `refuse_key()`, which throws filter_full with a better reason.
///
/// A call costs as much as the same call for each digest, and throws what that and the keys' own
/// functions throw.
template <class Self, class Hash = native_hash>
class BLOOMERY_OWN_COPY key_calls : public detail::derived_calls<Self> {
public:
    using detail::derived_calls<Self>::may_contain_many;
    using detail::derived_calls<Self>::try_insert_many;
    using detail::derived_calls<Self>::erase_many;
    using digest_type = digest128;
    using hash_type = Hash;

    /// The digest of a key, for this filter and every other with the same hash and seed.
    template <key_for<Hash> Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return detail::digest_or_self(hash_, key);
    }

    /// Adds a key. Throws filter_full, and changes nothing, if there is no room for it.
    template <key_for<Hash> Key>
    void insert(const Key& key) {
        (void)taken_in(digest(key));
    }
    /// Adds a key if there is room: true if it was definitely new and is in now.
    template <key Key>
    [[nodiscard]] insertion try_insert(const Key& key) {
        return self().try_insert(digest(key));
    }
    /// False: the key is definitely not in the filter. True: it is, or this is a false positive.
    template <key Key>
    [[nodiscard]] bool may_contain(const Key& key) const {
        return self().may_contain(digest(key));
    }
    /// Erases one occurrence of a key. Erase only what is in the filter: erasing a false positive
    /// takes counts from keys that are in it, which may then be denied.
    template <key Key>
        requires requires(Self& filter, digest128 hashed) { filter.erase(hashed); }
    status erase(const Key& key) {
        return self().erase(digest(key));
    }
    /// How often a key is in the filter; see the kind for its guarantees.
    template <key Key>
        requires requires(const Self& filter, digest128 hashed) { filter.count(hashed); }
    [[nodiscard]] auto count(const Key& key) const {
        return self().count(digest(key));
    }

    /// Adds all keys. Throws filter_full at the first key without room; earlier keys are then in.
    template <keys_for<Hash> Keys>
    void insert_many(Keys&& keys) {
        if constexpr (takes_runs<Self>) {
            std::array<std::uint64_t, detail::longest_run / 64> ignored;
            each_long_run(keys, [&](std::span<const digest128> run, std::size_t /*at*/) {
                self().insert_run(run, ignored.data());
            });
        } else {
            each_run(keys, [this](std::span<const digest128> run, std::size_t /*at*/) {
                for (const digest128 key : run) {
                    (void)taken_in(key);
                }
            });
        }
    }
    /// The same; bit i of `fresh` becomes whether key i was definitely new.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        if constexpr (takes_runs<Self>) {
            fresh.reset(std::ranges::size(keys));
            each_long_run(keys, [&](std::span<const digest128> run, std::size_t at) {
                self().insert_run(run, fresh.data() + at / 64);
            });
        } else {
            answer(keys, fresh, [this](digest128 key) { return taken_in(key); });
        }
    }
    /// Queries all keys; bit i of `maybe` becomes the answer for key i.
    template <keys_for<Hash> Keys>
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
    /// Erases all keys that are in the filter; bit i of `erased` becomes whether key i was.
    template <keys_for<Hash> Keys>
        requires std::ranges::sized_range<Keys> &&
                 requires(Self& filter, digest128 hashed) { filter.erase(hashed); }
    void erase_many(Keys&& keys, bitmap& erased) {
        answer(keys, erased,
               [this](digest128 key) { return self().erase(key) != status::not_present; });
    }

    [[nodiscard]] const Hash& hash() const noexcept { return hash_; }
    [[nodiscard]] const design& made_for() const noexcept { return design_; }

private:
    friend Self;

    template <class Kind> // Self is not complete yet
    static constexpr bool takes_runs =
        requires(Kind& kind, std::span<const digest128> run, std::uint64_t* bits) {
            kind.insert_run(run, bits);
            kind.ask_run(run, bits);
        };

    /// Adds a key and returns whether it was definitely new. Throws filter_full.
    bool taken_in(digest128 key) {
        const insertion done = self().try_insert(key);
        if (done.state == status::full) [[unlikely]] {
            if constexpr (requires { self().refuse_key(); }) {
                self().refuse_key();
            } else {
                detail::refuse_full();
            }
        }
        return done.fresh;
    }

    key_calls(const Hash& hash, const design& made_for) noexcept : hash_(hash), design_(made_for) {}

    /// The hash, with 128 bits if a filter made for that needs them.
    [[nodiscard]] static Hash wide_enough(const Hash& hash, const design& made_for) noexcept {
        return needs_wide_digests(made_for) ? hash.widened() : hash;
    }

    [[nodiscard]] bloomery::spec spec_of(filter_kind kind, const plan::shape& shape,
                                         const kind_parameters& given) const noexcept {
        return {kind, layout::scheme_id::native, hash_.id(), hash_.seed(), shape, given};
    }

    [[nodiscard]] Self& self() noexcept { return static_cast<Self&>(*this); }
    [[nodiscard]] const Self& self() const noexcept { return static_cast<const Self&>(*this); }

    template <class Keys, class Ask>
    void answer(Keys& keys, bitmap& answers, Ask ask) const {
        answers.reset(std::ranges::size(keys));
        each_run(keys, [&](std::span<const digest128> run, std::size_t at) {
            // A run begins with a word of the answers. Each word is made in a register: changing it
            // in memory would make every key wait for the one before.
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

    /// Queries all keys in two steps, 64 at a time: `prepare(digests, count, questions)`, which may
    /// read digests up to a multiple of eight, and, after the filter's `prefetch(questions)`,
    /// `answer(questions)`, a bit for each key.
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
    /// ask_run; keys that are already hashed are not copied.
    template <class Keys, class Visit>
    void each_long_run(Keys& keys, Visit visit) const {
        if constexpr (detail::in_place_digests<Keys>) {
            const std::span<const digest128> all(std::ranges::data(keys), std::ranges::size(keys));
            for (std::size_t at = 0; at < all.size(); at += detail::longest_run) {
                visit(all.subspan(at, std::min(detail::longest_run, all.size() - at)), at);
            }
        } else {
            each_run(keys, visit, false);
        }
    }

    /// Calls `visit(digests, index of the first)` for all keys in order. A run is hashed and
    /// prefetched while the one before it waits.
    template <class Keys, class Visit>
    void each_run(Keys& keys, Visit visit) const {
        each_run(keys, visit, is_vast());
    }
    /// Whether a filter is so large that prefetching pays.
    [[nodiscard]] bool is_vast() const noexcept {
        return self().byte_count() > kernel::cache_byte_count();
    }
    /// The same, with or without prefetching.
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
        if constexpr (detail::is_mixed_integer<std::iter_value_t<Iterator>, Hash>) {
            if (const std::optional<std::uint64_t> seed = hash_.integer_seed()) {
                return mix(next, end, *seed, into, ask);
            }
        }
        const auto with = [&]([[maybe_unused]] const auto& chosen) {
            std::size_t filled = 0;
            for (; filled < into.size() && next != end; ++next, ++filled) {
                const std::iter_value_t<Iterator>& key = *next; // converts a proxy
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
        };
        if constexpr (requires { hash_.visit(with); }) {
            return hash_.visit(with);
        } else {
            return with(hash_);
        }
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

    [[no_unique_address]] Hash hash_;
    design design_;
};

} // namespace bloomery::inline v0
