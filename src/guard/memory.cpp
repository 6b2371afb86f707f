#include <bloomery/detail/text/number.hpp>
#include <bloomery/guard/store.hpp>

#include "scan_batch.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace bloomery::inline v0::store {

namespace {

void visit_all(const std::vector<std::string>& all, const key_visitor& visit) {
    scan_batch batch(visit);
    for (const std::string& key : all) {
        batch.add(key);
    }
    batch.flush();
}

} // namespace

struct memory::impl {
    std::string name;
    std::mutex mutex;
    std::map<std::string, std::string, std::less<>> values;
    std::vector<std::string> arrivals; ///< each key that was created, in order
};

memory::memory(std::string name) : impl_(std::make_shared<impl>()) {
    impl_->name = std::move(name);
}

std::optional<std::string> memory::get(std::string_view key) {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->values.find(key);
    return found == impl_->values.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::optional<std::string>> memory::get_many(keys all) {
    std::vector<std::optional<std::string>> found;
    std::ranges::transform(all, std::back_inserter(found),
                           [this](std::string_view key) { return get(key); });
    return found;
}

bool memory::put(std::string_view key, std::string_view value) {
    const std::lock_guard lock(impl_->mutex);
    const bool created = !impl_->values.contains(key);
    if (created) {
        impl_->arrivals.emplace_back(key);
    }
    impl_->values.insert_or_assign(std::string(key), std::string(value));
    return created;
}

bool memory::erase(std::string_view key) {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->values.find(key);
    if (found == impl_->values.end()) {
        return false;
    }
    impl_->values.erase(found);
    return true;
}

void memory::scan(const key_visitor& visit) {
    std::vector<std::string> all;
    {
        const std::lock_guard lock(impl_->mutex);
        for (const auto& one : impl_->values) {
            all.push_back(one.first);
        }
    }
    visit_all(all, visit);
}

std::uint64_t memory::count() {
    const std::lock_guard lock(impl_->mutex);
    return impl_->values.size();
}

std::string memory::name() const { return impl_->name; }

std::string memory::mark() {
    const std::lock_guard lock(impl_->mutex);
    return std::to_string(impl_->arrivals.size());
}

bool memory::scan_since(const std::string& mark, const key_visitor& visit) {
    const auto since = text::number_in<std::ptrdiff_t>(mark);
    std::vector<std::string> all;
    {
        const std::lock_guard lock(impl_->mutex);
        if (!since || *since < 0 || *since > std::ssize(impl_->arrivals)) {
            return false;
        }
        all.assign(impl_->arrivals.begin() + *since, impl_->arrivals.end());
    }
    visit_all(all, visit);
    return true;
}

struct memory_cache::impl {
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
    std::map<std::uint64_t, std::string> ages; ///< oldest first
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
    : impl_(std::make_shared<impl>()) {
    impl_->most_entries = most_entries;
    impl_->expiry = expiry;
    impl_->absences = absences;
}

cached memory_cache::get(std::string_view key) {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->slots.find(key);
    if (found == impl_->slots.end()) {
        return {};
    }
    if (impl::clock::now() >= found->second.ends) {
        impl_->forget(key);
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
    const std::lock_guard lock(impl_->mutex);
    for (const entry& one : entries) {
        if (one.value || impl_->absences) {
            impl_->remember(one);
        }
    }
}

void memory_cache::erase(keys all) {
    const std::lock_guard lock(impl_->mutex);
    for (const std::string_view key : all) {
        impl_->forget(key);
    }
}

std::chrono::milliseconds memory_cache::longest_life() const noexcept { return impl_->expiry; }

} // namespace bloomery::inline v0::store
