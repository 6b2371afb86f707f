// Calls for single keys, and for combining filters.
#include <bloomery/detail/filter/any_kinds.hpp>

#include "handle.hpp"

namespace bloomery::inline v0::detail {

/// Single keys of a filter with the usual hash, with the answer at an address; return 0, which is
/// BLOOMERY_OK. The last thing that they do is to call the kernel in use.
struct answers_at {
    template <class Key>
    BLOOMERY_INLINE static int try_insert(filter& of, const Key& key, bool* fresh) noexcept {
        return of.with_probe(key, [&](const auto& hashed) {
            return of.layout_.insert_at(of.storage_.data(), hashed, fresh);
        });
    }
    template <class Key>
    BLOOMERY_INLINE static int may_contain(const filter& of, const Key& key, bool* maybe) noexcept {
        return of.with_probe(key, [&](const auto& hashed) {
            return of.layout_.may_contain_at(of.storage_.data(), hashed, maybe);
        });
    }
};

} // namespace bloomery::inline v0::detail

namespace bloomery::inline v0::c {

namespace {

static_assert(BLOOMERY_OK == 0);
static_assert(static_cast<int>(status::ok) == BLOOMERY_OUTCOME_DONE &&
              static_cast<int>(status::not_present) == BLOOMERY_OUTCOME_NOT_PRESENT &&
              static_cast<int>(status::full) == BLOOMERY_OUTCOME_FULL &&
              static_cast<int>(status::saturated) == BLOOMERY_OUTCOME_SATURATED);

// Each verb once, for both sorts of keys. A call takes a few nanoseconds, so all of it is inlined
// for the filter that most handles hold, whatever the compiler thinks of its size. What else there
// is, and what is wrong, goes through a function of its own, which keeps its registers out of the
// way. They begin at a cache line: where else they happen to be would change their time by a tenth.

/// Whether a key takes no longer than the call. Long ones are hashed by loops and calls, for which
/// the short ones would save registers too.
constexpr bool is_short(std::uint64_t /*key*/) noexcept { return true; }
bool is_short(byte_view key) noexcept { return key.size() <= 128; }

/// The filter that most handles hold, if this one does and the key is there and short.
template <class Handle, class Key>
auto* plain_in(Handle* filter, Key key) noexcept {
    auto* const plain =
        filter != nullptr && is_there(key) && is_short(key) ? filter->plain : nullptr;
    if (plain != nullptr && !bloomery_filter::has_usual_hash(*plain)) {
        __builtin_unreachable(); // so that no other hash is compiled here
    }
    return plain;
}

template <class Key>
[[gnu::noinline]] bloomery_status insert_any(bloomery_filter* filter, Key key) noexcept {
    return guarded(
        [&] { with_keys_of(filter, [&](auto& into) { into.insert(required_key(key)); }); });
}
template <class Key>
BLOOMERY_INLINE bloomery_status insert(bloomery_filter* filter, Key key) noexcept {
    if (auto* const plain = plain_in(filter, key)) [[likely]] {
        plain->insert(key);
        return BLOOMERY_OK;
    }
    return insert_any(filter, key);
}

template <class Key>
[[gnu::noinline]] bloomery_status try_insert_any(bloomery_filter* filter, Key key, bool* fresh,
                                                 uint32_t* outcome) noexcept {
    return guarded([&] {
        give_if_wanted(fresh, false);
        const insertion told = with_keys_of(
            filter, [&](auto& into) { return insertion{into.try_insert(required_key(key))}; });
        give_if_wanted(fresh, bool{told});
        give_outcome(outcome, told.state,
                     "the filter is full: make a larger one, or one that grows");
    });
}
template <class Key>
[[gnu::flatten, gnu::aligned(64)]] bloomery_status
try_insert(bloomery_filter* filter, Key key, bool* fresh, uint32_t* outcome) noexcept {
    if (auto* const plain = plain_in(filter, key); plain != nullptr && fresh != nullptr)
        [[likely]] {
        give_if_wanted(outcome, BLOOMERY_OUTCOME_DONE);
        return static_cast<bloomery_status>(detail::answers_at::try_insert(*plain, key, fresh));
    }
    return try_insert_any(filter, key, fresh, outcome);
}

template <class Key>
[[gnu::noinline]] bloomery_status ask_any(const bloomery_filter* filter, Key key,
                                          bool* maybe) noexcept {
    return guarded([&] {
        bool& to = required(maybe, "the output parameter for the answer");
        to = true;
        to =
            with_keys_of(filter, [&](const auto& of) { return of.may_contain(required_key(key)); });
    });
}
template <class Key>
[[gnu::flatten, gnu::aligned(64)]] bloomery_status may_contain(const bloomery_filter* filter,
                                                               Key key, bool* maybe) noexcept {
    if (auto* const plain = plain_in(filter, key); plain != nullptr && maybe != nullptr)
        [[likely]] {
        return static_cast<bloomery_status>(detail::answers_at::may_contain(*plain, key, maybe));
    }
    return ask_any(filter, key, maybe);
}

template <class Key>
bloomery_status erase(bloomery_filter* filter, Key key, uint32_t* outcome) noexcept {
    return guarded([&] { give_if_wanted(outcome, filter_in(filter).erase(required_key(key))); });
}

template <class Key>
bloomery_status count(const bloomery_filter* filter, Key key, std::uint64_t* count) noexcept {
    return guarded([&] {
        std::uint64_t& to = required(count, "the output parameter for the count");
        to = 0;
        to = filter_in(filter).count(required_key(key));
    });
}

template <class Key>
bloomery_status give_digest(const bloomery_filter* filter, Key key,
                            bloomery_digest* digest) noexcept {
    return guarded([&] {
        bloomery_digest& to = required(digest, "the output parameter for the digest");
        to = {};
        const digest128 made = described_in(filter).digest(required_key(key));
        to = {made.low, made.high};
    });
}

/// Combines two filters. One with itself by way of a copy: no kind need think of that.
template <class Combine>
bloomery_status combined(bloomery_filter* into, const bloomery_filter* other,
                         Combine combine) noexcept {
    return guarded([&] {
        const any_filter& of = filter_in(other);
        any_filter& to = unshared_in(into);
        &to == &of ? combine(to, any_filter(of)) : combine(to, of);
    });
}

} // namespace

} // namespace bloomery::inline v0::c

