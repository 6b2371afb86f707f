// CF.RESERVE and the commands that add items, which make the filter if there is none.
#include "cuckoo_commands.hpp"
#include "cuckoo_type.hpp"
#include "room.hpp"
#include "settings.hpp"

#include <array>
#include <string>

namespace bloomery::redis_module {

namespace {

/// What a new filter is made of.
struct reservation {
    long long capacity = configured.cuckoo_capacity;
    long long bucket_size = configured.cuckoo_bucket_size;
    long long iterations = configured.cuckoo_iterations;
    long long expansion = configured.cuckoo_expansion;
};

/// Makes a filter in an empty key. What replicas get has all numbers, because their own defaults
/// may be others.
cuckoo_filter& make_filter(const call& of, open_key& key, const reservation& what) {
    if (what.capacity < 2 * what.bucket_size) throw refusal{"ERR Could not create filter"};
    const auto number = [](long long from) { return static_cast<std::uint64_t>(from); };
    made_cuckoo_filter made = cuckoo_filter::create(number(what.capacity), number(what.bucket_size),
                                                    number(what.iterations), number(what.expansion),
                                                    most_bytes(of.must_obey()));
    constexpr const char* no_memory = "ERR Insufficient memory to create filter";
    if (made.why == cuckoo_outcome::over_limit) throw refusal{cuckoo_over_limit(no_memory)};
    if (made.why == cuckoo_outcome::no_memory) throw refusal{no_memory};
    if (made.filter == nullptr) throw refusal{"ERR Could not create filter"};
    require_room(of, made.filter->slots());
    cuckoo_filter& filter = *made.filter.release();
    key.set(cuckoo_type, &filter);
    server.replicate(of.in(), "CF.RESERVE", "slclclcl", of[1], what.capacity, "BUCKETSIZE",
                     what.bucket_size, "MAXITERATIONS", what.iterations, "EXPANSION",
                     what.expansion);
    return filter;
}

/// The value of an option of CF.RESERVE; of several, the first.
text* cuckoo_option(const call& of, std::string_view word) noexcept {
    for (std::size_t i = 3; i + 1 < of.count(); i += 2) {
        if (is_word(of[i], word)) return of[i + 1];
    }
    return nullptr;
}

void read_option(const call& of, const std::string& word, whole_range allowed, long long& value) {
    const text* const given = cuckoo_option(of, word);
    if (given == nullptr) return;
    if (server.to_number(given, &value) != ok) throw refusal{"Couldn't parse " + word};
    if (!allowed.has(value)) {
        throw refusal{word + ": value must be in the range " + allowed.text()};
    }
}

void refuse_unknown_options(const call& of) {
    for (std::size_t i = 3; i < of.count(); i += 2) {
        if (!is_word(of[i], "BUCKETSIZE") && !is_word(of[i], "MAXITERATIONS") &&
            !is_word(of[i], "EXPANSION")) {
            throw refusal{
                "ERR Unknown option: CF.RESERVE has BUCKETSIZE, MAXITERATIONS and EXPANSION"};
        }
    }
}

/// Items to add, and how.
struct insertion {
    bool if_absent = false;
    bool many = false;
    bool create = true;
    reservation if_new{};
    std::span<text* const> items{};
};

/// What replicas and the append-only file get: the call as it came or, if items failed, those alone
/// that went in, because there the others might go in, too.
class cuckoo_replication {
public:
    cuckoo_replication(const call& of, const insertion& what) noexcept : of_(of), what_(what) {}

    void take(text* item, cuckoo_outcome became) noexcept {
        const bool failed = became != cuckoo_outcome::done && became != cuckoo_outcome::exists;
        if (failed && !some_failed_) {
            some_failed_ = true;
            if (some_added_) send(what_.items.first(seen_));
        }
        if (became == cuckoo_outcome::done) {
            some_added_ = true;
            if (some_failed_) {
                waiting_[waits_++] = item;
                if (waits_ == waiting_.size()) send_waiting();
            }
        }
        ++seen_;
    }
    void end() noexcept {
        if (some_failed_) {
            send_waiting();
        } else if (some_added_) {
            server.replicate_verbatim(of_.in());
        }
    }
    [[nodiscard]] bool some_added() const noexcept { return some_added_; }

private:
    void send(std::span<text* const> items) noexcept {
        server.replicate(of_.in(), what_.if_absent ? "CF.INSERTNX" : "CF.INSERT", "scv", of_[1],
                         "ITEMS", items.data(), items.size());
    }
    void send_waiting() noexcept {
        if (waits_ != 0) send({waiting_.data(), waits_});
        waits_ = 0;
    }

