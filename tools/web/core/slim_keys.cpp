// Keys of plain Bloom filters: see slim.cpp.
#include <bloomery/error.hpp>
#include <bloomery/storage/bitmap.hpp>

#include "slim.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

using namespace bloomery;
using web::guarded;

namespace {

std::string_view text_at(const void* key, std::size_t size) {
    return {static_cast<const char*>(key), size};
}

/// Texts laid end to end; JavaScript has checked the offsets.
class texts {
public:
    class iterator {
    public:
        using value_type = std::string_view;
        using difference_type = std::ptrdiff_t;

        iterator() = default;
        iterator(const char* data, const std::uint32_t* offset) : data_(data), offset_(offset) {}
        std::string_view operator*() const { return {data_ + offset_[0], offset_[1] - offset_[0]}; }
        iterator& operator++() {
            ++offset_;
            return *this;
        }
        iterator operator++(int) {
            const iterator before = *this;
            ++offset_;
            return before;
        }
        friend bool operator==(const iterator&, const iterator&) = default;
        friend std::ptrdiff_t operator-(const iterator& a, const iterator& b) {
            return a.offset_ - b.offset_;
        }

    private:
        const char* data_ = nullptr;
        const std::uint32_t* offset_ = nullptr;
    };

    explicit texts(const bloomery_keys& keys)
        : data_(static_cast<const char*>(keys.data)),
          offsets_(static_cast<const std::uint32_t*>(keys.offsets)),
          count_(static_cast<std::size_t>(keys.count)) {}
    [[nodiscard]] iterator begin() const { return {data_, offsets_}; }
    [[nodiscard]] iterator end() const { return {data_, offsets_ + count_}; }
    [[nodiscard]] std::size_t size() const { return count_; }

private:
    const char* data_;
    const std::uint32_t* offsets_;
    std::size_t count_;
};

template <class From, class Call>
void with_integers(const bloomery_keys& keys, std::uint64_t* into, Call call) {
    const auto* const from = static_cast<const From*>(keys.data);
    for (std::size_t i = 0; i < keys.count; ++i) {
        into[i] = static_cast<std::uint64_t>(from[i]);
    }
    call(std::span<const std::uint64_t>(into, static_cast<std::size_t>(keys.count)));
}

/// Calls `call` with a range of the keys, of at most 16,384.
template <class Call>
void with_keys(const bloomery_keys& keys, Call call) {
    const auto count = static_cast<std::size_t>(keys.count);
    if (keys.validity != nullptr) {
        throw unsupported("bloomery/slim takes no validity; import bloomery, or leave out the "
                          "keys that it excludes");
    }
    if (keys.form == BLOOMERY_KEYS_OFFSETS32) {
        return call(texts(keys));
    }
    if (keys.form <= BLOOMERY_KEYS_I64) {
        return call(std::span(static_cast<const std::uint64_t*>(keys.data), count));
    }
    const auto wide = std::make_unique<std::uint64_t[]>(count); // NOLINT: of unknown size
    switch (keys.form) {
    case BLOOMERY_KEYS_U32:
        return with_integers<std::uint32_t>(keys, wide.get(), call);
    case BLOOMERY_KEYS_I32:
        return with_integers<std::int32_t>(keys, wide.get(), call);
    case BLOOMERY_KEYS_U16:
        return with_integers<std::uint16_t>(keys, wide.get(), call);
    case BLOOMERY_KEYS_I16:
        return with_integers<std::int16_t>(keys, wide.get(), call);
    case BLOOMERY_KEYS_U8:
        return with_integers<std::uint8_t>(keys, wide.get(), call);
    default:
        return with_integers<std::int8_t>(keys, wide.get(), call);
    }
}

void put(const bitmap& answers, std::uint8_t* to) {
    std::memcpy(to, answers.words().data(), (answers.bit_count() + 7) / 8);
}

} // namespace

bloomery_status bloomery_insert(bloomery_filter* filter, const void* key, size_t size) {
    filter->value.insert(text_at(key, size));
    return BLOOMERY_OK;
}
bloomery_status bloomery_insert_u64(bloomery_filter* filter, uint64_t key) {
    filter->value.insert(key);
    return BLOOMERY_OK;
}
bloomery_status bloomery_try_insert(bloomery_filter* filter, const void* key, size_t size,
                                    bool* fresh, uint32_t* /*outcome*/) {
    *fresh = filter->value.try_insert(text_at(key, size));
    return BLOOMERY_OK;
}
bloomery_status bloomery_try_insert_u64(bloomery_filter* filter, uint64_t key, bool* fresh,
                                        uint32_t* /*outcome*/) {
    *fresh = filter->value.try_insert(key);
    return BLOOMERY_OK;
}
bloomery_status bloomery_may_contain(const bloomery_filter* filter, const void* key, size_t size,
                                     bool* maybe) {
    *maybe = filter->value.may_contain(text_at(key, size));
    return BLOOMERY_OK;
}
bloomery_status bloomery_may_contain_u64(const bloomery_filter* filter, uint64_t key, bool* maybe) {
    *maybe = filter->value.may_contain(key);
    return BLOOMERY_OK;
}

bloomery_status bloomery_insert_many(bloomery_filter* filter, const bloomery_keys* keys) {
    return guarded(
        [&] { with_keys(*keys, [&](const auto& all) { filter->value.insert_many(all); }); });
}
bloomery_status bloomery_try_insert_many(bloomery_filter* filter, const bloomery_keys* keys,
                                         uint8_t* fresh, uint64_t* /*count*/) {
    return guarded([&] {
        with_keys(*keys, [&](const auto& all) { put(filter->value.try_insert_many(all), fresh); });
    });
}
bloomery_status bloomery_may_contain_many(const bloomery_filter* filter, const bloomery_keys* keys,
                                          uint8_t* maybe, uint64_t* /*count*/) {
    return guarded([&] {
        with_keys(*keys, [&](const auto& all) { put(filter->value.may_contain_many(all), maybe); });
    });
}
