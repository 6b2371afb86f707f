// Any description of keys for the bulk calls of the C interface: it is refused, or its keys are
// inserted and found again. Arrays have the sizes that the description says; what is in them may be
// anything.
#include "input.hpp"

#include <bloomery.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace {

namespace fuzz = bloomery::fuzz;
using fuzz::must;

/// Memory of exactly that many bytes, so that one more is noticed.
std::unique_ptr<std::uint8_t[]> exactly(fuzz::input& from, std::size_t size) {
    auto made = std::make_unique<std::uint8_t[]>(std::max<std::size_t>(size, 1));
    for (std::size_t i = 0; i < size; ++i) made[i] = from.byte();
    return made;
}

std::size_t element_size(std::uint32_t form, std::size_t width) {
    switch (form) {
    case BLOOMERY_KEYS_U32:
    case BLOOMERY_KEYS_I32:
    case BLOOMERY_KEYS_F32:
        return 4;
    case BLOOMERY_KEYS_U16:
    case BLOOMERY_KEYS_I16:
        return 2;
    case BLOOMERY_KEYS_U8:
    case BLOOMERY_KEYS_I8:
        return 1;
    case BLOOMERY_KEYS_VIEWS:
    case BLOOMERY_KEYS_DIGESTS:
        return 16;
    case BLOOMERY_KEYS_FIXED:
        return width;
    default:
        return 8;
    }
}

void ask_again(bloomery_filter* filter, const bloomery_keys& keys, std::uint64_t counted) {
    std::vector<std::uint8_t> bits((keys.count + 7) / 8);
    std::uint64_t maybe = 0;
    must(bloomery_may_contain_many(filter, &keys, bits.data(), &maybe) == BLOOMERY_OK);
    must(maybe == counted);
    for (std::uint64_t i = keys.count; i < 8 * bits.size(); ++i) {
        must((bits[i / 8] >> i % 8 & 1) == 0);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    bloomery_keys keys = bloomery_keys_init();
    keys.form = from.byte() % 17;
    if (keys.form == BLOOMERY_KEYS_SLICES) return 0; // its pointers have to be true
    keys.encoding = from.byte() % 40 < 20 ? 0 : from.byte() % 20;
    keys.count = from.byte() % 100;
    keys.width = from.byte() % 20;
    const std::size_t extra = from.byte() % 8;
    const std::size_t step = element_size(keys.form, keys.width) + extra;
    keys.stride = extra == 0 ? 0 : static_cast<std::int64_t>(step);
    const bool offsets =
        keys.form == BLOOMERY_KEYS_OFFSETS32 || keys.form == BLOOMERY_KEYS_OFFSETS64;
    const std::size_t data_size = offsets ? 1 + from.byte() : keys.count * step;
    const auto ends = exactly(from, (keys.count + 1) * 8);
    const auto validity = exactly(from, (keys.count + 14) / 8);
    const auto buffer = exactly(from, 40);
    const auto elements = exactly(from, data_size);
    const void* const buffers[]{buffer.get()};
    const std::int64_t sizes[]{40};
    keys.data = elements.get();
    keys.data_size = offsets ? data_size : 0;
    keys.offsets = ends.get();
    keys.buffers = buffers;
    keys.buffer_sizes = sizes;
    keys.buffer_count = 1;
    std::uint64_t counted = keys.count;
    if ((extra & 1U) != 0) {
        keys.validity = validity.get();
        keys.validity_offset = from.byte() % 8;
        counted = 0;
        for (std::uint64_t i = 0; i < keys.count; ++i) {
            const std::uint64_t bit = keys.validity_offset + i;
            counted += (validity[bit / 8] >> bit % 8 & 1) != 0 ? 1 : 0;
        }
    }
    bloomery_filter* filter = nullptr;
    must(bloomery_new(1000, 0.01, &filter) == BLOOMERY_OK);
    const bloomery_status status = bloomery_insert_many(filter, &keys);
    must(status == BLOOMERY_OK || status == BLOOMERY_BAD_ARGUMENT);
    if (status == BLOOMERY_OK) ask_again(filter, keys, counted);
    bloomery_close(filter);
    return 0;
}
