// A GPU as a device: memory, streams and copies by the runtime of CUDA; kernels in the other files.
#include "launch.cuh"

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace bloomery::inline v0::gpu {

namespace {

using detail::sorting;
using detail::source;
using detail::target;

/// Work on one GPU by a thread that may use others.
class on_device {
public:
    explicit on_device(int number) {
        cuda::check(cudaGetDevice(&before_), "selecting the device");
        if (before_ != number) {
            cuda::check(cudaSetDevice(number), "selecting the device");
        }
        number_ = number;
    }
    on_device(const on_device&) = delete;
    on_device& operator=(const on_device&) = delete;
    ~on_device() {
        if (before_ != number_) {
            (void)cudaSetDevice(before_);
        }
    }

private:
    int before_ = 0;
    int number_ = 0;
};

/// The same where nothing can be reported.
class on_device_if_possible {
public:
    explicit on_device_if_possible(int number) noexcept
        : changed_(cudaGetDevice(&before_) == cudaSuccess && before_ != number &&
                   cudaSetDevice(number) == cudaSuccess) {}
    on_device_if_possible(const on_device_if_possible&) = delete;
    on_device_if_possible& operator=(const on_device_if_possible&) = delete;
    ~on_device_if_possible() {
        if (changed_) {
            (void)cudaSetDevice(before_);
        }
    }

private:
    int before_ = 0;
    bool changed_;
};

class gpu final : public detail::backend {
public:
    explicit gpu(int number) : number_(number) {
        const on_device here(number_);
        staging_.reserve(8); // so that giving back cannot fail
        cuda::check(cudaGetDeviceProperties(&facts_, number_), "reading its properties");
        cudaMemPoolProps wanted{};
        wanted.allocType = cudaMemAllocationTypePinned;
        wanted.location = {cudaMemLocationTypeDevice, number_};
        cuda::check(cudaMemPoolCreate(&kept_, &wanted), "making a pool of memory");
        std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        cuda::check(cudaMemPoolSetAttribute(kept_, cudaMemPoolAttrReleaseThreshold, &most),
                    "making a pool of memory");
    }
    // The pool ends with the process: at its exit, CUDA may have ended before.

    [[nodiscard]] std::string name() const override { return facts_.name; }
    [[nodiscard]] bool is_gpu() const noexcept override { return true; }
    [[nodiscard]] memory_size memory() const override {
        const on_device here(number_);
        std::size_t free_bytes = 0;
        std::size_t all = 0;
        cuda::check(cudaMemGetInfo(&free_bytes, &all), "reading its free memory");
        std::uint64_t kept = 0;
        std::uint64_t used = 0;
        cuda::check(cudaMemPoolGetAttribute(kept_, cudaMemPoolAttrReservedMemCurrent, &kept),
                    "reading its free memory");
        cuda::check(cudaMemPoolGetAttribute(kept_, cudaMemPoolAttrUsedMemCurrent, &used),
                    "reading its free memory");
        return {all, free_bytes + (kept - used)};
    }
    [[nodiscard]] detail::limits limits() const noexcept override {
        const auto shared = static_cast<std::uint64_t>(facts_.sharedMemPerBlockOptin);
        // Three blocks on a multiprocessor: while one clears or writes its range, others work.
        constexpr std::uint64_t most_range = std::uint64_t{64} << 10U;
        constexpr std::uint64_t large_tile = std::uint64_t{145} << 10U;
        return {std::min(most_range, shared - 2048),
                static_cast<std::uint64_t>(std::max(facts_.l2CacheSize, 1 << 20)),
                shared >= large_tile ? 11U : 8U, shared >= std::uint64_t{96} << 10U ? 16U : 8U,
                shared >= std::uint64_t{96} << 10U};
    }

    [[nodiscard]] void* allocate(std::uint64_t bytes) override {
        const on_device here(number_);
        void* memory = nullptr;
        cudaError_t code = cudaMalloc(&memory, std::max<std::uint64_t>(bytes, 1));
        if (code == cudaErrorMemoryAllocation) { // perhaps it is only kept
            (void)cudaGetLastError();            // or else the next kernel would seem to fail
            release_kept();
            code = cudaMalloc(&memory, std::max<std::uint64_t>(bytes, 1));
        }
        cuda::check(code, amount(bytes).c_str());
        return memory;
    }
    void release(void* memory) noexcept override { (void)cudaFree(memory); }
    [[nodiscard]] void* borrow(std::uint64_t bytes, stream on) override {
        const on_device here(number_);
        void* memory = nullptr;
        cuda::check(cudaMallocFromPoolAsync(&memory, std::max<std::uint64_t>(bytes, 1), kept_,
                                            cuda::of(on)),
                    amount(bytes).c_str());
        return memory;
    }
    void give_back(void* memory, stream on) noexcept override {
        const on_device_if_possible here(number_); // "the default stream" is that of a device
        (void)cudaFreeAsync(memory, cuda::of(on));
    }
    void release_kept() noexcept override {
        const on_device_if_possible here(number_);
        (void)cudaDeviceSynchronize();
        (void)cudaMemPoolTrimTo(kept_, 0);
        const std::lock_guard lock(staging_mutex_);
        for (const staging& each : staging_) {
            (void)cudaFreeHost(each.memory);
        }
        staging_.clear();
    }
    /// Making such memory takes longer than copying a small batch, so a little of it is kept.
    [[nodiscard]] void* allocate_staging(std::uint64_t bytes) override {
        const std::lock_guard lock(staging_mutex_);
        for (auto each = staging_.begin(); each != staging_.end(); ++each) {
            if (each->bytes >= bytes) {
                lent_.push_back(*each);
                staging_.erase(each);
                return lent_.back().memory;
            }
        }
        const on_device here(number_);
        lent_.reserve(lent_.size() + 1);
        void* memory = nullptr;
        if (cudaMallocHost(&memory, std::max<std::uint64_t>(bytes, 1)) != cudaSuccess) {
            (void)cudaGetLastError();
            throw memory_refused("the system cannot provide " + amount(bytes) +
                                 " of memory that the GPU can copy from: free some memory, or copy "
                                 "the keys to the GPU in smaller batches");
        }
        lent_.push_back({memory, bytes});
        return memory;
    }
    void release_staging(void* memory) noexcept override {
        const std::lock_guard lock(staging_mutex_);
        const auto found = std::find_if(lent_.begin(), lent_.end(),
                                        [&](const staging& each) { return each.memory == memory; });
        if (found == lent_.end()) {
            return; // null
        }
        constexpr std::size_t most_kept = 4;
        constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;
        if (found->bytes <= most_bytes && staging_.size() < most_kept &&
            staging_.capacity() >= most_kept) {
            staging_.push_back(*found);
        } else {
            (void)cudaFreeHost(memory);
        }
        lent_.erase(found);
    }
    [[nodiscard]] bool is_staging(const void* memory) const noexcept override {
        cudaPointerAttributes facts{};
        if (cudaPointerGetAttributes(&facts, memory) != cudaSuccess) {
            (void)cudaGetLastError();
            return false;
        }
        return facts.type == cudaMemoryTypeHost;
    }

    [[nodiscard]] stream make_stream() override {
        const on_device here(number_);
        cudaStream_t made = nullptr;
        cuda::check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "making a stream");
        return {made};
    }
    void end_stream(stream of) noexcept override {
        (void)cudaStreamSynchronize(cuda::of(of));
        (void)cudaStreamDestroy(cuda::of(of));
    }
    void wait(stream on) override {
        const on_device here(number_);
        cuda::check(cudaStreamSynchronize(cuda::of(on)), "waiting for its work");
    }

    void copy_in(void* to, const void* from, std::uint64_t bytes, stream on) override {
        transfer(to, from, bytes, cudaMemcpyHostToDevice, on);
    }
    void copy_out(void* to, const void* from, std::uint64_t bytes, stream on) override {
        transfer(to, from, bytes, cudaMemcpyDeviceToHost, on);
    }
    void copy(void* to, const void* from, std::uint64_t bytes, stream on) override {
        transfer(to, from, bytes, cudaMemcpyDeviceToDevice, on);
    }
    void zero(void* memory, std::uint64_t bytes, stream on) override {
        const on_device here(number_);
        cuda::check(cudaMemsetAsync(memory, 0, bytes, cuda::of(on)), "clearing memory");
    }

    void hash(const keys& strings, std::uint64_t base, std::uint64_t mean_bytes,
              const detail::mixer& mix, void* digests, stream on) override {
        const on_device here(number_);
        cuda::hash(strings, base, mean_bytes, mix, digests, cuda::of(on));
    }
    void insert_strings(const target& into, const keys& strings, std::uint64_t base,
                        std::uint64_t mean_bytes, const detail::mixer& mix, stream on) override {
        const on_device here(number_);
        cuda::insert_strings(into, strings, base, mean_bytes, mix.seed, cuda::of(on));
    }
    void ask_strings(const target& of, const keys& strings, std::uint64_t base,
                     std::uint64_t mean_bytes, const detail::mixer& mix, std::uint64_t* maybe,
                     stream on) override {
        const on_device here(number_);
        cuda::ask_strings(of, strings, base, mean_bytes, mix.seed, maybe, cuda::of(on));
    }
    void insert(const target& into, const source& keys, stream on) override {
        const on_device here(number_);
        cuda::insert(into, keys, cuda::of(on));
    }
    void try_insert(const target& into, const source& keys, std::uint64_t* fresh,
                    stream on) override {
        const on_device here(number_);
        cuda::try_insert(into, keys, fresh, cuda::of(on));
    }
    void ask(const target& of, const source& keys, std::uint64_t* maybe, stream on) override {
        const on_device here(number_);
        cuda::ask(of, keys, maybe, cuda::of(on));
    }
    void sort(const target& into, const source& keys, const sorting& by, stream on) override {
        const on_device here(number_);
        cuda::sort(into, keys, by, cuda::of(on));
    }
    void insert_sorted(const target& into, const sorting& by, bool wide, bool shared,
                       stream on) override {
        const on_device here(number_);
        cuda::insert_sorted(into, by, wide, shared, cuda::of(on));
    }
    void ask_sorted(const target& of, const sorting& by, bool wide, std::uint32_t* answers,
                    stream on) override {
        const on_device here(number_);
        cuda::ask_sorted(of, by, wide, answers, cuda::of(on));
    }
    void collect(const target& of, const source& keys, const sorting& by,
                 const std::uint32_t* answers, std::uint64_t* maybe, stream on) override {
        const on_device here(number_);
        cuda::collect(of, keys, by, answers, maybe, cuda::of(on));
    }
    void unite(std::uint64_t* words, const std::uint64_t* with, std::uint64_t count,
               stream on) override {
        const on_device here(number_);
        cuda::unite(words, with, count, cuda::of(on));
    }
    void intersect(std::uint64_t* words, const std::uint64_t* with, std::uint64_t count,
                   stream on) override {
        const on_device here(number_);
        cuda::intersect(words, with, count, cuda::of(on));
    }
    [[nodiscard]] std::uint64_t ones(const std::uint64_t* words, std::uint64_t count,
                                     stream on) override {
        const on_device here(number_);
        const detail::borrowed total(*this, sizeof(std::uint64_t), on);
        std::uint64_t found = 0;
        zero(total.data(), sizeof found, on);
        cuda::add_ones(words, count, total.at<std::uint64_t>(0), cuda::of(on));
        copy_out(&found, total.data(), sizeof found, on);
        wait(on);
        return found;
    }
    void spread(const std::uint64_t* bits, std::uint64_t count, bool* answers, stream on) override {
        const on_device here(number_);
        cuda::spread(bits, count, answers, cuda::of(on));
    }
    [[nodiscard]] std::uint64_t select(const std::uint64_t* bits, std::uint64_t count, bool which,
                                       std::uint64_t* positions, stream on) override {
        const on_device here(number_);
        const std::uint64_t words = cuda::select_scratch(count);
        const detail::borrowed scratch(*this, words * 8, on);
        std::uint64_t found = 0;
        cuda::select(bits, count, which, positions, scratch.at<std::uint64_t>(0), cuda::of(on));
        copy_out(&found, scratch.at<std::uint64_t>(8 * (words - 1)), sizeof found, on);
        wait(on);
        return found;
    }
    void gather(const void* values, std::uint64_t width, const std::uint64_t* positions,
                std::uint64_t count, void* copies, stream on) override {
        const on_device here(number_);
        cuda::gather(values, width, positions, count, copies, cuda::of(on));
    }

private:
    static std::string amount(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

    void transfer(void* to, const void* from, std::uint64_t bytes, cudaMemcpyKind kind,
                  stream on) const {
        if (bytes != 0) {
            const on_device here(number_);
            cuda::check(cudaMemcpyAsync(to, from, bytes, kind, cuda::of(on)), "copying memory");
        }
    }

    struct staging {
        void* memory;
        std::uint64_t bytes;
    };

    int number_;
    cudaDeviceProp facts_{};
    cudaMemPool_t kept_ = nullptr;
    std::mutex staging_mutex_;
    std::vector<staging> staging_; ///< kept
    std::vector<staging> lent_;
};

} // namespace

namespace detail {

namespace {

/// Turing or later, with pools of memory.
bool can_be_used(int number) noexcept {
    int major = 0;
    int minor = 0;
    int pools = 0;
    return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, number) ==
               cudaSuccess &&
           cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, number) ==
               cudaSuccess &&
           cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, number) == cudaSuccess &&
           10 * major + minor >= 75 && pools != 0;
}

