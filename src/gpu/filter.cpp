#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/plan/layout_kind.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/gpu/filter.hpp>
#include <bloomery/plan/sizing.hpp>

#include "backend.hpp"
#include "key_kinds.hpp"
#include "work.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace bloomery::inline v0::gpu {

namespace {

constexpr std::array split_layouts{layout_kind::split_8x64, layout_kind::split_16x32,
                                   layout_kind::split_8x32};

bool is_split(layout_kind layout) { return plan::facts_of(layout).fixed_hashes != 0; }

const plan::shape& require_split(const plan::shape& of) {
    plan::check(of);
    if (!is_split(of.layout)) {
        throw unsupported("a filter with the layout \"" + std::string(plan::name_of(of.layout)) +
                          "\" cannot be on a GPU: make it with split-8x32, split-8x64 or "
                          "split-16x32");
    }
    return of;
}

const native_hash& require_unkeyed(const native_hash& hash) {
    if (hash.is_keyed()) {
        throw unsupported("a filter with a secret key cannot be on a GPU, which would have to hold "
                          "the key: make it without one, or use it on the processor");
    }
    return hash;
}

const bloomery::filter& require_filter(const any_filter& given) {
    const auto* const found = given.get_if<bloomery::filter>();
    if (found == nullptr) {
        throw unsupported("only bloomery's plain Bloom filters can be on a GPU, and this one is of "
                          "kind \"" +
                          std::string(name_of(given.spec().kind)) +
                          "\" or of another system: make a plain one and insert the keys");
    }
    return *found;
}

native_hash hash_for(const native_hash& hash, const design& made_for) {
    return needs_wide_digests(made_for) ? hash.widened() : hash;
}

std::uint64_t words_for(std::uint64_t bits) { return (bits + 63) / 64; }

void require_answers(const keys& some, std::uint64_t given, std::uint64_t needed,
                     const char* unit) {
    if (given < needed) {
        throw bad_argument("the answers for " + std::to_string(some.count()) + " keys need " +
                           std::to_string(needed) + " " + unit + ", but there is room for " +
                           std::to_string(given) + ": allocate more");
    }
}

void require_device_keys(const keys& some) {
    if (!some.is_on_device()) {
        throw bad_argument("asynchronous calls need keys in device memory: copy them there, or use "
                           "the call that waits");
    }
}

/// Kernels read whole words. Bytes of strings may be anywhere.
void require_alignment(const keys& some) {
    const std::uint64_t of_offset = detail::offset_bytes(some.what());
    const void* const words = of_offset != 0 ? some.offsets() : some.data();
    const std::uint64_t word = of_offset != 0                   ? of_offset
                               : detail::is_string(some.what()) ? 1
                                                                : some.width();
    if (some.is_on_device() && reinterpret_cast<std::uintptr_t>(words) % word != 0) {
        throw bad_argument("device memory with words of " + std::to_string(word) +
                           " bytes must be aligned to as many: copy it to the start of an array");
    }
}

/// Waits after `act`, also if it throws: what it was given may be gone then.
template <class Do>
void and_wait(const device& on, Do act) {
    try {
        act();
    } catch (...) {
        try {
            on.wait();
        } catch (const error&) { // the first error says more
        }
        throw;
    }
    on.wait();
}

} // namespace

plan::shape filter::shape_for(items n, rate p) {
    plan::shape best = plan::choose(n, p);
    if (is_split(best.layout)) {
        return best;
    }
    best.bit_count = std::numeric_limits<std::uint64_t>::max();
    for (const layout_kind each : split_layouts) {
        // A layout may need more than any memory for a low rate.
        try {
            if (const plan::shape made = plan::for_rate(n, p, each);
                made.bit_count < best.bit_count) {
                best = made;
            }
        } catch (const bad_argument&) {
            if (each == split_layouts.back() && !is_split(best.layout)) {
                throw;
            }
        }
    }
    return best;
}

filter::filter(items n, rate p, const device& on, native_hash hash)
    : filter(shape_for(n, p), on, hash, {n.value, p.value}) {}

