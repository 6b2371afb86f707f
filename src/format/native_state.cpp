#include <bloomery/hash/xxh3.hpp>

#include "little_endian.hpp"
#include "native_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace bloomery::inline v0::format {

namespace {

// The state is stored twice, in separate sectors: a write that is interrupted by a power failure
// can damage one of them; the other has the previous state.
constexpr std::size_t at_even_state = native_state_start;
constexpr std::size_t at_odd_state = native_state_start + 512;

// Within a record.
enum state_offset : std::size_t {
    state_at_generation = 0,
    state_at_seal = 8,
    state_at_bits_set = 16,
    state_at_boot = 24,
    state_at_reserved = 40,
    state_at_checksum = 56,
    state_bytes = 64,
};

enum seal : std::uint64_t { seal_sealed = 1, seal_open = 2 };

std::size_t place_of(std::uint64_t generation) {
    return generation % 2 == 0 ? at_even_state : at_odd_state;
}

// The header's checksum is the seed: a record copied from another file does not match.
std::uint64_t state_checksum(byte_view page, byte_view record) {
    const auto seed = load<std::uint64_t>(page, native_state_start - 8);
    return hash::xxh3_64{seed}(record.first(state_at_checksum)).value;
}

std::optional<native_state> load_state(byte_view page, std::size_t at) {
    const byte_view record = page.subspan(at, state_bytes);
    const auto seal = load<std::uint64_t>(record, state_at_seal);
    native_state found;
    found.generation = load<std::uint64_t>(record, state_at_generation);
    found.sealed = seal == seal_sealed;
    found.bits_set = load<std::uint64_t>(record, state_at_bits_set);
    std::ranges::copy(record.subspan(state_at_boot, found.boot.size()), found.boot.begin());
    const bool good =
        load<std::uint64_t>(record, state_at_checksum) == state_checksum(page, record) &&
        (seal == seal_sealed || seal == seal_open) && place_of(found.generation) == at &&
        found.generation != 0 && (!found.sealed || found.boot == native_state{}.boot) &&
        all_zero(record.subspan(state_at_reserved, state_at_checksum - state_at_reserved));
    return good ? std::optional(found) : std::nullopt;
}

} // namespace

void store_native_state(std::span<std::byte> page, const native_state& state) {
    std::array<std::byte, state_bytes> record{};
    store(record, state_at_generation, state.generation);
    store(record, state_at_seal, std::uint64_t{state.sealed ? seal_sealed : seal_open});
    store(record, state_at_bits_set, state.bits_set);
    std::ranges::copy(state.boot, record.begin() + state_at_boot);
    store(record, state_at_checksum, state_checksum(page, record));
    std::ranges::copy(record,
                      page.begin() + static_cast<std::ptrdiff_t>(place_of(state.generation)));
}

native_state decode_native_state(byte_view page) {
    std::optional<native_state> even = load_state(page, at_even_state);
    std::optional<native_state> odd = load_state(page, at_odd_state);
    if (!even && !odd) { // a writer may have changed both during our read
        even = load_state(page, at_even_state);
        odd = load_state(page, at_odd_state);
    }
    require(even || odd, "the filter is damaged: neither record of its state matches its "
                         "checksum; restore it from a copy");
    const native_state none{.generation = 0};
    const native_state a = even.value_or(none);
    const native_state b = odd.value_or(none);
    return a.generation > b.generation ? a : b;
}

bool has_only_states(byte_view page) {
    return all_zero(page.subspan(at_even_state + state_bytes,
                                 at_odd_state - at_even_state - state_bytes)) &&
           all_zero(page.subspan(at_odd_state + state_bytes,
                                 native_header_bytes - at_odd_state - state_bytes));
}

} // namespace bloomery::inline v0::format
