// Stands for CUDA in a library that was built without it.
#include <bloomery/gpu/device.hpp>

#include "backend.hpp"

#include <cstddef>
#include <memory>
#include <optional>

namespace bloomery::inline v0::gpu::detail {

std::size_t cuda_count() noexcept { return 0; }

std::optional<std::size_t> cuda_number_of(const void* /*memory*/) noexcept { return {}; }

std::shared_ptr<backend> cuda_backend(std::size_t /*number*/) {
    throw no_device("this library was built without CUDA: build it where nvcc is installed, or use "
                    "device::processor()");
}

} // namespace bloomery::inline v0::gpu::detail