filter::filter(const plan::shape& shape, const device& on, native_hash hash, design made_for)
    : shape_(require_split(shape)), hash_(hash_for(require_unkeyed(hash), made_for)),
      design_(made_for), memory_(on, shape.byte_count()) {
    clear();
}

filter::filter(const bloomery::filter& other, const device& on)
    : shape_(require_split(other.layout().shape())), hash_(require_unkeyed(other.hash())),
      design_(other.made_for()), memory_(on, shape_.byte_count()) {
    memory_.upload(std::as_bytes(other.words()));
}

filter::filter(const any_filter& other, const device& on) : filter(require_filter(other), on) {}

detail::mixer filter::mixer() const noexcept {
    const std::uint64_t seed = hash_.seed();
    return {seed, bloomery::hash::mixed_seed(seed), bloomery::hash::mixed_seed(~seed),
            hash_.id() == bloomery::hash::hash_id::xxh3_128};
}

void filter::refuse_ref(layout_kind wanted) const {
    throw bad_argument("the filter has the layout \"" + std::string(plan::name_of(shape_.layout)) +
                       "\", not \"" + std::string(plan::name_of(wanted)) +
                       "\": ask for a ref of its own layout");
}

void filter::insert_many(const keys& some) {
    and_wait(where(), [&] { insert_on(some, {}); });
}

void filter::insert_many_async(const keys& some, stream on) {
    require_device_keys(some);
    insert_on(some, on);
}

void filter::insert_on(const keys& some, stream on) {
    require_alignment(some);
    const work now(*this, on);
    now.each_part(some, [&](const work::part& part, stream mine) { now.insert(part, mine); });
}

void filter::answer(const keys& some, device_span<std::uint64_t> bits, stream on, verb what) const {
    require_answers(some, bits.count, words_for(some.count()), "words");
    require_alignment(some);
    const work now(*this, on);
    now.each_part(some, [&](const work::part& part, stream mine) {
        if (what == verb::ask) {
            now.ask(part, bits.data, mine);
        } else {
            now.try_insert(part, bits.data, mine);
        }
    });
}

bitmap filter::answers_of(const keys& some, verb what) const {
    bitmap answers(some.count());
    if (some.count() != 0) {
        const device_array<std::uint64_t> bits(where(), words_for(some.count()));
        and_wait(where(), [&] { answer(some, bits.span(), {}, what); });
        bits.download({answers.data(), bits.count()});
    }
    return answers;
}

bitmap filter::try_insert_many(const keys& some) { return answers_of(some, verb::try_insert); }
void filter::try_insert_many(const keys& some, device_span<std::uint64_t> fresh) {
    and_wait(where(), [&] { answer(some, fresh, {}, verb::try_insert); });
}
void filter::try_insert_many_async(const keys& some, device_span<std::uint64_t> fresh, stream on) {
    require_device_keys(some);
    answer(some, fresh, on, verb::try_insert);
}

bitmap filter::may_contain_many(const keys& some) const { return answers_of(some, verb::ask); }
void filter::may_contain_many(const keys& some, device_span<std::uint64_t> maybe) const {
    and_wait(where(), [&] { answer(some, maybe, {}, verb::ask); });
}
void filter::may_contain_many_async(const keys& some, device_span<std::uint64_t> maybe,
                                    stream on) const {
    require_device_keys(some);
    answer(some, maybe, on, verb::ask);
}

void filter::answer_bytes(const keys& some, device_span<bool> maybe, stream on) const {
    require_answers(some, maybe.count, some.count(), "bytes");
    if (some.count() == 0) {
        return;
    }
    detail::backend& device = *where().backend_;
    const std::uint64_t words = words_for(some.count());
    const detail::borrowed bits(device, words * 8, on);
    answer(some, {bits.at<std::uint64_t>(0), static_cast<std::size_t>(words)}, on, verb::ask);
    device.spread(bits.at<std::uint64_t>(0), some.count(), maybe.data, on);
}

