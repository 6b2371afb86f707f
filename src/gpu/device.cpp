#include <bloomery/error.hpp>
#include <bloomery/gpu/device.hpp>
#include <bloomery/gpu/keys.hpp>

#include "backend.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace bloomery::inline v0::gpu {

std::size_t device::count() noexcept { return detail::cuda_count(); }

device device::number(std::size_t which) { return device(detail::cuda_backend(which)); }

device device::processor() {
    static const std::shared_ptr<detail::backend> only = detail::processor_backend();
    return device(only);
}

device device::any() { return count() != 0 ? first() : processor(); }

std::optional<std::size_t> device::number_of(const void* memory) noexcept {
    return detail::cuda_number_of(memory);
}

std::string device::name() const { return backend_->name(); }
bool device::is_gpu() const noexcept { return backend_->is_gpu(); }
memory_size device::memory() const { return backend_->memory(); }
void device::wait(stream on) const { backend_->wait(on); }
void device::release_scratch() const { backend_->release_kept(); }

device_memory::device_memory(device on, std::uint64_t byte_count)
    : device_(std::move(on)), data_(device_.backend_->allocate(byte_count)),
      byte_count_(byte_count) {}

device_memory::~device_memory() {
    if (data_ != nullptr) {
        device_.backend_->release(data_);
    }
}

namespace {

void require_room(std::uint64_t bytes, std::uint64_t at, std::uint64_t room) {
    if (at > room || bytes > room - at) {
        throw bad_argument(std::to_string(bytes) + " bytes at offset " + std::to_string(at) +
                           " do not fit into " + std::to_string(room) +
                           " bytes of device memory: copy fewer, or allocate more");
    }
}

} // namespace

void device_memory::upload(std::span<const std::byte> from, std::uint64_t at) const {
    require_room(from.size(), at, byte_count_);
    device_.backend_->copy_in(static_cast<std::byte*>(data_) + at, from.data(), from.size(), {});
    device_.wait();
}

void device_memory::download(std::span<std::byte> to, std::uint64_t at) const {
    require_room(to.size(), at, byte_count_);
    device_.backend_->copy_out(to.data(), static_cast<const std::byte*>(data_) + at, to.size(), {});
    device_.wait();
}

namespace {

void require_length(std::size_t bytes, std::size_t length) {
    if (length == 0 || bytes % length != 0) {
        throw bad_argument(std::to_string(bytes) + " bytes are not a whole number of records of " +
                           std::to_string(length) + " bytes: check the length");
    }
}

} // namespace

keys keys::records(device_span<const std::byte> bytes, std::size_t length) {
    require_length(bytes.count, length);
    return {kind::record, bytes.data, nullptr, bytes.count / length, length, true};
}

keys keys::records(std::span<const std::byte> bytes, std::size_t length) {
    require_length(bytes.size(), length);
    return {kind::record, bytes.data(), nullptr, bytes.size() / length, length, false};
}

} // namespace bloomery::inline v0::gpu
