// Many keys: arrays (the buffer protocol, as of numpy), Arrow arrays and streams, and any iterable
// of Python objects.
#pragma once

#include "object.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bloomery_python {

/// Answers for keys that arrive in pieces of any size: bit i % 8 of byte i / 8 belongs to key i.
class bitmap {
public:
    /// Appends that many bits. `fill` is called with where to write them, starting at bit 0 of a
    /// byte.
    template <class Fill>
    auto append(std::uint64_t count, Fill fill) {
        const std::size_t bytes = static_cast<std::size_t>((count + 7) / 8);
        if (count_ % 8 == 0) {
            bytes_.resize(static_cast<std::size_t>(count_ / 8) + bytes);
            count_ += count;
            return fill(bytes_.data() + bytes_.size() - bytes);
        }
        piece_.resize(bytes);
        auto result = fill(piece_.data());
        const unsigned shift = count_ % 8;
        for (const std::uint8_t each : piece_) { // the bits past the last are 0
            bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | each << shift);
            bytes_.push_back(static_cast<std::uint8_t>(each >> (8 - shift)));
        }
        count_ += count;
        bytes_.resize(static_cast<std::size_t>((count_ + 7) / 8));
        return result;
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
    [[nodiscard]] const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint8_t> piece_;
    std::uint64_t count_ = 0;
};

/// What is done with keys, a piece at a time.
class keys_user {
public:
    virtual ~keys_user() = default;
    /// Uses some keys. If `releasable`, no Python object need be looked at meanwhile, and they are
    /// many. Returns false if an exception is set.
    virtual bool use(const bloomery_keys& keys, bool releasable) = 0;
    /// Whether the keys' encoding makes bytes of floating-point numbers.
    [[nodiscard]] virtual bool takes_floats() const { return false; }
};

/// Passes all keys of an object to a user, in order. Returns false if an exception is set; the keys
/// before the one that it is about have been used. Throws std::bad_alloc.
bool for_all_keys(PyObject* keys, PyObject* hash, keys_user& user);

/// The same for an iterable of Python objects: objects.cpp.
bool for_all_objects(PyObject* keys, PyObject* hash, keys_user& user);

/// The bytes of an Arrow view: in the view, or in a buffer. Returns false with an exception set if
/// there are no such bytes.
bool slice_of_view(const bloomery_keys& keys, const void* view, bloomery_slice& slice) noexcept;

/// The keys from `begin` to before `end`.
bloomery_keys part_of(const bloomery_keys& keys, std::uint64_t begin, std::uint64_t end) noexcept;

} // namespace bloomery_python
