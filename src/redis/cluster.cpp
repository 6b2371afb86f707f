#include "cluster.hpp"

#include <bloomery/detail/text/number.hpp>
#include <bloomery/error.hpp>

#include <algorithm>
#include <charconv>

namespace bloomery::inline v0::redis {

namespace {

[[noreturn]] void no_map() {
    throw bad_data("the answer to CLUSTER SLOTS cannot be read: is this server part of a cluster?");
}

std::uint16_t slot_in(const reply& from) {
    if (from.is != reply::type::integer || from.integer < 0 ||
        from.integer >= static_cast<std::int64_t>(slot_map::slot_count)) {
        no_map();
    }
    return static_cast<std::uint16_t>(from.integer);
}

/// [host, port, id, ...]; a host that is empty, nil or "?" is that of the server that was asked.
endpoint server_in(const reply& from, const endpoint& asked) {
    if (from.is != reply::type::array || from.elements.size() < 2 ||
        from.elements[1].is != reply::type::integer || from.elements[1].integer < 1 ||
        from.elements[1].integer > 65535) {
        no_map();
    }
    const std::string& host = from.elements[0].text;
    const bool named = from.elements[0].is == reply::type::text && !host.empty() && host != "?";
    return {named ? host : asked.host, static_cast<std::uint16_t>(from.elements[1].integer)};
}

void sort_unique(std::vector<endpoint>& all) {
    std::ranges::sort(all);
    const auto twice = std::ranges::unique(all);
    all.erase(twice.begin(), twice.end());
}

} // namespace

slot_map::slot_map(const reply& answer, const endpoint& asked) {
    owner_.fill(nobody);
    if (answer.is != reply::type::array) no_map();
    for (const reply& range : answer.elements) {
        if (range.is != reply::type::array || range.elements.size() < 3) no_map();
        const std::uint16_t first = slot_in(range.elements[0]);
        const std::uint16_t last = slot_in(range.elements[1]);
        if (last < first) no_map();
        const endpoint master = server_in(range.elements[2], asked);
        std::fill(owner_.begin() + first, owner_.begin() + last + 1, number_of(master));
        masters_.push_back(master);
        for (std::size_t i = 2; i < range.elements.size(); ++i) {
            servers_.push_back(server_in(range.elements[i], asked));
        }
    }
    sort_unique(masters_);
    sort_unique(servers_);
}

std::uint16_t slot_map::number_of(const endpoint& master) {
    const auto found = std::ranges::find(named_, master);
    if (found != named_.end()) return static_cast<std::uint16_t>(found - named_.begin());
    if (named_.size() == nobody) no_map();
    named_.push_back(master);
    return static_cast<std::uint16_t>(named_.size() - 1);
}

std::optional<endpoint> slot_map::master_of(std::uint16_t slot) const {
    const std::uint16_t number = owner_.at(slot);
    return number == nobody ? std::nullopt : std::optional(named_[number]);
}

void slot_map::move(std::uint16_t slot, const endpoint& to) {
    owner_.at(slot) = number_of(to);
    masters_.push_back(to);
    servers_.push_back(to);
    sort_unique(masters_);
    sort_unique(servers_);
}

redirection redirection_of(std::string_view error, const endpoint& from) {
    using kind = redirection::kind;
    const std::size_t space = error.find(' ');
    const std::string_view word = error.substr(0, space);
    // A former master that is now a replica refuses writes, and a server that is starting refuses
    // all commands.
    for (const std::string_view later :
         {"TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY"}) {
        if (word == later) return {kind::later};
    }
    if ((word != "MOVED" && word != "ASK") || space == std::string_view::npos) return {};
    // "3999 127.0.0.1:6381", and perhaps more behind it in versions to come.
    std::string_view rest = error.substr(space + 1);
    redirection told{word == "MOVED" ? kind::moved : kind::ask};
    const auto [end, bad] = std::from_chars(rest.data(), rest.data() + rest.size(), told.slot);
    if (bad != std::errc{} || told.slot >= slot_map::slot_count) return {};
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with(' ')) return {};
    rest.remove_prefix(1);
    rest = rest.substr(0, rest.find(' '));
    const std::size_t colon = rest.rfind(':');
    if (colon == std::string_view::npos) return {};
    told.to.port = text::number_in<std::uint16_t>(rest.substr(colon + 1)).value_or(0);
    if (told.to.port == 0) return {};
    const std::string_view host = rest.substr(0, colon);
    told.to.host = host.empty() || host == "?" ? from.host : std::string(host);
    return told;
}

} // namespace bloomery::inline v0::redis