/// The numbers that CUDA has for the GPUs that can be used, and why there is none.
std::vector<int> usable(std::string& reason) {
    int count = 0;
    std::vector<int> found;
    if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
        (void)cudaGetLastError();
        reason = cudaGetErrorString(code);
        return found;
    }
    reason = count == 0 ? "there is none" : "those that there are are older than Turing";
    for (int number = 0; number < count; ++number) {
        if (can_be_used(number)) {
            found.push_back(number);
        }
    }
    return found;
}

} // namespace

std::size_t cuda_count() noexcept {
    try {
        std::string reason;
        return usable(reason).size();
    } catch (...) {
        return 0;
    }
}

std::optional<std::size_t> cuda_number_of(const void* memory) noexcept {
    try {
        std::string reason;
        const std::vector<int> all = usable(reason);
        cudaPointerAttributes facts{};
        if (all.empty() || cudaPointerGetAttributes(&facts, memory) != cudaSuccess) {
            (void)cudaGetLastError();
            return {};
        }
        const auto found = std::find(all.begin(), all.end(), facts.device);
        return facts.type == cudaMemoryTypeDevice && found != all.end()
                   ? std::optional(static_cast<std::size_t>(found - all.begin()))
                   : std::nullopt;
    } catch (...) {
        return {};
    }
}

std::shared_ptr<backend> cuda_backend(std::size_t number) {
    static std::mutex one_at_a_time;
    static std::vector<std::shared_ptr<backend>>& made =
        *new std::vector<std::shared_ptr<backend>>; // never destroyed: filters may live longer
    std::string reason;
    const std::vector<int> all = usable(reason);
    if (all.empty()) {
        throw no_device("no GPU can be used: " + reason +
                        "; check that nvidia-smi shows one, or use device::processor()");
    }
    if (number >= all.size()) {
        throw bad_argument("there is no GPU number " + std::to_string(number) +
                           ": they are numbered from 0, and there are " +
                           std::to_string(all.size()));
    }
    const std::lock_guard lock(one_at_a_time);
    made.resize(std::max(made.size(), number + 1));
    if (!made[number]) {
        made[number] = std::make_shared<gpu>(all[number]);
    }
    return made[number];
}

} // namespace detail

} // namespace bloomery::inline v0::gpu
