#include <bloomery/detail/filter/exception_list.hpp>
#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/error.hpp>

#include "restoring.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace bloomery::inline v0 {

namespace {

// The first word of an entry: four times its bytes, and these.
constexpr std::uint64_t is_dead_flag = 1;
constexpr std::uint64_t is_number_flag = 2;

constexpr std::uint64_t keeps_fingerprints = 1;
constexpr std::uint64_t evicts = 2;
constexpr std::size_t list_record_words = 7;

constexpr std::size_t fingerprint_bytes = 16;

void require_list(bool good, const char* fault) {
    require_sound(good, "list of exceptions", fault);
}

std::uint64_t head_for(listed_key stored) noexcept {
    return 4 * stored.bytes.size() + (stored.is_number ? is_number_flag : 0);
}

/// The size of an entry with that many bytes in it: whole words.
std::size_t entry_bytes(std::uint64_t content) noexcept { return 8 + (content + 7) / 8 * 8; }

} // namespace

class exception_list::stored_form {
public:
    stored_form(const exception_list& list, listed_key key) noexcept : form_(key) {
        if (list.options_.fingerprints) {
            // Integers use another secret, because they are different keys from their bytes.
            const hash::sip_key secret{list.key_.k0 ^ (key.is_number ? 1 : 0), list.key_.k1};
            const digest128 print = hash::siphash_128<1, 3>(key.bytes, secret);
            hash::store_le64(print_.data(), print.low);
            hash::store_le64(print_.data() + 8, print.high);
            form_ = {print_, false};
        }
    }
    stored_form(const stored_form&) = delete;
    stored_form& operator=(const stored_form&) = delete;
    ~stored_form() = default;

    [[nodiscard]] listed_key value() const noexcept { return form_; }

private:
    std::array<std::byte, fingerprint_bytes> print_{};
    listed_key form_;
};

exception_list::exception_list(const exception_options& options)
    : options_(options), key_(options.key ? *options.key : hash::random_key()) {}

std::uint64_t exception_list::hash_of(listed_key stored) const noexcept {
    return hash::siphash_64<1, 3>(stored.bytes, key_) ^ (stored.is_number ? 1 : 0);
}

std::uint64_t exception_list::head(std::size_t at) const noexcept {
    return hash::load_le64(entries_.data() + at);
}

std::size_t exception_list::after(std::size_t at) const noexcept {
    return at + entry_bytes(head(at) / 4);
}

listed_key exception_list::entry(std::size_t at) const noexcept {
    return {byte_view(entries_).subspan(at + 8, head(at) / 4), (head(at) & is_number_flag) != 0};
}

bool exception_list::is_dead(std::size_t at) const noexcept {
    return (head(at) & is_dead_flag) != 0;
}

std::optional<std::size_t> exception_list::find(listed_key stored) const noexcept {
    if (slots_.empty()) {
        return std::nullopt;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash_of(stored) & mask; slots_[i] != 0; i = (i + 1) & mask) {
        const std::size_t at = slots_[i] - 1;
        if (head(at) == head_for(stored) && std::ranges::equal(entry(at).bytes, stored.bytes)) {
            return at; // the head of a dead one is another
        }
    }
    return std::nullopt;
}

bool exception_list::contains(listed_key key) const noexcept {
    return live_ != 0 && find(stored_form(*this, key).value()).has_value();
}

status exception_list::add(listed_key key) { return add_stored(stored_form(*this, key).value()); }

status exception_list::add_stored(listed_key stored) {
    if (find(stored)) {
        return status::ok;
    }
    if (live_ >= options_.most_entries) {
        if (!options_.evict_oldest || live_ == 0) {
            ++refused_;
            return status::full;
        }
        kill_oldest();
    }
    append(stored);
    return status::ok;
}

void exception_list::append(listed_key stored) {
    make_room();
    const std::size_t at = entries_.size();
    entries_.resize(at + entry_bytes(stored.bytes.size()));
    hash::store_le64(entries_.data() + at, head_for(stored));
    std::ranges::copy(stored.bytes, entries_.begin() + static_cast<std::ptrdiff_t>(at + 8));
    ++live_;
    index(at);
}

/// Keeps a quarter of the slots free, counting dead entries in; drops these when it needs room.
void exception_list::make_room() {
    if (4 * (live_ + dead_ + 1) <= 3 * slots_.size()) {
        return;
    }
    slots_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * (live_ + 1))), 0);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < entries_.size();) {
        const std::size_t next = after(at);
        if (!is_dead(at)) {
            std::copy(entries_.begin() + static_cast<std::ptrdiff_t>(at),
                      entries_.begin() + static_cast<std::ptrdiff_t>(next),
                      entries_.begin() + static_cast<std::ptrdiff_t>(kept));
            index(kept);
            kept += next - at;
        }
        at = next;
    }
    entries_.resize(kept);
    dead_ = 0;
    oldest_ = 0;
}

void exception_list::index(std::size_t at) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash_of(entry(at)) & mask;
    while (slots_[i] != 0) {
        i = (i + 1) & mask;
    }
    slots_[i] = at + 1;
}

void exception_list::kill(std::size_t at) noexcept {
    hash::store_le64(entries_.data() + at, head(at) | is_dead_flag);
    ++dead_;
    --live_;
}

