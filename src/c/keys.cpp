#include "keys.hpp"

#include <bloomery/detail/format/key_choice.hpp>

#include <limits>

namespace bloomery::inline v0::c {

namespace {

const std::byte* moved(const void* base, std::int64_t by) noexcept {
    return static_cast<const std::byte*>(base) + by;
}

/// The size of one element at `data`; 0 for offsets, whose keys have different sizes.
std::int64_t element_size(const bloomery_keys& keys) {
    constexpr std::array<std::int64_t, 16> sizes{
        8, 8, 4, 4, 2, 2, 1, 1, 4, 8, 0, 0, 0, 16, sizeof(bloomery_slice), sizeof(bloomery_digest)};
    if (keys.form != BLOOMERY_KEYS_FIXED) {
        return sizes.at(keys.form);
    }
    if (keys.width > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        throw bad_argument("keys of a fixed width cannot be " + std::to_string(keys.width) +
                           " bytes wide");
    }
    return static_cast<std::int64_t>(keys.width);
}

/// Calls `each(offset from the first, index among the valid keys)`; returns how many are valid.
template <class Each>
std::size_t each_index(const run_place& place, Each each) {
    if (place.valid == nullptr) {
        for (std::size_t i = 0; i < place.count; ++i) {
            each(i, i);
        }
        return place.count;
    }
    std::size_t found = 0;
    for (std::size_t from = 0; from < place.count; from += 64) {
        for (std::uint64_t left = place.valid[from / 64]; left != 0; left &= left - 1) {
            each(from + static_cast<std::size_t>(std::countr_zero(left)), found++);
        }
    }
    return found;
}

/// Calls `encode(i)` for each key of a run. Throws bad_key for one that the encoding does not have.
template <class Encode>
void encode_each(const run_place& place, std::size_t count, Encode encode) {
    std::size_t i = 0;
    try {
        for (; i < count; ++i) {
            encode(i);
        }
    } catch (const bad_argument& why) {
        throw bad_key(place.index_of(i), why.what());
    }
}

template <class Number, class Wide>
std::size_t gather_as(const run_place& place, const void* data, std::int64_t stride, Wide* into) {
    const std::byte* const base = moved(data, static_cast<std::int64_t>(place.first) * stride);
    return each_index(place, [&](std::size_t i, std::size_t to) {
        // Signed numbers keep their sign, as in C++.
        into[to] =
            static_cast<Wide>(load<Number>(moved(base, static_cast<std::int64_t>(i) * stride)));
    });
}

} // namespace

void refuse_offsets(const bloomery_keys& keys, std::uint64_t at, std::int64_t begin,
                    std::int64_t end) {
    const std::string which = "the offsets of key " + std::to_string(at);
    if (begin < 0 || end < begin) {
        throw bad_key(at, which + " are " + std::to_string(begin) + " and " + std::to_string(end) +
                              ": negative, or decreasing");
    }
    if (keys.data_size != 0 && static_cast<std::uint64_t>(end) > keys.data_size) {
        throw bad_key(at, which + " end at " + std::to_string(end) + ", beyond the " +
                              std::to_string(keys.data_size) + " bytes of data");
    }
    throw bad_key(at, "data is a null pointer, and key " + std::to_string(at) + " is not empty");
}

void key_reader::adapt_to(const any_filter& of) {
    const key_encoding needed = format::encoding_for(of, encoding_);
    if (needed != encoding_) {
        encoding_ = needed;
        source_ = source_of();
    }
}

key_reader::key_reader(const bloomery_keys* given)
    : keys_(taken(given, "the description of the keys")),
      encoding_(static_cast<key_encoding>(keys_.encoding)) {
    check_form();
    source_ = source_of();
    const std::int64_t size = element_size(keys_);
    stride_ = keys_.stride != 0 ? keys_.stride : size;
    // No array is longer than half of the addresses, so that no product below overflows.
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto step = std::max<std::uint64_t>(
        {static_cast<std::uint64_t>(stride_ < 0 ? -(stride_ + 1) : stride_) + (stride_ < 0 ? 1 : 0),
         static_cast<std::uint64_t>(size), 8});
    if (keys_.count > most / step || keys_.validity_offset > most - keys_.count) {
        throw bad_argument(std::to_string(keys_.count) +
                           " keys do not fit into memory; check count");
    }
    check_pointers();
}

void key_reader::check_form() const {
    if (keys_.form > BLOOMERY_KEYS_DIGESTS) {
        throw bad_argument("there is no key form with the number " + std::to_string(keys_.form));
    }
    if (name_of(encoding_).empty() || keys_.encoding > BLOOMERY_KEY_ENCODING_F64LE_CANONICAL) {
        throw bad_argument("there is no key encoding with the number " +
                           std::to_string(keys_.encoding));
    }
}

void key_reader::check_pointers() const {
    const bool offsets =
        keys_.form == BLOOMERY_KEYS_OFFSETS32 || keys_.form == BLOOMERY_KEYS_OFFSETS64;
    if (keys_.count == 0) {
        return;
    }
    if (offsets && keys_.offsets == nullptr) {
        refuse_null("offsets");
    }
    // If all keys are empty, there may be no bytes.
    const bool empty = offsets || (keys_.form == BLOOMERY_KEYS_FIXED && keys_.width == 0);
    if (!empty && keys_.data == nullptr) {
        refuse_null("data");
    }
}

bool key_reader::has_integers() const noexcept { return keys_.form <= BLOOMERY_KEYS_I8; }
bool key_reader::has_floats() const noexcept {
    return keys_.form == BLOOMERY_KEYS_F32 || keys_.form == BLOOMERY_KEYS_F64;
}

// An encoding takes strings, integers or floats, and the keys must have that type.
key_reader::source key_reader::source_of() const {
    const bool digests = keys_.form == BLOOMERY_KEYS_DIGESTS;
    const bool texts = !digests && !has_integers() && !has_floats();
    const bool plain = encoding_ == key_encoding::bytes;
    if (plain && has_floats()) {
        throw bad_argument("floating-point numbers are keys only in an encoding, f32le or f64le");
    }
    if (plain) {
        return digests ? source::digests : texts ? source::texts : source::integers;
    }
    const bool of_floats = takes_floats(encoding_);
    const bool of_integers = !of_floats && !takes_texts(encoding_);
    if (texts != takes_texts(encoding_) || has_floats() != of_floats ||
        has_integers() != of_integers) {
        throw bad_argument("the key encoding " + std::string(name_of(encoding_)) + " takes " +
                           (of_floats     ? "floating-point numbers"
                            : of_integers ? "integers"
                                          : "texts") +
                           ", and the keys are of another form");
    }
    return gives_integers(encoding_) ? source::integers : source::encoded;
}

const void* key_reader::in_place() const noexcept {
    const bool words = keys_.form == BLOOMERY_KEYS_U64 || keys_.form == BLOOMERY_KEYS_I64;
    const bool as_is = encoding_ == key_encoding::bytes || encoding_ == key_encoding::integer;
    const bool aligned = reinterpret_cast<std::uintptr_t>(keys_.data) % 8 == 0; // NOLINT
    if (keys_.validity != nullptr || !as_is || !aligned) {
        return nullptr;
    }
    // A bloomery_digest has the layout of digest128: two words, the low one first.
    static_assert(sizeof(digest128) == sizeof(bloomery_digest) &&
                  offsetof(digest128, high) == offsetof(bloomery_digest, high));
    const bool digests = keys_.form == BLOOMERY_KEYS_DIGESTS && stride_ == sizeof(digest128);
    return (words && stride_ == 8) || digests ? keys_.data : nullptr;
}

const std::uint64_t* key_reader::read_validity(std::uint64_t first, std::size_t count,
                                               std::uint64_t* into) const noexcept {
    if (keys_.validity == nullptr) {
        return nullptr;
    }
    std::fill_n(into, (count + 63) / 64, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bit = keys_.validity_offset + first + i;
        const auto valid = static_cast<std::uint64_t>(keys_.validity[bit / 8] >> bit % 8 & 1);
        into[i / 64] |= valid << i % 64;
    }
    return into;
}

std::size_t key_reader::gather(const run_place& place, std::uint64_t* into) const {
    const std::size_t found = gather_plain(place, into);
    if (encoding_ == key_encoding::java_int || encoding_ == key_encoding::java_long) {
        encode_each(place, found, [&](std::size_t i) {
            into[i] = encoded_integer(encoding_, static_cast<std::int64_t>(into[i]));
        });
    }
    return found;
}

std::size_t key_reader::gather_plain(const run_place& place, std::uint64_t* into) const {
    constexpr std::array by_form{
        gather_as<std::uint64_t, std::uint64_t>, gather_as<std::int64_t, std::uint64_t>,
        gather_as<std::uint32_t, std::uint64_t>, gather_as<std::int32_t, std::uint64_t>,
        gather_as<std::uint16_t, std::uint64_t>, gather_as<std::int16_t, std::uint64_t>,
        gather_as<std::uint8_t, std::uint64_t>,  gather_as<std::int8_t, std::uint64_t>};
    return by_form.at(keys_.form)(place, keys_.data, stride_, into);
}

std::size_t key_reader::gather_floats(const run_place& place, double* into) const {
    return keys_.form == BLOOMERY_KEYS_F32 ? gather_as<float>(place, keys_.data, stride_, into)
                                           : gather_as<double>(place, keys_.data, stride_, into);
}

std::size_t key_reader::gather(const run_place& place, digest128* into) const {
    return each_index(place, [&](std::size_t i, std::size_t to) {
        const auto at = static_cast<std::int64_t>(place.first + i);
        const auto found = load<bloomery_digest>(moved(keys_.data, at * stride_));
        into[to] = {found.low, found.high};
    });
}

template <class Offset>
std::size_t key_reader::gather_offsets(const run_place& place, std::string_view* into) const {
    std::size_t at = 0;
    std::size_t found = 0;
    for (const std::string_view text : offset_texts<Offset>(keys_, place)) {
        into[found] = text;
        found += place.has(at++) ? 1U : 0U;
    }
    return found;
}

// Arrow's variable-size binary view: a length, then up to 12 bytes in place, or four of them, the
// number of a buffer and an offset in it.
std::string_view key_reader::view_at(std::uint64_t at) const {
    const std::byte* const view = moved(keys_.data, static_cast<std::int64_t>(at) * stride_);
    const auto size = load<std::int32_t>(view);
    if (size >= 0 && size <= 12) {
        return {reinterpret_cast<const char*>(view + 4), static_cast<std::size_t>(size)}; // NOLINT
    }
    const auto buffer = load<std::int32_t>(view + 8);
    const auto offset = load<std::int32_t>(view + 12);
    const bool there = size > 0 && buffer >= 0 && offset >= 0 && keys_.buffers != nullptr &&
                       keys_.buffer_sizes != nullptr &&
                       static_cast<std::uint64_t>(buffer) < keys_.buffer_count &&
                       keys_.buffers[buffer] != nullptr &&
                       std::int64_t{offset} + size <= keys_.buffer_sizes[buffer];
    if (!there) {
        throw bad_key(at, "the view of key " + std::to_string(at) +
                              " refers to bytes that are not in its buffers");
    }
    return {static_cast<const char*>(keys_.buffers[buffer]) + offset,
            static_cast<std::size_t>(size)};
}

std::size_t key_reader::gather_texts(const run_place& place, std::string_view* into) const {
    const auto each = [&](auto text_at) {
        return each_index(
            place, [&](std::size_t i, std::size_t to) { into[to] = text_at(place.first + i); });
    };
    switch (keys_.form) {
    case BLOOMERY_KEYS_OFFSETS32:
        return gather_offsets<std::int32_t>(place, into);
    case BLOOMERY_KEYS_OFFSETS64:
        return gather_offsets<std::int64_t>(place, into);
    case BLOOMERY_KEYS_VIEWS:
        return each([this](std::uint64_t at) { return view_at(at); });
    case BLOOMERY_KEYS_SLICES:
        return each([this](std::uint64_t at) {
            const auto found =
                load<bloomery_slice>(moved(keys_.data, static_cast<std::int64_t>(at) * stride_));
            if (found.data == nullptr && found.size != 0) {
                throw bad_key(at, "the slice of key " + std::to_string(at) + " is a null pointer");
            }
            return std::string_view(static_cast<const char*>(found.data), found.size);
        });
    default:
        return each([this](std::uint64_t at) {
            const std::byte* const key = moved(keys_.data, static_cast<std::int64_t>(at) * stride_);
            return std::string_view(reinterpret_cast<const char*>(key), keys_.width); // NOLINT
        });
    }
}

std::size_t key_reader::gather(const run_place& place, std::string_view* into) {
    if (source_ == source::texts) {
        return gather_texts(place, into);
    }
    encoded_.clear();
    ends_.clear();
    const auto encode = [&](const auto& keys, std::size_t count) {
        encode_each(place, count, [&](std::size_t i) {
            encoder_.append(encoding_, keys[i], encoded_);
            ends_.push_back(encoded_.size());
        });
    };
    if (has_integers()) {
        std::array<std::uint64_t, run_length> numbers;
        const std::size_t count = gather_plain(place, numbers.data());
        encode(std::bit_cast<std::array<std::int64_t, run_length>>(numbers), count);
    } else if (has_floats()) {
        std::array<double, run_length> numbers;
        const std::size_t count = gather_floats(place, numbers.data());
        encode(numbers, count);
    } else {
        encode(std::span(into, place.count), gather_texts(place, into));
    }
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
        *into++ = std::string_view(encoded_).substr(begin, end - begin);
        begin = end;
    }
    return ends_.size();
}

} // namespace bloomery::inline v0::c
