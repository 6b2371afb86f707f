// A program that uses the installed library for GPUs, on a GPU if there is one.
#include <bloomery/gpu/filter.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
    using namespace bloomery;
    try {
        std::printf("%s", gpu::device::first().name().c_str());
    } catch (const gpu::no_device& reason) {
        std::printf("%s", reason.what());
    }
    gpu::filter seen(items{1000}, rate{0.01}, gpu::device::any());
    const std::vector<std::uint64_t> keys{1, 2, 3};
    seen.insert_many(keys);
    return seen.may_contain_many(keys).count() == keys.size() ? 0 : 1;
}
