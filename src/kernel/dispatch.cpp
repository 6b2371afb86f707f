#include <bloomery/error.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "table.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace bloomery::kernel {

namespace {

struct entry {
    id which;
    std::string_view name;
    const table* functions; ///< null where this build has none
};

#if defined(__x86_64__)
constexpr const table* of_avx2 = &avx2_table;
constexpr const table* of_avx512 = &avx512_table;
#else
constexpr const table* of_avx2 = nullptr;
constexpr const table* of_avx512 = nullptr;
#endif
#if defined(__aarch64__)
constexpr const table* of_neon = &neon_table;
#else
constexpr const table* of_neon = nullptr;
#endif

constexpr std::array<entry, 4> entries{{
    {id::scalar, "scalar", &scalar_table},
    {id::neon, "neon", of_neon},
    {id::avx2, "avx2", of_avx2},
    {id::avx512, "avx512", of_avx512},
}};

const entry& entry_of(id which) noexcept { return entries[static_cast<std::size_t>(which)]; }

bool processor_has(id which) noexcept {
#if defined(__x86_64__)
    if (which == id::avx2) {
        return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    }
    if (which == id::avx512) {
        return processor_has(id::avx2) && __builtin_cpu_supports("avx512f") != 0 &&
               __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
               __builtin_cpu_supports("avx512vl") != 0;
    }
#endif
    return which == id::scalar || entry_of(which).functions != nullptr;
}

const char* environment() noexcept {
    const char* const said = std::getenv("BLOOMERY_KERNEL");
    return said == nullptr || *said == '\0' ? nullptr : said;
}

id chosen_at_start() noexcept {
    if (const char* const wish = environment()) {
        const auto found = named(wish);
        if (found && is_usable(*found)) {
            return *found;
        }
    }
    return best();
}

std::atomic<id>& current() noexcept {
    static std::atomic<id> which{chosen_at_start()};
    return which;
}

/// The vector kernels multiply block numbers of 32 bits; arrays of 128 GiB and more are left to the
/// plain one.
const table& functions(const target& on) noexcept {
    const bool vast = on.layout != layout_kind::classic && on.block_count >> 32U != 0;
    return *entry_of(vast ? id::scalar : active()).functions;
}

/// Up to this many times the second-level cache, asking ahead costs more than it saves: measured
/// with bench/filter, see docs/performance.md.
constexpr std::uint64_t near_caches = 2;

bool worth_asking(const target& on, ahead memory) noexcept {
    const std::uint64_t bits = on.block_count * plan::facts_of(on.layout).block_bits;
    return memory == ahead::by_size && bits / 8 > near_caches * cache_byte_count();
}

void run(verb what, const target& on, digests keys, std::uint64_t* answers, access who,
         ahead memory) noexcept {
    functions(on).at(on.layout, what, source::hashed, who)(
        on, {keys.data(), nullptr, keys.size(), 0, answers, worth_asking(on, memory)});
}

void run(verb what, const target& on, integers keys, std::uint64_t* answers, access who) noexcept {
    functions(on).at(on.layout, what, source::integers,
                     who)(on, {nullptr, keys.keys.data(), keys.keys.size(), keys.seed, answers,
                               worth_asking(on, ahead::by_size)});
}

} // namespace

std::string_view name_of(id which) noexcept { return entry_of(which).name; }

std::optional<id> named(std::string_view name) noexcept {
    for (const entry& each : entries) {
        if (each.name == name) {
            return each.which;
        }
    }
    return std::nullopt;
}

bool is_usable(id which) noexcept {
    return entry_of(which).functions != nullptr && processor_has(which);
}

id best() noexcept {
    id found = id::scalar;
    for (const id each : all) {
        if (is_usable(each)) {
            found = each;
        }
    }
    return found;
}

id active() noexcept { return current().load(std::memory_order_relaxed); }

void use(id which) {
    if (!is_usable(which)) {
        throw unsupported("the kernel " + std::string(name_of(which)) +
                          " is not for this processor or not in this build");
    }
    current().store(which, std::memory_order_relaxed);
}

std::optional<std::string> environment_complaint() {
    const char* const wish = environment();
    if (wish == nullptr) {
        return std::nullopt;
    }
    const auto found = named(wish);
    if (found && is_usable(*found)) {
        return std::nullopt;
    }
    std::string usable;
    for (const id each : all) {
        if (is_usable(each)) {
            usable += (usable.empty() ? "" : ", ") + std::string(name_of(each));
        }
    }
    return "BLOOMERY_KERNEL is '" + std::string(wish) + "', which " +
           (found ? "this processor or build does not have" : "is not a kernel") +
           "; take one of: " + usable;
}

std::uint64_t cache_byte_count() noexcept {
    static const std::uint64_t bytes = [] {
#ifdef _SC_LEVEL2_CACHE_SIZE
        const long said = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
        const long said = 0;
#endif
        constexpr std::uint64_t usual = 1U << 20U;
        return said > 0 ? static_cast<std::uint64_t>(said) : usual;
    }();
    return bytes;
}

void insert(const target& into, digests keys, access who, ahead memory) noexcept {
    run(verb::insert, into, keys, nullptr, who, memory);
}
void insert(const target& into, integers keys, access who) noexcept {
    run(verb::insert, into, keys, nullptr, who);
}
void try_insert(const target& into, digests keys, std::uint64_t* fresh, access who,
                ahead memory) noexcept {
    run(verb::try_insert, into, keys, fresh, who, memory);
}
void try_insert(const target& into, integers keys, std::uint64_t* fresh, access who) noexcept {
    run(verb::try_insert, into, keys, fresh, who);
}
void contains(const target& in, digests keys, std::uint64_t* maybe, access who,
              ahead memory) noexcept {
    run(verb::contains, in, keys, maybe, who, memory);
}
void contains(const target& in, integers keys, std::uint64_t* maybe, access who) noexcept {
    run(verb::contains, in, keys, maybe, who);
}
void mix(integers keys, digest128* into) noexcept {
    entry_of(active()).functions->mix(keys.keys.data(), keys.keys.size(), keys.seed, into);
}

} // namespace bloomery::kernel