using namespace bloomery;
using c::bytes_at;
using c::filter_in;
using c::guarded;
using c::required;

[[gnu::flatten, gnu::aligned(64)]] bloomery_status bloomery_insert(bloomery_filter* filter,
                                                                   const void* key, size_t size) {
    return c::insert(filter, bytes_at(key, size));
}
[[gnu::flatten, gnu::aligned(64)]] bloomery_status bloomery_insert_u64(bloomery_filter* filter,
                                                                       uint64_t key) {
    return c::insert(filter, key);
}

bloomery_status bloomery_try_insert(bloomery_filter* filter, const void* key, size_t size,
                                    bool* fresh, uint32_t* outcome) {
    return c::try_insert(filter, bytes_at(key, size), fresh, outcome);
}
bloomery_status bloomery_try_insert_u64(bloomery_filter* filter, uint64_t key, bool* fresh,
                                        uint32_t* outcome) {
    return c::try_insert(filter, key, fresh, outcome);
}

bloomery_status bloomery_may_contain(const bloomery_filter* filter, const void* key, size_t size,
                                     bool* maybe) {
    return c::may_contain(filter, bytes_at(key, size), maybe);
}
bloomery_status bloomery_may_contain_u64(const bloomery_filter* filter, uint64_t key, bool* maybe) {
    return c::may_contain(filter, key, maybe);
}

bloomery_status bloomery_erase(bloomery_filter* filter, const void* key, size_t size,
                               uint32_t* outcome) {
    return c::erase(filter, bytes_at(key, size), outcome);
}
bloomery_status bloomery_erase_u64(bloomery_filter* filter, uint64_t key, uint32_t* outcome) {
    return c::erase(filter, key, outcome);
}

bloomery_status bloomery_count(const bloomery_filter* filter, const void* key, size_t size,
                               uint64_t* count) {
    return c::count(filter, bytes_at(key, size), count);
}
bloomery_status bloomery_count_u64(const bloomery_filter* filter, uint64_t key, uint64_t* count) {
    return c::count(filter, key, count);
}

bloomery_status bloomery_digest_of(const bloomery_filter* filter, const void* key, size_t size,
                                   bloomery_digest* digest) {
    return c::give_digest(filter, bytes_at(key, size), digest);
}
bloomery_status bloomery_digest_of_u64(const bloomery_filter* filter, uint64_t key,
                                       bloomery_digest* digest) {
    return c::give_digest(filter, key, digest);
}

bloomery_status bloomery_compatible(const bloomery_filter* a, const bloomery_filter* b) {
    return guarded([&] {
        const compatibility verdict = filter_in(a).compatible_with(filter_in(b));
        if (!verdict) {
            throw incompatible(verdict.reason);
        }
    });
}

bloomery_status bloomery_merge(bloomery_filter* into, const bloomery_filter* other) {
    return c::combined(into, other, [](any_filter& to, const any_filter& of) { to.merge(of); });
}

bloomery_status bloomery_intersect(bloomery_filter* into, const bloomery_filter* other) {
    return c::combined(into, other, [](any_filter& to, const any_filter& of) { to.intersect(of); });
}

bloomery_status bloomery_fold(bloomery_filter* filter, double rate) {
    return guarded([&] { c::unshared_in(filter).fold(bloomery::rate{rate}); });
}

bloomery_status bloomery_clear(bloomery_filter* filter) {
    return guarded([&] { c::unshared_in(filter).clear(); });
}

bloomery_status bloomery_equal(const bloomery_filter* a, const bloomery_filter* b, bool* equal) {
    return guarded([&] {
        bool& to = required(equal, "the output parameter for the answer");
        to = false;
        to = filter_in(a) == filter_in(b);
    });
}

bloomery_status bloomery_advance(bloomery_filter* filter, uint64_t now) {
    return guarded([&] {
        if (auto* const window = filter_in(filter).get_if<window_filter>()) {
            window->advance(now);
        }
    });
}

bloomery_status bloomery_reserve(bloomery_filter* filter, uint64_t items, uint32_t* outcome) {
    return guarded([&] {
        auto* const grows = filter_in(filter).get_if<scalable_filter>();
        if (grows == nullptr) {
            throw unsupported("only a scalable filter can make room for more keys");
        }
        c::give_outcome(outcome, grows->reserve(bloomery::items{items}),
                        "the limits of the filter leave no room for that many keys");
    });
}
