// BF.ADD, BF.MADD, BF.INSERT, BF.EXISTS, BF.MEXISTS
#include "bloom_chain.hpp"
#include "bloom_commands.hpp"
#include "bloom_request.hpp"
#include "bloom_type.hpp"
#include "room.hpp"
#include "settings.hpp"
#include "time_limit.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace bloomery::redis_module {

namespace {

using item_span = std::span<text* const>;

const char* error_of(outcome what) noexcept {
    constexpr const char* no_room = "ERR problem inserting into filter";
    switch (what) {
    case outcome::full:
        return "ERR non scaling filter is full";
    case outcome::over_limit:
        return bloom_over_limit(no_room);
    case outcome::too_many:
        return "ERR the filter has as many layers as bf-max-expansions allows";
    case outcome::too_long:
        return too_long_text;
    default:
        return no_room;
    }
}

bool went_well(outcome what) noexcept { return what == outcome::fresh || what == outcome::present; }

void reply_outcome(context* to, outcome what) noexcept {
    if (went_well(what)) {
        reply_yes_no(to, what == outcome::fresh);
    } else {
        server.reply_error(to, error_of(what));
    }
}

/// How many items to add or to query before the time is looked at: fewer if each may take long.
/// What takes longest is memory that was never written to, one page for each bit.
std::size_t slice_for(const bloom_object& filter) noexcept {
    constexpr std::uint64_t probes_in_a_slice = std::uint64_t{1} << 23U;
    constexpr std::uint64_t pages_in_a_slice = std::uint64_t{1} << 12U;
    return std::min(slice_of(filter.probes(), probes_in_a_slice),
                    slice_of(filter.layer_count() + filter.hash_count(), pages_in_a_slice));
}

/// What became of the items of a call: mostly few, so mostly without an allocation.
class outcomes {
public:
    explicit outcomes(std::size_t items) {
        if (items > few_.size()) many_.resize(items);
    }
    /// Adds all items, slice by slice, up to the first that finds the filter full.
    void add_all(const call& of, bloom_object& to, item_span items) noexcept {
        outcome* const became = many_.empty() ? few_.data() : many_.data();
        if (items.size() == 1) {
            // Whether the command must be obeyed takes the server longer than all the rest.
            const filter_limits most =
                to.room() != 0 ? filter_limits(UINT64_MAX) : bloom_limits(of.must_obey());
            tried_ = to.add(items, became, most);
            return;
        }
        const filter_limits most = bloom_limits(of.must_obey());
        time_limit time(of, items.size(), slice_for(to));
        while (tried_ < items.size()) {
            if (time.is_over(to.layer_count())) {
                std::fill(became + tried_, became + items.size(), outcome::too_long);
                tried_ = items.size();
                break;
            }
            const item_span run =
                items.subspan(tried_, std::min(slice_for(to), items.size() - tried_));
            const std::size_t tried = to.add(run, became + tried_, most);
            tried_ += tried;
            if (tried < run.size() || became[tried_ - 1] == outcome::full) break;
        }
    }
    /// Of all, up to the one that found the filter full.
    [[nodiscard]] std::span<const outcome> all() const noexcept {
        return {many_.empty() ? few_.data() : many_.data(), tried_};
    }
    [[nodiscard]] bool changed() const noexcept {
        return std::ranges::find(all(), outcome::fresh) != all().end();
    }

private:
    std::array<outcome, longest_run> few_;
    std::vector<outcome> many_;
    std::size_t tried_ = 0;
};

/// Sends to replicas and the append-only file what changed: all items if none was refused, and
/// otherwise those that are in now. They need not refuse what we did: limits differ.
class replication {
public:
    replication(const call& of, item_span items, std::span<const outcome> became, bool as_it_came)
        : of_(of), as_it_came_(as_it_came) {
        all_well_ = became.size() == items.size() && std::ranges::all_of(became, went_well);
        if (!all_well_) {
            for (std::size_t i = 0; i < became.size(); ++i) {
                if (became[i] == outcome::fresh) fresh_.push_back(items[i]);
            }
            items = fresh_;
        }
        items_ = items;
    }

