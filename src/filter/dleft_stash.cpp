#include <bloomery/filter/dleft_stash.hpp>

#include <algorithm>

namespace bloomery::detail {

const dleft_stash::entry* dleft_stash::find(const dleft_fingerprint& of) const noexcept {
    const auto found = std::ranges::lower_bound(entries_, of, {}, &entry::of);
    return found != entries_.end() && found->of == of ? &*found : nullptr;
}

void dleft_stash::add(const dleft_fingerprint& of, std::uint64_t count) {
    entries_.insert(std::ranges::lower_bound(entries_, of, {}, &entry::of), {of, count});
}

void dleft_stash::remove(const entry* which) noexcept {
    entries_.erase(entries_.begin() + (which - entries_.data()));
}

} // namespace bloomery::detail
