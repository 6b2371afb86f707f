// Filters on a GPU beside what its memory can do: random accesses to blocks of 32 bytes, and
// copies.
//
// usage: bench_gpu [--keys N] [--rounds R] [--quick] [--part integers|rates|strings|program]
//
// One process, and rounds in which everything takes turns; minima. G keys/s, or TB/s.
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/gpu/filter.hpp>

#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using std::uint32_t;
using std::uint64_t;

void check(cudaError_t code) {
    if (code != cudaSuccess) {
        std::fprintf(stderr, "bench_gpu: %s\n", cudaGetErrorString(code));
        std::exit(1);
    }
}

constexpr unsigned block_threads = 256;
unsigned blocks_for(uint64_t count) {
    return static_cast<unsigned>((count + block_threads - 1) / block_threads);
}
__device__ uint64_t thread_number() { return uint64_t{blockIdx.x} * block_threads + threadIdx.x; }
__device__ uint64_t scrambled(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

__global__ void make_keys(uint64_t* keys, uint64_t count, uint64_t salt) {
    if (const uint64_t i = thread_number(); i < count) {
        keys[i] = scrambled((salt << 40) + i);
    }
}
__global__ void make_offsets(long long* offsets, uint64_t count, unsigned least, unsigned most) {
    // Lengths repeat with a period that is no multiple of anything here, so their sum is known.
    if (const uint64_t i = thread_number(); i <= count) {
        const uint64_t spread = most - least + 1;
        const uint64_t whole = i / spread;
        const uint64_t rest = i % spread;
        offsets[i] = static_cast<long long>(whole * spread * (least + most) / 2 + rest * least +
                                            rest * (rest - 1) / 2);
    }
}
__global__ void make_bytes(uint64_t* words, uint64_t count) {
    if (const uint64_t i = thread_number(); i < count) {
        words[i] = scrambled(i);
    }
}

// What the memory can do: no keys are read, so nothing that reads keys is faster.

__global__ __launch_bounds__(block_threads) void gather(const uint64_t* __restrict__ words,
                                                        uint64_t blocks, uint64_t count,
                                                        uint32_t* answers) {
    const uint64_t i = thread_number();
    if (i >= count) {
        return;
    }
    const auto* const at =
        reinterpret_cast<const ulonglong2*>(words + 4 * __umul64hi(scrambled(i), blocks));
    const ulonglong2 a = at[0];
    const ulonglong2 b = at[1];
    const uint32_t all = __ballot_sync(__activemask(), (a.x & a.y & b.x & b.y) == ~uint64_t{0});
    if (threadIdx.x % 32 == 0) {
        answers[i / 32] = all;
    }
}
__global__ __launch_bounds__(block_threads) void set(uint64_t* words, uint64_t blocks,
                                                     uint64_t count) {
    const uint64_t i = thread_number() / 4;
    if (i < count) {
        atomicOr(reinterpret_cast<unsigned long long*>(
                     words + 4 * __umul64hi(scrambled(i), blocks) + threadIdx.x % 4),
                 uint64_t{1} << (i & 63));
    }
}

struct settings {
    uint64_t keys = 100'000'000;
    unsigned rounds = 5;
    bool quick = false; ///< one layout, and nothing on the processor
    std::string part;   ///< only this one
};

/// The seconds that one call takes, all of its work included.
double seconds(const std::function<void()>& act) {
    check(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    act();
    check(cudaDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct contestant {
    std::string name;
    std::function<void()> act;
    double best = std::numeric_limits<double>::infinity();
};

void race(std::vector<contestant>& all, unsigned rounds) {
    for (contestant& each : all) {
        each.act(); // makes what is made on first use
    }
    for (unsigned round = 0; round < rounds; ++round) {
        for (contestant& each : all) {
            each.best = std::min(each.best, seconds(each.act));
        }
    }
}

void print(const std::string& what, const std::vector<contestant>& all, double amount,
           const char* unit) {
    std::printf("%s", what.c_str());
    for (const contestant& each : all) {
        std::printf(" | %s %.1f", each.name.c_str(), amount / each.best / 1e9);
    }
    std::printf(" %s\n", unit);
    std::fflush(stdout);
}

struct memory {
    explicit memory(const settings& how)
        : device(gpu::device::first()), keys(device, how.keys), others(device, how.keys),
          answers(device, (how.keys + 63) / 64) {
        make_keys<<<blocks_for(how.keys), block_threads>>>(keys.data(), how.keys, 1);
        make_keys<<<blocks_for(how.keys), block_threads>>>(others.data(), how.keys, 2);
        check(cudaDeviceSynchronize());
    }
    gpu::device device;
    gpu::device_array<uint64_t> keys;
    gpu::device_array<uint64_t> others;
    gpu::device_array<uint64_t> answers;
};

plan::shape shape_of(layout_kind layout, uint64_t bytes) {
    return {layout, bytes * 8, plan::facts_of(layout).fixed_hashes};
}

const gpu::tuning direct{gpu::way::direct, gpu::way::direct, {}};

void integers(const settings& how, const memory& at, layout_kind layout, uint64_t mib) {
    const uint64_t bytes = mib << 20U;
    const uint64_t n = how.keys;
    gpu::filter filter(shape_of(layout, bytes), at.device);
    gpu::filter by_key(shape_of(layout, bytes), at.device);
    by_key.tune(direct);
    const std::string title =
        std::string(plan::name_of(layout)) + ", " + std::to_string(mib) + " MiB";

    std::vector<contestant> inserts{
        {"insert", [&] { filter.insert_many(at.keys); }},
        {"direct", [&] { by_key.insert_many(at.keys); }},
        {"atomicOr alone",
         [&] { set<<<blocks_for(4 * n), block_threads>>>(by_key.words(), bytes / 32, n); }},
    };
    race(inserts, how.rounds);
    print(title, inserts, static_cast<double>(n), "G keys/s");

    // As full as it is made for: 16 bits per key, or as many keys as there are.
    const uint64_t in = std::min(n, bytes * 8 / 16);
    filter.clear();
    by_key.clear();
    filter.insert_many(at.keys.span().first(in));
    by_key.insert_many(at.keys.span().first(in));
    std::vector<contestant> queries{
        {"ask", [&] { filter.may_contain_many(at.others, at.answers.span()); }},
        {"direct", [&] { by_key.may_contain_many(at.others, at.answers.span()); }},
        {"gather alone",
         [&] {
             gather<<<blocks_for(n), block_threads>>>(
                 by_key.words(), bytes / 32, n, reinterpret_cast<uint32_t*>(at.answers.data()));
         }},
    };
    race(queries, how.rounds);
    print(title, queries, static_cast<double>(n), "G keys/s");

    std::vector<contestant> tries{
        {"try_insert", [&] { filter.try_insert_many(at.keys, at.answers.span()); }}};
    race(tries, 2);
    print(title, tries, static_cast<double>(n), "G keys/s");
}

void error_rates(const settings& how, const memory& at) {
    for (const layout_kind layout :
         {layout_kind::split_8x32, layout_kind::split_8x64, layout_kind::split_16x32}) {
        const uint64_t n = how.keys / 32 * 32;
        gpu::filter filter(shape_of(layout, n * 2), at.device);
        filter.insert_many(at.keys.span().first(n));
        const bitmap in = filter.may_contain_many(at.keys.span().first(n));
        const bitmap out = filter.may_contain_many(at.others.span().first(n));
        const double p = plan::expected_rate(filter.shape(), items{n});
        std::printf(
            "%s, %llu keys, 16 bits per key: %llu false negatives; rate %.4e, expected %.4e "
            "(%+.1f standard deviations)\n",
            std::string(plan::name_of(layout)).c_str(), static_cast<unsigned long long>(n),
            static_cast<unsigned long long>(n - in.count()),
            static_cast<double>(out.count()) / static_cast<double>(n), p,
            (static_cast<double>(out.count()) - p * static_cast<double>(n)) /
                std::sqrt(p * static_cast<double>(n)));
        std::fflush(stdout);
    }
}

void strings(const settings& how, const memory& at, unsigned least, unsigned most, uint64_t mib) {
    const uint64_t count = std::min<uint64_t>(how.keys, 50'000'000);
    gpu::device_array<std::int64_t> offsets(at.device, count + 1);
    make_offsets<<<blocks_for(count + 1), block_threads>>>(
        reinterpret_cast<long long*>(offsets.data()), count, least, most);
    std::int64_t size = 0;
    check(cudaMemcpy(&size, offsets.data() + count, sizeof size, cudaMemcpyDeviceToHost));
    const gpu::device_array<std::byte> bytes(at.device, static_cast<std::size_t>(size + 7) / 8 * 8);
    make_bytes<<<blocks_for(bytes.count() / 8), block_threads>>>(
        reinterpret_cast<uint64_t*>(bytes.data()), bytes.count() / 8);
    const auto keys = gpu::keys::strings(gpu::device_span<const std::byte>(bytes.span()),
                                         gpu::device_span<const std::int64_t>(offsets.span()));
    gpu::filter filter(shape_of(layout_kind::split_8x32, mib << 20U), at.device);
    gpu::device_array<std::byte> copy(at.device, bytes.count());
    std::vector<contestant> all{{"insert", [&] { filter.insert_many(keys); }},
                                {"ask", [&] { filter.may_contain_many(keys, at.answers.span()); }},
                                {"copy (read and written)", [&] {
                                     check(cudaMemcpyAsync(copy.data(), bytes.data(),
                                                           bytes.count() / 2,
                                                           cudaMemcpyDeviceToDevice));
                                 }}};
    race(all, how.rounds);
    const std::string title = "strings of " + std::to_string(least) + " to " +
                              std::to_string(most) + " bytes, " + std::to_string(mib) + " MiB";
    print(title, all, static_cast<double>(size) / 1000, "TB/s of strings");
    all.pop_back();
    print(title, all, static_cast<double>(count), "G keys/s");
}

void from_program_to_file(const settings& how, const memory& at) {
    const uint64_t n = std::min<uint64_t>(how.keys, 100'000'000);
    std::vector<uint64_t> keys(n);
    at.keys.download(keys);
    const std::string folder = std::filesystem::temp_directory_path().string();
    const std::string here = folder + "/bench-gpu-" + std::to_string(getpid()) + "-here";
    const std::string there = folder + "/bench-gpu-" + std::to_string(getpid()) + "-there";
    for (const layout_kind layout :
         {layout_kind::split_8x32, layout_kind::split_8x64, layout_kind::split_16x32}) {
        const plan::shape shape = plan::for_rate(items{n}, rate{0.01}, layout);
        const design made_for{n, 0.01};
        std::vector<contestant> inserts{
            {"GPU",
             [&] {
                 gpu::filter filter(shape, at.device, native_hash(), made_for);
                 filter.insert_many(keys);
             }},
            {"processor, all cores",
             [&] {
                 bloomery::filter filter(shape, native_hash(), made_for);
                 filter.insert_many(keys, threads{});
             }},
            {"processor, one core",
             [&] {
                 bloomery::filter filter(shape, native_hash(), made_for);
                 filter.insert_many(keys);
             }},
            {"GPU, with its file",
             [&] {
                 gpu::filter filter(shape, at.device, native_hash(), made_for);
                 filter.insert_many(keys);
                 filter.save(there);
             }},
            {"processor, with its file", [&] {
                 bloomery::filter filter(shape, native_hash(), made_for);
                 filter.insert_many(keys, threads{});
                 save(filter, here);
             }}};
        race(inserts, std::min(how.rounds, 3U));
        print("from the program's memory, " + std::string(plan::name_of(layout)), inserts,
              static_cast<double>(n), "G keys/s");
        std::ifstream a(here, std::ios::binary);
        std::ifstream b(there, std::ios::binary);
        const bool same = std::equal(std::istreambuf_iterator<char>(a), {},
                                     std::istreambuf_iterator<char>(b), {});
        std::printf("files of %llu keys: %s\n", static_cast<unsigned long long>(n),
                    same ? "the same" : "DIFFERENT");
    }
    std::filesystem::remove(here);
    std::filesystem::remove(there);
}

settings parse(int count, char** words) {
    settings how;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--quick") {
            how.quick = true;
        } else if (word == "--keys" && i + 1 < count) {
            how.keys = std::max<uint64_t>(std::strtoull(words[++i], nullptr, 10), 1024);
        } else if (word == "--part" && i + 1 < count) {
            how.part = words[++i];
        } else if (word == "--rounds" && i + 1 < count) {
            how.rounds = std::max(1, std::atoi(words[++i]));
        } else {
            std::fprintf(stderr, "usage: bench_gpu [--keys N] [--rounds R] [--quick] "
                                 "[--part integers|rates|strings|program]\n");
            std::exit(2);
        }
    }
    return how;
}

} // namespace

int main(int count, char** words) {
    const settings how = parse(count, words);
    try {
        const memory at(how);
        std::printf("%s, %llu keys, minima of %u rounds\n", at.device.name().c_str(),
                    static_cast<unsigned long long>(how.keys), how.rounds);
        const auto wants = [&](const char* part) { return how.part.empty() || how.part == part; };
        for (const layout_kind layout :
             {layout_kind::split_8x32, layout_kind::split_8x64, layout_kind::split_16x32}) {
            if (!wants("integers") || (how.quick && layout != layout_kind::split_8x32)) {
                continue;
            }
            for (const uint64_t mib : {16U, 128U, 1024U, 4096U}) {
                integers(how, at, layout, mib);
            }
        }
        if (wants("rates")) {
            error_rates(how, at);
        }
        if (wants("strings")) {
            strings(how, at, 20, 40, 16);
            strings(how, at, 60, 100, 16);
            strings(how, at, 60, 100, 128);
        }
        if (wants("program") && !how.quick) {
            from_program_to_file(how, at);
        }
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "bench_gpu: %s\n", failure.what());
        return 1;
    }
    return 0;
}
