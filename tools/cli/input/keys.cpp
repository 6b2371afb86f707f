#include "input/keys.hpp"

#include <bloomery/error.hpp>

#include "input/key_source.hpp"
#include "interruption.hpp"
#include "standard_streams.hpp"
#include "wording.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace bloomery::cli {

namespace {

// A thread costs about as much as reading this does.
constexpr std::uint64_t worth_a_thread = 4U << 20U;

/// Says, once and to a person, that keys of a text file of another system would match nothing.
void tell_of_oddity(std::span<const std::string_view> first, const input& from,
                    const key_options& options) {
    static bool told = false;
    if (told || options.format.crlf || options.format.delimiter != '\n') return;
    const char* const oddity = oddity_of(first);
    if (oddity == nullptr || ::isatty(STDERR_FILENO) != 1) return;
    told = true;
    warn(fmt::format("the lines of {} {}, which becomes part of the key; give --crlf to strip it",
                     from.name(), oddity));
}

template <class Key>
void insert_refused(any_filter& into, const Key& key) {
    try {
        into.insert(key);
    } catch (const no_place&) { // as require_place said
    }
}

} // namespace

void key_batch::take(std::span<const std::string_view> records, std::uint64_t first,
                     const key_options& options, const any_filter& hasher) {
    const key_encoding kind = options.resolved_kind();
    first_ = first;
    integers_ = gives_integers(kind);
    texts_ = records;
    if (options.format.field || options.format.crlf) {
        fields_.clear();
        for (const std::string_view record : records) {
            fields_.push_back(key_of(record, first + fields_.size(), options.format));
        }
        texts_ = fields_;
    }
    spelled_ = texts_;
    if (!integers_) {
        encode(kind, first);
        return hash_for(hasher);
    }
    numbers_.clear();
    for (const std::string_view text : texts_) {
        numbers_.push_back(integer_key(kind, text, first + numbers_.size()));
    }
    hash_for(hasher);
}

void key_batch::hash_for(const any_filter& hasher) {
    hashed_ = hasher.hashes_ahead();
    if (!hashed_) return digests_.clear();
    integers_ ? hasher.digest_many(numbers_, digests_) : hasher.digest_many(texts_, digests_);
}

void unplaceable_keys::add(std::size_t at, std::uint64_t record, std::string_view text,
                           const char* reason) {
    found_in_batch_ = true;
    batch_.set(at);
    if (++count_ == 1) {
        example_ = fmt::format("{} (record {}): {}", in_quotes(text), record, reason);
    }
}

template <class Call>
void key_batch::with_keys(Call call) const {
    if (hashed_) return call(any_filter::digests(digests_));
    integers_ ? call(any_filter::integer_keys(numbers_)) : call(texts_);
}

template <class Call>
void key_batch::noting(std::size_t at, unplaceable_keys& without, Call call) const {
    try {
        call();
    } catch (const no_place& e) {
        without.add(at, first_ + at, spelled_[at], e.what());
    }
}

// A bulk call fails as a whole: halves of it are asked until the keys are found. An original may
// answer for a key without a place, if it stops at a bit before; so does ours.
template <class Keys>
void key_batch::ask_parts(const any_filter& asked, Keys keys, std::size_t first, bitmap& maybe,
                          unplaceable_keys& without) const {
    if (keys.size() == 1) {
        return noting(first, without, [&] {
            bitmap one;
            asked.may_contain_many(keys, one);
            maybe.set(first, one[0]);
        });
    }
    bitmap part;
    bool answered = true;
    try {
        asked.may_contain_many(keys, part);
    } catch (const no_place&) {
        answered = false; // for which of them, the halves will tell
    }
    if (answered) {
        for (std::size_t i = 0; i < keys.size(); ++i) maybe.set(first + i, part[i]);
        return;
    }
    const std::size_t half = keys.size() / 2;
    ask_parts(asked, keys.first(half), first, maybe, without);
    ask_parts(asked, keys.subspan(half), first + half, maybe, without);
}

void key_batch::ask(const any_filter& asked, bitmap& maybe, unplaceable_keys& without) const {
    without.begin_batch(spelled_.size());
    with_keys([&](auto keys) {
        if (!asked.may_lack_places()) return asked.may_contain_many(keys, maybe);
        maybe.reset(keys.size());
        if (!keys.empty()) ask_parts(asked, keys, 0, maybe, without);
    });
}

