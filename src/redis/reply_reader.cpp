#include "reply_reader.hpp"

#include <bloomery/error.hpp>

#include <hiredis/read.h>

#include <new>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

constexpr std::size_t most_elements = std::size_t{1} << 20U;

// hiredis is C: no exception may pass through it. A null pointer tells it that memory ran out.

/// Where a reply is stored: in the array that it belongs to, or on its own.
reply* place_of(const redisReadTask* task) {
    if (task->parent == nullptr) return new (std::nothrow) reply; // NOLINT: hiredis carries it
    auto* const array = static_cast<reply*>(task->parent->obj);
    return &array->elements[static_cast<std::size_t>(task->idx)];
}

template <class Fill>
void* made(const redisReadTask* task, reply::type is, Fill fill) noexcept {
    reply* const here = place_of(task);
    if (here == nullptr) return nullptr;
    try {
        here->is = is;
        fill(*here);
        return here;
    } catch (const std::bad_alloc&) {
        if (task->parent == nullptr) delete here; // NOLINT: as above
        return nullptr;
    }
}

void* make_text(const redisReadTask* task, char* text, std::size_t size) {
    const reply::type is = task->type == REDIS_REPLY_ERROR    ? reply::type::error
                           : task->type == REDIS_REPLY_STATUS ? reply::type::status
                                                              : reply::type::text;
    return made(task, is, [&](reply& here) { here.text.assign(text, size); });
}

/// Its size is an int in some versions of hiredis and a size_t in others.
template <class Size>
void* make_array(const redisReadTask* task, Size size) {
    const auto count = static_cast<std::size_t>(size);
    if (count > most_elements) return nullptr;
    return made(task, reply::type::array, [&](reply& here) { here.elements.resize(count); });
}

void* make_integer(const redisReadTask* task, long long value) {
    return made(task, reply::type::integer, [&](reply& here) { here.integer = value; });
}

void* make_nil(const redisReadTask* task) {
    return made(task, reply::type::nil, [](reply&) {});
}

void release(void* whole) { delete static_cast<reply*>(whole); } // NOLINT: only ever a whole one

redisReplyObjectFunctions functions() {
    redisReplyObjectFunctions made{};
    made.createString = make_text;
    made.createArray = make_array;
    made.createInteger = make_integer;
    made.createNil = make_nil;
    made.freeObject = release;
    return made;
}

} // namespace

void reply_reader::deleter::operator()(redisReader* of) const noexcept { redisReaderFree(of); }

reply_reader::reply_reader() {
    static redisReplyObjectFunctions ours = functions();
    reader_.reset(redisReaderCreateWithFunctions(&ours));
    if (!reader_) throw std::bad_alloc();
}

void reply_reader::feed(std::string_view bytes) {
    if (redisReaderFeed(reader_.get(), bytes.data(), bytes.size()) != REDIS_OK) {
        throw std::bad_alloc();
    }
}

std::optional<reply> reply_reader::next() {
    void* found = nullptr;
    if (redisReaderGetReply(reader_.get(), &found) != REDIS_OK) {
        throw bad_data("this is not an answer of a Redis server: " +
                       std::string(static_cast<const char*>(reader_->errstr)));
    }
    if (found == nullptr) return std::nullopt;
    const std::unique_ptr<reply> whole(static_cast<reply*>(found));
    return std::move(*whole);
}

} // namespace bloomery::inline v0::redis