void filter::may_contain_many(const keys& some, device_span<bool> maybe) const {
    and_wait(where(), [&] { answer_bytes(some, maybe, {}); });
}
void filter::may_contain_many_async(const keys& some, device_span<bool> maybe, stream on) const {
    require_device_keys(some);
    answer_bytes(some, maybe, on);
}

std::size_t filter::select(const keys& some, presence which,
                           device_span<std::uint64_t> positions) const {
    require_answers(some, positions.count, some.count(), "positions");
    if (some.count() == 0) {
        return 0;
    }
    detail::backend& device = *where().backend_;
    std::size_t found = 0;
    and_wait(where(), [&] {
        const std::uint64_t words = words_for(some.count());
        const detail::borrowed bits(device, words * 8, {});
        answer(some, {bits.at<std::uint64_t>(0), static_cast<std::size_t>(words)}, {}, verb::ask);
        found = device.select(bits.at<std::uint64_t>(0), some.count(), which == presence::possible,
                              positions.data, {});
    });
    return found;
}

std::size_t filter::copy_keys(const keys& some, presence which, void* copies,
                              std::size_t room) const {
    require_answers(some, room, some.count(), "keys");
    if (some.count() == 0) {
        return 0;
    }
    detail::backend& device = *where().backend_;
    const detail::borrowed positions(device, std::uint64_t{some.count()} * 8, {});
    const std::size_t found = select(some, which, {positions.at<std::uint64_t>(0), some.count()});
    device.gather(some.data(), some.width(), positions.at<std::uint64_t>(0), found, copies, {});
    device.wait({});
    return found;
}

namespace {

void require_one_device(const filter& a, const filter& b, const char* done) {
    if (!(a.where() == b.where())) {
        throw bad_argument("filters on different devices cannot be " + std::string(done) +
                           ": copy one of them with to_host and a filter on the other device");
    }
}

} // namespace

compatibility filter::compatible_with(const filter& other) const {
    return compare(spec(), other.spec());
}

void filter::merge(const filter& other) {
    bloomery::detail::require_compatible(compatible_with(other), "merged");
    require_one_device(*this, other, "merged");
    where().backend_->unite(words(), other.words(), byte_count() / 8, {});
    where().wait();
    design_.intersected = design_.intersected || other.design_.intersected;
}

void filter::intersect(const filter& other) {
    bloomery::detail::require_compatible(compatible_with(other), "intersected");
    require_one_device(*this, other, "intersected");
    where().backend_->intersect(words(), other.words(), byte_count() / 8, {});
    where().wait();
    design_.intersected = true;
}

void filter::clear() {
    where().backend_->zero(words(), byte_count(), {});
    where().wait();
}

std::uint64_t filter::bits_set() const {
    return where().backend_->ones(words(), byte_count() / 8, {});
}

double filter::fill_ratio() const {
    return static_cast<double>(bits_set()) / static_cast<double>(shape_.bit_count);
}

statistics filter::stats() const {
    statistics now = statistics_of(spec(), bits_set());
    now.intersected = design_.intersected;
    return now;
}

struct spec filter::spec() const {
    return {filter_kind::bloom, layout::scheme_id::native, hash_.id(), hash_.seed(), shape_};
}

bloomery::filter filter::to_host() const {
    storage::heap_words<> words(byte_count() / 8);
    memory_.download(std::as_writable_bytes(std::span(words.data(), words.word_count())));
    return {layout::native(shape_), std::move(words), hash_, design_};
}

void filter::save(const std::string& path, if_exists policy) const {
    unwritten made;
    made.header.what = spec();
    made.header.made_for = design_;
    made.words = [this](std::uint64_t first, std::span<std::uint64_t> into) {
        memory_.download(std::as_writable_bytes(into), first * 8);
    };
    (void)bloomery::save(made, path, policy);
}

filter filter::load(const std::string& path, const device& on) {
    const any_filter found = bloomery::load(path);
    try {
        return filter(found, on);
    } catch (const unsupported& refusal) {
        throw unsupported(path + ": " + refusal.what());
    }
}

} // namespace bloomery::inline v0::gpu
