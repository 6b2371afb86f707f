// What can go wrong between here and a Redis server.
#pragma once

#include <bloomery/error.hpp>
#include <bloomery/storage/bitmap.hpp>

#include <string>
#include <utility>

namespace bloomery::redis {

/// The base of all of them.
class redis_error : public error {
public:
    using error::error;
};

/// No server answered: not there, too slow, or lost in the middle.
class unreachable : public redis_error {
public:
    using redis_error::redis_error;
};

/// A server answered, with an error of its own: no password, no memory, a key of another type.
class refused : public redis_error {
public:
    using redis_error::redis_error;
};

/// There is no such filter, or no longer.
class missing : public redis_error {
public:
    using redis_error::redis_error;
};

/// There is one of that name already.
class exists : public redis_error {
public:
    using redis_error::redis_error;
};

/// A part of the filter is gone, as after an eviction: its answers would deny keys that are in.
class lost : public redis_error {
public:
    using redis_error::redis_error;
};

/// An insert of many keys that did not come to its end. Those whose bit is set are stored, and on
/// as many replicas as was asked for; of the others nothing is known. To insert them again does no
/// harm.
class partly_stored : public unreachable {
public:
    partly_stored(const std::string& sentence, bitmap stored)
        : unreachable(sentence), stored_(std::move(stored)) {}

    /// A bit for each key of the call. O(1).
    [[nodiscard]] const bitmap& stored() const noexcept { return stored_; }

private:
    bitmap stored_;
};

} // namespace bloomery::redis
