#include <bloomery/guard/memory.hpp>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace bloomery::store {

namespace {

constexpr std::size_t keys_at_once = 4096;

void visit_all(const std::vector<std::string>& all, const key_visitor& visit) {
    std::vector<std::string_view> some;
    for (std::size_t from = 0; from < all.size(); from += keys_at_once) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
        const std::size_t count = std::min(keys_at_once, all.size() - from);
        some.assign(first, first + static_cast<std::ptrdiff_t>(count));
        visit(some);
    }
}

} // namespace

struct memory::body {
    std::string name;
    std::mutex mutex;
    std::map<std::string, std::string, std::less<>> values;
    std::vector<std::string> arrivals; ///< each key that was created, in their order
};

memory::memory(std::string name) : body_(std::make_shared<body>()) {
    body_->name = std::move(name);
}

std::optional<std::string> memory::get(std::string_view key) {
    const std::lock_guard lock(body_->mutex);
    const auto found = body_->values.find(key);
    return found == body_->values.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::optional<std::string>> memory::get_many(keys all) {
    std::vector<std::optional<std::string>> found;
    std::ranges::transform(all, std::back_inserter(found),
                           [this](std::string_view key) { return get(key); });
    return found;
}

bool memory::put(std::string_view key, std::string_view value) {
    const std::lock_guard lock(body_->mutex);
    const bool created = !body_->values.contains(key);
    if (created) {
        body_->arrivals.emplace_back(key);
    }
    body_->values.insert_or_assign(std::string(key), std::string(value));
    return created;
}

bool memory::erase(std::string_view key) {
    const std::lock_guard lock(body_->mutex);
    const auto found = body_->values.find(key);
    if (found == body_->values.end()) {
        return false;
    }
    body_->values.erase(found);
    return true;
}

void memory::scan(const key_visitor& visit) {
    std::vector<std::string> all;
    {
        const std::lock_guard lock(body_->mutex);
        for (const auto& one : body_->values) {
            all.push_back(one.first);
        }
    }
    visit_all(all, visit);
}

std::uint64_t memory::count() {
    const std::lock_guard lock(body_->mutex);
    return body_->values.size();
}

std::string memory::name() const { return body_->name; }

std::string memory::mark() {
    const std::lock_guard lock(body_->mutex);
    return std::to_string(body_->arrivals.size());
}

bool memory::scan_since(const std::string& mark, const key_visitor& visit) {
    std::size_t since = 0;
    const char* const end = mark.data() + mark.size();
    if (const auto [to, wrong] = std::from_chars(mark.data(), end, since);
        wrong != std::errc{} || to != end) {
        return false;
    }
    std::vector<std::string> all;
    {
        const std::lock_guard lock(body_->mutex);
        if (since > body_->arrivals.size()) {
            return false;
        }
        all.assign(body_->arrivals.begin() + static_cast<std::ptrdiff_t>(since),
                   body_->arrivals.end());
    }
    visit_all(all, visit);
    return true;
}

struct memory_cache::body {
    using clock = std::chrono::steady_clock;
    struct slot {
        std::optional<std::string> value;
        clock::time_point ends;
        std::uint64_t number;
    };

    std::size_t most_entries;
    std::chrono::milliseconds expiry;
    bool absences;
    std::mutex mutex;
    std::map<std::string, slot, std::less<>> slots;
    std::map<std::uint64_t, std::string> ages; ///< which came first
    std::uint64_t next = 0;

    void forget(std::string_view key) {
        if (const auto found = slots.find(key); found != slots.end()) {
            ages.erase(found->second.number);
            slots.erase(found);
        }
    }
    void remember(const entry& one) {
        forget(one.key);
        const clock::time_point ends =
            expiry.count() == 0 ? clock::time_point::max() : clock::now() + expiry;
        slots.emplace(one.key, slot{std::optional<std::string>(one.value), ends, next});
        ages.emplace(next++, one.key);
        if (slots.size() > most_entries) {
            forget(std::string(ages.begin()->second));
        }
    }
};

memory_cache::memory_cache(std::size_t most_entries, std::chrono::milliseconds expiry,
                           bool absences)
    : body_(std::make_shared<body>()) {
    body_->most_entries = most_entries;
    body_->expiry = expiry;
    body_->absences = absences;
}

cached memory_cache::get(std::string_view key) {
    const std::lock_guard lock(body_->mutex);
    const auto found = body_->slots.find(key);
    if (found == body_->slots.end()) {
        return {};
    }
    if (body::clock::now() >= found->second.ends) {
        body_->forget(key);
        return {};
    }
    if (!found->second.value) {
        return {cached::knowledge::absence};
    }
    return {cached::knowledge::value, *found->second.value};
}

std::vector<cached> memory_cache::get_many(keys all) {
    std::vector<cached> found;
    std::ranges::transform(all, std::back_inserter(found),
                           [this](std::string_view key) { return get(key); });
    return found;
}

void memory_cache::put(std::span<const entry> entries) {
    const std::lock_guard lock(body_->mutex);
    for (const entry& one : entries) {
        if (one.value || body_->absences) {
            body_->remember(one);
        }
    }
}

void memory_cache::erase(keys all) {
    const std::lock_guard lock(body_->mutex);
    for (const std::string_view key : all) {
        body_->forget(key);
    }
}

std::chrono::milliseconds memory_cache::longest_life() const noexcept { return body_->expiry; }

} // namespace bloomery::store