    const call& of_;
    const insertion& what_;
    std::size_t seen_ = 0;
    bool some_added_ = false;
    bool some_failed_ = false;
    std::size_t waits_ = 0;
    std::array<text*, longest_run> waiting_;
};

/// Numbers, or as the protocol has a yes and a no; then a failure is a no in RESP3.
enum class answers : std::uint8_t { numbers, yes_or_no };

void reply_cuckoo_outcome(const call& of, cuckoo_outcome became, answers as) noexcept {
    if (became == cuckoo_outcome::too_long) {
        server.reply_error(of.in(), too_long_text);
        return;
    }
    const bool added = became == cuckoo_outcome::done;
    const bool failed = !added && became != cuckoo_outcome::exists;
    if (failed && (as == answers::numbers || !of.speaks_resp3())) {
        server.reply_number(of.in(), -1);
    } else if (as == answers::numbers) {
        server.reply_number(of.in(), added ? 1 : 0);
    } else {
        reply_yes_no(of.in(), added);
    }
}

void refuse_failed(cuckoo_outcome became) {
    if (became == cuckoo_outcome::full) throw refusal{"Filter is full"};
    constexpr const char* no_memory = "ERR Insufficient memory";
    if (became == cuckoo_outcome::over_limit) throw refusal{cuckoo_over_limit(no_memory)};
    if (became == cuckoo_outcome::no_memory) throw refusal{no_memory};
}

/// The filter to add to. It may grow during the call whatever the setting says, as RedisBloom's
/// may, but no other call adds to it then.
cuckoo_filter& filter_to_fill(const call& of, open_key& key, const insertion& what) {
    cuckoo_filter* const found = cuckoo_in(key);
    if (found == nullptr && (!key.is_empty() || !what.create)) refuse_key(key);
    const auto filters = static_cast<long long>(found != nullptr ? found->filters() : 1);
    if (filters >= configured.cuckoo_most_filters && !of.must_obey()) {
        throw refusal{"Maximum expansions reached"};
    }
    return found != nullptr ? *found : make_filter(of, key, what.if_new);
}

void insert_all(const call& of, const insertion& what) {
    open_key key(of, of[1], open_read | open_write);
    const bool is_new = key.is_empty();
    cuckoo_filter& filter = filter_to_fill(of, key, what);
    const std::uint64_t most = most_bytes(of.must_obey());
    const answers as = what.if_absent && what.many ? answers::numbers : answers::yes_or_no;
    if (what.many) server.reply_array(of.in(), static_cast<long>(what.items.size()));
    cuckoo_replication replicas(of, what);
    const auto take = [&](text* item, cuckoo_outcome became) {
        replicas.take(item, became);
        reply_cuckoo_outcome(of, became, as);
    };
    const std::uint64_t steps = 2 * filter.fields().iterations; // and back again
    for_each_item(
        of, filter, what.items, steps,
        [&](text* item, std::uint64_t hash) {
            const cuckoo_outcome became =
                what.if_absent ? filter.insert_if_absent(hash, most) : filter.insert(hash, most);
            if (!what.many) refuse_failed(became);
            take(item, became);
        },
        [&](text* item) { take(item, cuckoo_outcome::too_long); });
    replicas.end();
    // Last, because whoever is told may do anything to the key.
    key.close();
    if (is_new) of.tell_changed("cuckoo.reserve");
    if (replicas.some_added()) of.tell_changed("cuckoo.add");
}

void add_one(const call& of, bool if_absent) {
    of.require(of.count() == 3);
    insert_all(of, {.if_absent = if_absent, .items = of.from(2)});
}

void read_capacity(const call& of, const text* given, long long& capacity) {
    if (server.to_number(given, &capacity) != ok) throw refusal{"Bad capacity"};
    // A master with another cf-bucket-size may have allowed what we do not.
    const whole_range allowed =
        of.must_obey() ? whole_range{1, cuckoo_largest_capacity} : cuckoo_capacities();
    if (!allowed.has(capacity)) {
        throw refusal{"Capacity must be in the range [cf-bucket-size * 2, " +
                      std::to_string(allowed.most) + "]"};
    }
}

void add_many(const call& of, bool if_absent) {
    of.require(of.count() >= 4);
    insertion what{.if_absent = if_absent, .many = true};
    // RedisBloom, which may have sent this to us as a replica, looks at the first letter alone.
    const auto is_option = [&](const text* word, std::string_view wanted) {
        return is_word(word, wanted) ||
               (of.must_obey() && !view(word).empty() && (view(word)[0] & ~0x20) == wanted[0]);
    };
    for (std::size_t i = 2; i < of.count() && what.items.empty(); ++i) {
        if (is_option(of[i], "CAPACITY")) {
            of.require(++i < of.count());
            read_capacity(of, of[i], what.if_new.capacity);
        } else if (is_option(of[i], "NOCREATE")) {
            what.create = false;
        } else if (is_option(of[i], "ITEMS")) {
            what.items = of.from(i + 1);
        } else {
            throw refusal{"Unknown argument received"};
        }
    }
    of.require(!what.items.empty());
    insert_all(of, what);
}

} // namespace

void cuckoo_reserve(const call& of) {
    of.require(of.count() >= 3 && of.count() % 2 == 1);
    reservation what;
    if (server.to_number(of[2], &what.capacity) != ok) throw refusal{"Bad capacity"};
    if (!of.must_obey()) refuse_unknown_options(of); // RedisBloom accepted any word
    // A master with another cf-initial-size may have allowed larger buckets than we do.
    const whole_range buckets = of.must_obey() ? whole_range{1, 255} : cuckoo_bucket_sizes();
    read_option(of, "MAXITERATIONS", cuckoo_iterations, what.iterations);
    read_option(of, "BUCKETSIZE", buckets, what.bucket_size);
    read_option(of, "EXPANSION", cuckoo_expansions, what.expansion);
    if (what.capacity < 2 * what.bucket_size || what.capacity > cuckoo_largest_capacity) {
        throw refusal{"Capacity must be in the range [2 * BUCKETSIZE, " +
                      std::to_string(cuckoo_largest_capacity) + "]"};
    }
    open_key key(of, of[1], open_read | open_write);
    if (!key.is_empty()) refuse_existing(key);
    make_filter(of, key, what);
    server.reply_status(of.in(), "OK");
    key.close();
    of.tell_changed("cuckoo.reserve");
}

void cuckoo_add(const call& of) { add_one(of, false); }
void cuckoo_add_if_absent(const call& of) { add_one(of, true); }
void cuckoo_insert(const call& of) { add_many(of, false); }
void cuckoo_insert_if_absent(const call& of) { add_many(of, true); }

} // namespace bloomery::redis_module