void exception_list::kill_oldest() noexcept {
    while (is_dead(oldest_)) { // one of them lives, or the list would not be full
        oldest_ = after(oldest_);
    }
    kill(oldest_);
}

bool exception_list::erase(listed_key key) noexcept {
    if (live_ == 0) {
        return false;
    }
    const auto at = find(stored_form(*this, key).value());
    if (at) {
        kill(*at);
    }
    return at.has_value();
}

void exception_list::clear() noexcept {
    entries_.clear();
    slots_.clear();
    oldest_ = 0;
    live_ = dead_ = refused_ = 0;
}

bool exception_list::comparable_with(const exception_list& other) const noexcept {
    return options_.fingerprints == other.options_.fingerprints &&
           (!options_.fingerprints || key_ == other.key_);
}

exception_list exception_list::in_union_with(const exception_list& other, const question& claims,
                                             const question& other_claims) const {
    exception_list made = *this;
    made.entries_.clear();
    made.slots_.clear();
    made.oldest_ = 0;
    made.live_ = made.dead_ = 0;
    const auto keep = [&made](const exception_list& from, const exception_list& counterpart,
                              const question& counterpart_claims) {
        for (std::size_t at = 0; at < from.entries_.size(); at = from.after(at)) {
            const listed_key one = from.entry(at);
            if (!from.is_dead(at) && (counterpart.find(one) ||
                                      (!from.options_.fingerprints && !counterpart_claims(one)))) {
                made.add_stored(one);
            }
        }
    };
    keep(*this, other, other_claims);
    keep(other, *this, claims);
    return made;
}

exception_list exception_list::in_intersection_with(const exception_list& other) const {
    exception_list made = *this;
    for (std::size_t at = 0; at < other.entries_.size(); at = other.after(at)) {
        if (!other.is_dead(at)) {
            made.add_stored(other.entry(at));
        }
    }
    return made;
}

std::vector<std::uint64_t> exception_list::saved(filter_kind inner) const {
    const std::uint64_t flags =
        (options_.fingerprints ? keeps_fingerprints : 0) | (options_.evict_oldest ? evicts : 0);
    std::vector<std::uint64_t> words{0,        static_cast<std::uint64_t>(inner),
                                     flags,    options_.most_entries,
                                     refused_, options_.fingerprints ? hash::key_check(key_) : 0,
                                     live_};
    for (std::size_t at = 0; at < entries_.size(); at = after(at)) {
        for (std::size_t i = at; i < after(at) && !is_dead(at); i += 8) {
            words.push_back(hash::load_le64(entries_.data() + i));
        }
    }
    words[0] = words.size();
    return words;
}

void exception_list::restore_entries(std::span<const std::uint64_t> words, std::uint64_t count) {
    require_list(count <= options_.most_entries && count <= words.size(),
                 "it has too many entries");
    entries_.reserve(words.size_bytes());
    std::vector<std::byte> bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
        require_list(!words.empty(), "it is truncated");
        const std::uint64_t length = words[0] / 4;
        const bool is_number = (words[0] & is_number_flag) != 0;
        require_list((words[0] & is_dead_flag) == 0 && length <= words.size_bytes() - 8 &&
                         (!is_number || length == 8) &&
                         (!options_.fingerprints || (length == fingerprint_bytes && !is_number)),
                     "the length of an entry is wrong");
        const std::size_t size = entry_bytes(length) / 8;
        bytes.resize(8 * (size - 1));
        for (std::size_t at = 1; at < size; ++at) {
            hash::store_le64(bytes.data() + 8 * (at - 1), words[at]);
        }
        const byte_view all(bytes);
        require_list(
            std::ranges::all_of(all.subspan(length), [](auto one) { return one == std::byte{0}; }),
            "an entry is longer than it says");
        const listed_key one{all.first(length), is_number};
        require_list(!find(one), "an entry occurs twice");
        append(one);
        words = words.subspan(size);
    }
    require_list(words.empty(), "there is data after its last entry");
}

exception_list exception_list::restored(std::span<const std::uint64_t> words,
                                        std::optional<hash::sip_key> key) {
    require_list(words.size() >= list_record_words && words[0] == words.size(),
                 "its length is wrong");
    if (words[2] > (keeps_fingerprints | evicts)) {
        throw unsupported("this list of exceptions was made by a newer version; update bloomery");
    }
    const bool fingerprints = (words[2] & keeps_fingerprints) != 0;
    require_list(fingerprints || words[5] == 0, "it has a secret but no fingerprints");
    if (fingerprints && (!key || hash::key_check(*key) != words[5])) {
        throw bad_argument("the exceptions are stored as fingerprints under a secret key; give "
                           "the key that the list was made with");
    }
    exception_list made({words[3], (words[2] & evicts) != 0, fingerprints, key});
    made.refused_ = words[4];
    made.restore_entries(words.subspan(list_record_words), words[6]);
    return made;
}

excepted_words split_excepted(std::span<const std::uint64_t> words) {
    require_list(words.size() >= list_record_words && words[0] >= list_record_words &&
                     words[0] <= words.size(),
                 "its length is wrong");
    require_list(words[1] <= 0xffff, "its kind of filter is unknown");
    return {static_cast<filter_kind>(words[1]), words.first(words[0]), words.subspan(words[0])};
}

} // namespace bloomery::inline v0
