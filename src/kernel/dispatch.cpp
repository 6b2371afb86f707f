#include <bloomery/error.hpp>
#include <bloomery/kernel/kernel.hpp>

#include "table.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace bloomery::inline v0::kernel {

namespace {

#if defined(__wasm_simd128__)
constexpr std::string_view simplest = "wasm_simd"; // see scalar.cpp
#else
constexpr std::string_view simplest = "scalar";
#endif
constexpr std::array<std::string_view, all.size()> names{simplest, "neon", "avx2", "avx512",
                                                         "avx512_vbmi"};

constexpr table scalar_kernel{id::scalar,
                              {id::scalar, &scalar_bulk},
                              {id::scalar, &scalar_one_key},
                              {id::scalar, scalar_mix},
                              {id::scalar, &scalar_counters},
                              {id::scalar, &scalar_accurate},
                              {},
                              {}};

// Each of the others is a simpler kernel, plus what it does better.
#if defined(__aarch64__)
constexpr table neon_kernel = [] {
    table made = scalar_kernel;
    made.which = id::neon;
    made.bulk = {id::neon, &neon_bulk};
    made.one_key = {id::neon, &neon_one_key};
    made.mix = {id::neon, neon_mix};
    return made;
}();
#endif
#if defined(__x86_64__)
constexpr table avx2_kernel{id::avx2,
                            {id::avx2, &avx2_bulk},
                            {id::avx2, &avx2_one_key},
                            {id::avx2, avx2_mix},
                            {id::avx2, &avx2_counters},
                            {id::avx2, &avx2_accurate},
                            {},
                            {id::avx2, &avx2_dleft}};

constexpr table avx2_kernel_without_pdep = [] {
    table made = avx2_kernel;
    made.accurate = {id::avx2, &avx2_accurate_without_pdep};
    return made;
}();

constexpr table avx512_kernel = [] {
    table made = avx2_kernel;
    made.which = id::avx512;
    made.bulk = {id::avx512, &avx512_bulk};
    made.one_key = {id::avx512, &avx512_one_key};
    made.mix = {id::avx512, avx512_mix};
    made.counters = {id::avx512, &avx512_counters};
    return made;
}();

constexpr table avx512_vbmi_kernel = [] {
    table made = avx512_kernel;
    made.which = id::avx512_vbmi;
    made.accurate = {id::avx512_vbmi, &avx512_vbmi_accurate};
    made.accurate_ask = {id::avx512_vbmi, &avx512_vbmi_accurate_ask};
    made.dleft = {id::avx512_vbmi, &avx512_vbmi_dleft};
    return made;
}();

/// Whether the processor executes the instructions that deposit and extract bits in microcode,
/// which takes hundreds of steps.
bool deposits_slowly() noexcept {
    return __builtin_cpu_is("znver1") != 0 || __builtin_cpu_is("znver2") != 0;
}
#endif

/// The kernel of that name on this processor; null if the build or the processor has none.
const table* kernel_of(id which) noexcept {
    switch (which) {
#if defined(__aarch64__)
    case id::neon:
        return &neon_kernel;
#endif
#if defined(__x86_64__)
    case id::avx2:
        if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("bmi") == 0 ||
            __builtin_cpu_supports("bmi2") == 0 || __builtin_cpu_supports("popcnt") == 0) {
            return nullptr;
        }
        return deposits_slowly() ? &avx2_kernel_without_pdep : &avx2_kernel;
    case id::avx512:
        return kernel_of(id::avx2) != nullptr && __builtin_cpu_supports("avx512f") != 0 &&
                       __builtin_cpu_supports("avx512dq") != 0 &&
                       __builtin_cpu_supports("avx512bw") != 0 &&
                       __builtin_cpu_supports("avx512vl") != 0
                   ? &avx512_kernel
                   : nullptr;
    case id::avx512_vbmi:
        return kernel_of(id::avx512) != nullptr && __builtin_cpu_supports("avx512vbmi") != 0 &&
                       __builtin_cpu_supports("avx512vbmi2") != 0 &&
                       __builtin_cpu_supports("gfni") != 0
                   ? &avx512_vbmi_kernel
                   : nullptr;
#endif
    case id::scalar:
        return &scalar_kernel;
    default:
        return nullptr;
    }
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

} // namespace

