#include "keys.hpp"

#include <bloomery/error.hpp>

#include "interruption.hpp"
#include "key_source.hpp"
#include "quoted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace bloomery::cli {

namespace {

// A thread costs about as much as reading this does.
constexpr std::uint64_t worth_a_thread = 4U << 20U;

} // namespace

void key_batch::take(std::span<const std::string_view> records, std::uint64_t first,
                     const key_options& options, const any_filter& hasher) {
    const key_kind kind = options.resolved_kind();
    first_ = first;
    integers_ = gives_integers(kind);
    texts_ = records;
    if (options.format.field) {
        fields_.clear();
        for (const std::string_view record : records) {
            fields_.push_back(key_of(record, options.format));
        }
        texts_ = fields_;
    }
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

// A batch fails as a whole; which key it was shows when they are asked for one by one.
template <class Call>
void key_batch::with_keys(const any_filter& of, Call call) const {
    try {
        if (hashed_) return call(any_filter::digests(digests_));
        integers_ ? call(any_filter::integer_keys(numbers_)) : call(texts_);
    } catch (const no_place& e) {
        const std::size_t count = integers_ ? numbers_.size() : texts_.size();
        for (std::size_t i = 0; i < count; ++i) {
            try {
                static_cast<void>(integers_ ? of.may_contain(numbers_[i])
                                            : of.may_contain(texts_[i]));
            } catch (const no_place& here) {
                throw no_place(fmt::format("record {}: {}", first_ + i, here.what()));
            }
        }
        throw;
    }
}

void key_batch::ask(const any_filter& asked, bitmap& maybe) const {
    with_keys(asked, [&](auto keys) { asked.may_contain_many(keys, maybe); });
}

void key_batch::try_insert(any_filter& into, bitmap& fresh) const {
    with_keys(into, [&](auto keys) { into.try_insert_many(keys, fresh); });
}

void key_batch::erase(any_filter& from, bitmap& erased) const {
    with_keys(from, [&](auto keys) {
        erased.reset(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            erased.set(i, from.erase(keys[i]) != bloomery::status::not_present);
        }
    });
}

void key_batch::count(const any_filter& in, std::vector<std::uint64_t>& counts) const {
    with_keys(in, [&](auto keys) {
        counts.clear();
        for (const auto& key : keys) {
            counts.push_back(in.count(key));
        }
    });
}

// Lengths first, views last: the bytes move while they grow.
void key_batch::encode(key_kind kind, std::uint64_t first) {
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
    std::vector<input> opened;
    opened.reserve(options.inputs.size() + 1);
    for (const std::string& path : options.inputs) {
        opened.push_back(input::open(path));
    }
    if (opened.empty()) opened.push_back(input::open("-"));
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
        record_reader reader(from.fd(), from.name(), options.format.delimiter);
        key_source source(reader, options, hasher, from.size().value_or(0) >= worth_a_thread);
        while (const key_chunk* const chunk = source.next()) {
            if (!work({chunk->records, chunk->keys, !from.size()})) return;
            interruption::check();
            records_done += chunk->records.size();
            line.update(bytes_before + chunk->bytes_read, records_done);
        }
        bytes_before += reader.bytes_read();
    }
}

} // namespace bloomery::cli