    /// Into a filter that was there.
    void added() const {
        if (all_well_ && as_it_came_) {
            server.replicate_verbatim(of_.in());
        } else if (!items_.empty()) {
            server.replicate(of_.in(), "BF.MADD", "sv", of_[1], items_.data(), items_.size());
        }
    }
    /// Into one that was made: with all that our own configuration decided.
    void made(const bloom_request& request) const {
        const std::string rate = exact_text(request.rate);
        const auto send = [&](const char* format, auto... rest) {
            server.replicate(of_.in(), "BF.INSERT", format, of_[1], "CAPACITY", request.capacity,
                             "ERROR", rate.c_str(), "EXPANSION", request.expansion, rest...,
                             items_.data(), items_.size());
        };
        if (!request.grows && request.expansion != 0) {
            send("sclccclccv", "NONSCALING", "ITEMS");
        } else {
            send("sclccclcv", "ITEMS");
        }
    }

private:
    const call& of_;
    bool as_it_came_; ///< RedisBloom would understand the command
    bool all_well_;
    std::vector<text*> fresh_;
    item_span items_;
};

enum class answer : std::uint8_t { one, many };

void add_items(const call& now, item_span items, const std::optional<bloom_request>& if_missing,
               answer as, bool as_it_came = true) {
    open_key key(now, now[1], open_read | open_write);
    bloom_object* filter = bloom_in(key);
    const bool makes = filter == nullptr && key.is_empty() && if_missing.has_value();
    if (filter == nullptr && !makes) refuse_key(key);
    outcomes became(items.size());
    if (makes) {
        std::unique_ptr<bloom_object> made = make_bloom(*if_missing, most_bytes(now.must_obey()));
        require_room(now, made->bit_bytes());
        became.add_all(now, *made, items);
        put(key, std::move(made));
        replication(now, items, became.all(), as_it_came).made(*if_missing);
    } else {
        became.add_all(now, *filter, items);
        if (became.changed()) {
            replication(now, items, became.all(), as_it_came).added();
        }
    }
    key.close();
    if (makes || became.changed()) now.tell_changed("bloom.add");
    if (as == answer::many) server.reply_array(now.in(), static_cast<long>(became.all().size()));
    for (const outcome one : became.all()) reply_outcome(now.in(), one);
}

/// Whether a word is that option. What comes from a master or a file may be what RedisBloom
/// accepted, and it looks at a letter or two.
bool is_option(const call& in, const text* word, std::string_view option) noexcept {
    if (redis_module::is_word(word, option)) return true;
    const std::string_view said = view(word);
    if (!in.must_obey() || said.empty()) return false;
    const auto letter = [&](std::size_t i) {
        return i < said.size() ? static_cast<char>(said[i] | 0x20) : '\0';
    };
    switch (letter(0)) {
    case 'i':
        return option == "items";
    case 'c':
        return option == "capacity";
    case 'e':
        return option == (letter(1) == 'r' ? "error" : "expansion");
    case 'n':
        return option == (letter(2) == 'c' ? "nocreate" : "nonscaling");
    default:
        return false;
    }
}

/// The value of an option of BF.INSERT; the wrong arity if there is none.
const text* value_after(const call& in, std::size_t& at) {
    in.require(++at < in.count());
    return in[at];
}

long long number_of(const text* from, whole_range range, const char* otherwise) {
    long long value = 0;
    if (server.to_number(from, &value) != ok || !range.has(value)) throw refusal{otherwise};
    return value;
}

/// A request as BF.INSERT says it, and where its items begin.
struct insert_options {
    bloom_request request = bloom_request::configured_one();
    bool makes = true;
    bool nonscaling = false;
    std::optional<long long> expansion{};
    std::size_t items_at = 0;
    bool as_it_came = true; ///< without words that RedisBloom does not know