namespace {

template <layout_kind Kind>
const one_key_functions& chosen() noexcept {
    return (*in_use().one_key.functions)[static_cast<std::size_t>(Kind)];
}

/// Single keys before the kernel is chosen: choose it, then call it.
template <layout_kind Kind>
constexpr one_key_functions first_of() noexcept {
    return {[](const std::uint64_t* block, std::uint64_t high) noexcept {
                return chosen<Kind>().contains(block, high);
            },
            [](std::uint64_t* block, std::uint64_t high) noexcept {
                chosen<Kind>().insert(block, high);
            },
            [](std::uint64_t* block, std::uint64_t high) noexcept {
                return chosen<Kind>().try_insert(block, high);
            },
            [](const std::uint64_t* block, std::uint64_t high, bool* answer) noexcept {
                return chosen<Kind>().contains_at(block, high, answer);
            },
            [](std::uint64_t* block, std::uint64_t high, bool* answer) noexcept {
                return chosen<Kind>().try_insert_at(block, high, answer);
            }};
}

constexpr one_key_table first_one_key = [] {
    one_key_table made{};
    made[static_cast<std::size_t>(layout_kind::split_8x32)] = first_of<layout_kind::split_8x32>();
    made[static_cast<std::size_t>(layout_kind::split_8x64)] = first_of<layout_kind::split_8x64>();
    made[static_cast<std::size_t>(layout_kind::split_16x32)] = first_of<layout_kind::split_16x32>();
    return made;
}();

} // namespace

constinit std::atomic<const table*> current{nullptr};
constinit const one_key_table* one_key_in_use = &first_one_key;

const table& choose_at_first() noexcept {
    const table* found = nullptr;
    const table* const chosen = kernel_of(chosen_at_start());
    const table& kept = current.compare_exchange_strong(found, chosen) ? *chosen : *found;
    // If a thread calls `use` meanwhile, single keys may keep this kernel: the bits are the same.
    __atomic_store_n(&one_key_in_use, kept.one_key.functions, __ATOMIC_RELAXED);
    return kept;
}

std::string_view name_of(id which) noexcept { return names[static_cast<std::size_t>(which)]; }

std::optional<id> named(std::string_view name) noexcept {
    for (const id each : all) {
        if (name_of(each) == name) {
            return each;
        }
    }
    return std::nullopt;
}

bool is_usable(id which) noexcept { return kernel_of(which) != nullptr; }

id best() noexcept {
    id found = id::scalar;
    for (const id each : all) {
        if (is_usable(each)) {
            found = each;
        }
    }
    return found;
}

id active() noexcept { return in_use().which; }

void use(id which) {
    const table* const wanted = kernel_of(which);
    if (wanted == nullptr) {
        throw unsupported("the kernel " + std::string(name_of(which)) +
                          " is not supported by this processor or not in this build");
    }
    current.store(wanted, std::memory_order_relaxed);
    __atomic_store_n(&one_key_in_use, wanted->one_key.functions, __ATOMIC_RELAXED);
}

std::array<family, 7> families() noexcept {
    const table& now = in_use();
    return {{{"bulk", now.bulk.made_for},
             {"one_key", now.one_key.made_for},
             {"mix", now.mix.made_for},
             {"counter_lines", now.counters.made_for},
             {"accurate_update", now.accurate.made_for},
             {"accurate_ask", now.accurate_ask.made_for},
             {"dleft_ask", now.dleft.made_for}}};
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
           (found ? "this processor or build does not support" : "is not a kernel") +
           "; use one of: " + usable;
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

} // namespace bloomery::inline v0::kernel
