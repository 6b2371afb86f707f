// The calls that go through the kernel in use.
#include "choice.hpp"
#include "ranges.hpp"

namespace bloomery::inline v0 {
namespace kernel {
namespace {

template <verb Verb>
void run(const target_for<Verb>& on, digests keys, std::uint64_t* answers, access who,
         ahead memory) noexcept {
    functions_for(on).template at<Verb>(on.layout, source::hashed, who)(
        on, {keys.data(), nullptr, keys.size(), 0, answers, worth_asking(on, memory)});
}

template <verb Verb>
void run(const target_for<Verb>& on, integers keys, std::uint64_t* answers, access who) noexcept {
    functions_for(on).template at<Verb>(on.layout, source::integers, who)(
        on, {nullptr, keys.keys.data(), keys.keys.size(), keys.seed, answers,
             worth_asking(on, ahead::by_size)});
}

} // namespace

void insert(const target& into, digests keys, access who, ahead memory) noexcept {
    if (has_threads && who == access::shared && insert_by_merging(into, keys)) {
        return;
    }
    run<verb::insert>(into, keys, nullptr, who, memory);
}
void insert(const target& into, integers keys, access who) noexcept {
    if (has_threads && who == access::shared && insert_by_merging(into, keys)) {
        return;
    }
    run<verb::insert>(into, keys, nullptr, who);
}
void try_insert(const target& into, digests keys, std::uint64_t* fresh, access who,
                ahead memory) noexcept {
    run<verb::try_insert>(into, keys, fresh, who, memory);
}
void try_insert(const target& into, integers keys, std::uint64_t* fresh, access who) noexcept {
    run<verb::try_insert>(into, keys, fresh, who);
}
void contains(const const_target& in, digests keys, std::uint64_t* maybe, access who,
              ahead memory) noexcept {
    run<verb::contains>(in, keys, maybe, who, memory);
}
void contains(const const_target& in, integers keys, std::uint64_t* maybe, access who) noexcept {
    run<verb::contains>(in, keys, maybe, who);
}
void mix(integers keys, digest128* into) noexcept {
    in_use().mix.functions(keys.keys.data(), keys.keys.size(), keys.seed, into);
}

insertion counter_nibbles::insert(std::uint64_t* line, std::uint64_t high,
                                  std::uint32_t k) noexcept {
    const line_answer found = in_use().counters.functions->insert(line, high, k);
    return {!found.present, found.stuck ? status::saturated : status::ok};
}
bool counter_nibbles::contains(const std::uint64_t* line, std::uint64_t high,
                               std::uint32_t k) noexcept {
    return in_use().counters.functions->contains(line, high, k).present;
}
status counter_nibbles::erase(std::uint64_t* line, std::uint64_t high, std::uint32_t k) noexcept {
    const line_answer found = in_use().counters.functions->erase(line, high, k);
    if (!found.present) {
        return status::not_present;
    }
    return found.stuck ? status::saturated : status::ok;
}

void insert(const counter_lines& into, digests keys, std::uint64_t* fresh) noexcept {
    in_use().counters.functions->insert_many(into, keys, fresh);
}
void contains(const const_counter_lines& in, digests keys, std::uint64_t* maybe) noexcept {
    in_use().counters.functions->contains_many(in, keys, maybe);
}
void erase(const counter_lines& from, digests keys, std::uint64_t* erased) noexcept {
    in_use().counters.functions->erase_many(from, keys, erased);
}

} // namespace kernel

namespace detail {

const accurate_verbs& verbs_for(const accurate_cut& cut) noexcept {
    return kernel::in_use().accurate.functions->verbs_for(cut);
}

const accurate_asker* asker_for(std::uint64_t blocks, const accurate_cut& cut) noexcept {
    const kernel::accurate_askers* const all = kernel::in_use().accurate_ask.functions;
    const bool suits = cut.block_words == 8 && blocks >> 32U == 0 && cut.hash_count != 0;
    return all != nullptr && suits && cut.hash_count <= all->size() ? &(*all)[cut.hash_count - 1]
                                                                    : nullptr;
}

const dleft_asker* asker_for(std::uint64_t buckets, const dleft_bucket& bucket) noexcept {
    const kernel::dleft_askers* const all = kernel::in_use().dleft.functions;
    if (all == nullptr || buckets >> 32U != 0) {
        return nullptr;
    }
    return bucket.width() <= 16 ? &all->narrow : &all->any;
}

} // namespace detail
} // namespace bloomery::inline v0