// A bulk insert would end at a key without a position. Some originals set its first bits before
// they throw, and those bits are in their files: a single insert does the same.
template <class Keys>
void key_batch::insert_placeable(any_filter& into, Keys keys, bitmap& fresh,
                                 unplaceable_keys& without) const {
    std::vector<typename Keys::value_type> placeable;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        noting(i, without, [&] {
            into.require_place(keys[i]);
            placeable.push_back(keys[i]);
        });
        if (without[i]) insert_refused(into, keys[i]);
    }
    bitmap part;
    into.try_insert_many(Keys(placeable), part);
    fresh.reset(keys.size());
    for (std::size_t i = 0, next = 0; i < keys.size(); ++i) {
        if (!without[i]) fresh.set(i, part[next++]);
    }
}

void key_batch::try_insert(any_filter& into, bitmap& fresh, unplaceable_keys& without) const {
    without.begin_batch(spelled_.size());
    with_keys([&](auto keys) {
        if (!into.may_lack_places()) return into.try_insert_many(keys, fresh);
        insert_placeable(into, keys, fresh, without);
    });
}

void key_batch::erase(any_filter& from, bitmap& erased, unplaceable_keys& without) const {
    without.begin_batch(spelled_.size());
    with_keys([&](auto keys) {
        if (!from.may_lack_places()) return from.erase_many(keys, erased);
        erased.reset(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            noting(i, without,
                   [&] { erased.set(i, from.erase(keys[i]) != bloomery::status::not_present); });
        }
    });
}

void key_batch::count(const any_filter& in, std::vector<std::uint64_t>& counts,
                      unplaceable_keys& without) const {
    without.begin_batch(spelled_.size());
    with_keys([&](auto keys) {
        counts.assign(keys.size(), 0);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            noting(i, without, [&] { counts[i] = in.count(keys[i]); });
        }
    });
}

// Lengths first, views last: the bytes move while they grow.
void key_batch::encode(key_encoding kind, std::uint64_t first) {
    const auto is_done = [kind](std::string_view text) { return is_its_own_key(kind, text); };
    if (std::ranges::all_of(texts_, is_done)) return;
    encoded_.clear();
    encoded_.reserve(1); // so that keys without a byte lie somewhere too
    lengths_.clear();
    for (const std::string_view text : texts_) {
        const std::string_view key = encoder_.encode(kind, text, first + lengths_.size());
        encoded_.insert(encoded_.end(), key.begin(), key.end());
        lengths_.push_back(key.size());
    }
    views_.clear();
    const char* at = encoded_.data();
    for (const std::size_t length : lengths_) {
        views_.emplace_back(at, length);
        at += length;
    }
    texts_ = views_;
}

void key_batch::insert_rest(const bitmap& unless, any_filter& into) const {
    std::vector<std::string_view> texts;
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < unless.bit_count(); ++i) {
        if (unless[i]) continue;
        integers_ ? numbers.push_back(numbers_[i]) : texts.push_back(texts_[i]);
    }
    integers_ ? into.insert_many(numbers) : into.insert_many(texts);
}

std::vector<input> open_inputs(const key_options& options) {
    const packing how = options.format.as_is ? packing::kept : packing::undone;
    std::vector<input> opened;
    opened.reserve(options.inputs.size() + 1);
    for (const std::string& path : options.inputs) {
        opened.push_back(input::open(path, how));
    }
    if (opened.empty()) opened.push_back(input::open("-", how));
    return opened;
}

void for_each_batch(std::span<const input> inputs, const key_options& options,
                    const std::string& what, const any_filter& hasher,
                    const std::function<bool(const record_batch&)>& work) {
    std::optional<std::uint64_t> total = 0;
    for (const input& from : inputs) {
        const std::optional<std::uint64_t> size = from.size();
        total = total && size ? std::optional(*total + *size) : std::nullopt;
    }
    progress line(what, total);
    std::uint64_t bytes_before = 0;
    std::uint64_t records_done = 0;
    for (const input& from : inputs) {
        record_reader reader([&from](std::span<char> into) { return from.read(into); }, from.name(),
                             options.format.delimiter);
        key_source source(reader, options, hasher, from.file_bytes().value_or(0) >= worth_a_thread);
        bool is_first = true;
        while (const key_chunk* const chunk = source.next()) {
            if (std::exchange(is_first, false)) tell_of_oddity(chunk->records, from, options);
            if (!work({chunk->records, chunk->keys, !from.file_bytes()})) return;
            interruption::check();
            records_done += chunk->records.size();
            line.update(bytes_before + chunk->bytes_read, records_done);
        }
        bytes_before += reader.bytes_read();
    }
}

} // namespace bloomery::cli
