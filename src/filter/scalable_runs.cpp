// Scalable filters, many keys at once: a run of keys goes through one layer after another.
#include <bloomery/filter/require_room.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/hash/part.hpp>
#include <bloomery/kernel/bulk.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery {

namespace {

/// The keys of a run that no layer has claimed so far.
class unclaimed_keys {
public:
    explicit unclaimed_keys(std::span<const digest128> run) noexcept
        : run_(run), count_(run.size()) {
        for (std::size_t i = 0; i < count_; ++i) {
            places_[i] = static_cast<std::uint16_t>(i);
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return count_; }
    /// Where key i stands in the run.
    [[nodiscard]] std::size_t place(std::size_t i) const noexcept { return places_[i]; }

    /// Their digests, as layer `at` takes them. Valid until the next call.
    [[nodiscard]] kernel::digests for_layer(std::size_t at) noexcept {
        if (at == 0 && count_ == run_.size()) {
            return run_;
        }
        for (std::size_t i = 0; i < count_; ++i) {
            digests_[i] = hash::digest_for_part(run_[places_[i]], at);
        }
        return {digests_.data(), count_};
    }

    /// Asks a layer, and keeps those that it denies.
    void keep_denied(const detail::scalable_layer& by, std::size_t at) noexcept {
        std::array<std::uint64_t, most / 64> claimed;
        kernel::contains(by.target(), for_layer(at), claimed.data());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            places_[kept] = places_[i];
            kept += ~claimed[i / 64] >> (i % 64) & 1;
        }
        count_ = kept;
    }

private:
    static constexpr std::size_t most = 512;

    std::span<const digest128> run_;
    std::size_t count_;
    std::array<std::uint16_t, most> places_;
    std::array<digest128, most> digests_;
};

void clear_answers(std::uint64_t* bits, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; i += 64) {
        bits[i / 64] = 0;
    }
}

void set_answer(std::uint64_t* bits, std::size_t at) noexcept {
    bits[at / 64] |= std::uint64_t{1} << (at % 64);
}

} // namespace

void scalable_filter::ask_run(std::span<const digest128> run, std::uint64_t* maybe) const noexcept {
    if (layers_.size() == 1) {
        return kernel::contains(layers_.front().target(), run, maybe);
    }
    unclaimed_keys left(run);
    for (std::size_t at = layers_.size(); at-- > 0 && left.count() != 0;) {
        left.keep_denied(layers_[at], at);
    }
    for (std::size_t i = 0; i < run.size(); i += 64) {
        const std::size_t count = run.size() - i;
        maybe[i / 64] = count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    }
    for (std::size_t i = 0; i < left.count(); ++i) {
        maybe[left.place(i) / 64] &= ~(std::uint64_t{1} << (left.place(i) % 64));
    }
}

// As long as the newest layer surely has room for all keys of a run, it can take them in one call:
// it adds them in their order, and tells which were new.
void scalable_filter::insert_run(std::span<const digest128> run, std::uint64_t* fresh) {
    clear_answers(fresh, run.size());
    if (layers_.empty() || layers_.back().is_full() || layers_.back().room() < run.size()) {
        for (std::size_t i = 0; i < run.size(); ++i) {
            if (detail::require_room(insert(run[i]))) {
                set_answer(fresh, i);
            }
        }
        return;
    }
    unclaimed_keys left(run);
    const std::size_t newest = layers_.size() - 1;
    for (std::size_t at = newest; at-- > 0 && left.count() != 0;) {
        left.keep_denied(layers_[at], at);
    }
    std::array<std::uint64_t, longest_run / 64> added;
    kernel::try_insert(layers_[newest].target(), left.for_layer(newest), added.data());
    std::uint64_t taken = 0;
    for (std::size_t i = 0; i < left.count(); ++i) {
        if ((added[i / 64] >> (i % 64) & 1) != 0) {
            set_answer(fresh, left.place(i));
            ++taken;
        }
    }
    layers_[newest].take(taken);
}

} // namespace bloomery