    explicit insert_options(const call& from) {
        std::size_t at = 2;
        for (; at < from.count() && items_at == 0; ++at) take(from, at);
        from.require(items_at != 0 && items_at < from.count());
        if (expansion) {
            request.expansion = *expansion;
            request.grows = *expansion != 0;
        }
        if (nonscaling) {
            if (!expansion) request.stays();
            request.grows = false;
        }
        if (!request.grows && request.scale_to) {
            throw refusal{"ERR cannot use NONSCALING and VALIDATESCALETO options together"};
        }
    }

private:
    void take(const call& from, std::size_t& at) {
        const auto is_word = [&](const text* word, std::string_view wanted) {
            return is_option(from, word, wanted);
        };
        if (is_word(from[at], "items")) {
            items_at = at + 1;
        } else if (is_word(from[at], "error")) {
            const std::optional<double> rate = rate_in(value_after(from, at));
            if (!rate) throw refusal{"Bad error rate"};
            request.rate = *rate;
        } else if (is_word(from[at], "capacity")) {
            request.capacity = number_of(value_after(from, at), bloom_capacities, "Bad capacity");
        } else if (is_word(from[at], "expansion")) {
            expansion = number_of(value_after(from, at), bloom_expansions, "Bad expansion");
        } else if (is_word(from[at], "validatescaleto")) {
            const long long wanted =
                number_of(value_after(from, at), {1, INT64_MAX}, "ERR bad VALIDATESCALETO");
            if (!from.must_obey()) request.scale_to = wanted;
            as_it_came = false;
        } else if (is_word(from[at], "nocreate")) {
            makes = false;
        } else if (is_word(from[at], "nonscaling")) {
            nonscaling = true;
        } else {
            throw refusal{"Unknown argument received"};
        }
    }
};

/// Answers yes or no to each item. What holds no filter has no items, whatever it holds: so it is
/// in RedisBloom.
void ask_items(const call& now, item_span items) {
    const open_key key(now, now[1], open_read);
    const bloom_object* const filter = bloom_in(key);
    const std::size_t layers = filter != nullptr ? filter->layer_count() : 0;
    const std::size_t slice =
        filter != nullptr && items.size() > 1 ? slice_for(*filter) : longest_run;
    time_limit time(now, items.size(), slice);
    while (!items.empty() && !time.is_over(layers)) {
        const item_span run = items.first(std::min(slice, items.size()));
        run_bits maybe{};
        if (filter != nullptr) filter->ask(run, maybe.data());
        for (std::size_t i = 0; i < run.size(); ++i) {
            reply_yes_no(now.in(), bit_of(maybe.data(), i));
        }
        items = items.subspan(run.size());
    }
    for (std::size_t i = 0; i < items.size(); ++i) server.reply_error(now.in(), too_long_text);
}

} // namespace

void bloom_add(const call& now) {
    now.require(now.count() == 3);
    add_items(now, now.from(2), bloom_request::configured_one(), answer::one);
}

void bloom_madd(const call& now) {
    now.require(now.count() >= 3);
    add_items(now, now.from(2), bloom_request::configured_one(), answer::many);
}

void bloom_insert(const call& now) {
    now.require(now.count() >= 4);
    const insert_options options(now);
    add_items(now, now.from(options.items_at),
              options.makes ? std::optional(options.request) : std::nullopt, answer::many,
              options.as_it_came);
}

void bloom_exists(const call& now) {
    now.require(now.count() == 3);
    ask_items(now, now.from(2));
}

void bloom_mexists(const call& now) {
    now.require(now.count() >= 3);
    server.reply_array(now.in(), static_cast<long>(now.count() - 2));
    ask_items(now, now.from(2));
}

} // namespace bloomery::redis_module
