#include "names.hpp"

#include <bloomery/detail/text/number.hpp>
#include <bloomery/error.hpp>

#include <array>
#include <charconv>
#include <random>

namespace bloomery::inline v0::redis {

namespace {

/// A key in the slot of `name`, with a suffix.
std::string beside(std::string_view name, std::string_view word) {
    std::string key = config_key(name);
    key.resize(key.size() - std::string_view("config").size());
    return key.append(word);
}

format::redis_fields fields_of(const reply& hash) {
    format::redis_fields fields;
    for (std::size_t i = 0; i + 1 < hash.elements.size(); i += 2) {
        fields[hash.elements[i].text] = hash.elements[i + 1].text;
    }
    return fields;
}

std::uint64_t shards_in(const format::redis_fields& fields) {
    const auto found = fields.find("shards");
    const std::uint64_t value =
        found == fields.end() ? 0 : text::number_in<std::uint64_t>(found->second).value_or(0);
    if (value == 0 || value > most_shards) {
        throw bad_data("the config of the split filter is damaged: its number of shards is out of "
                       "range");
    }
    return value;
}

format::redisson_config config_for(const filter_facts& of, std::uint64_t shards) {
    const design& goal = of.made_for;
    const std::uint64_t n = goal.item_capacity / shards + (goal.item_capacity % shards != 0);
    return {of.shape.shard_bits, of.shape.hash_count, n, goal.target_rate};
}

} // namespace

std::string split_key(std::string_view name) { return beside(name, "split"); }

std::string shard_key(std::string_view name, std::uint64_t shard) {
    std::string key(name);
    return key.append(":{").append(name).append(":").append(std::to_string(shard)).append("}");
}

std::string draft_key(std::string_view name, std::string_view id) {
    return beside(name, "draft:").append(id);
}

void require_name(std::string_view name, bool split) {
    if (name.empty()) throw bad_argument("a filter in Redis needs a name");
    if (split && name.find_first_of("{}") != std::string_view::npos) {
        throw bad_argument(
            "braces in a name tie all its keys to one server of a cluster, but the shards of a "
            "split filter must spread over all of them; choose a name without braces");
    }
}

std::string new_id() {
    std::random_device chance;
    const std::uint64_t number = std::uint64_t{chance()} << 32U | chance();
    std::array<char, 17> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + 16, number, 16).ptr;
    return {digits.data(), end};
}

format::redis_fields filter_facts::config_of_shard() const {
    format::redis_fields fields = config_for(*this, shape.shard_count).to_fields();
    if (is_split) fields.emplace("id", id);
    return fields;
}

format::redis_fields filter_facts::config_of_split() const {
    format::redis_fields fields = config_for(*this, 1).to_fields();
    fields.emplace("version", "1");
    fields.emplace("shards", std::to_string(shape.shard_count));
    fields.emplace("id", id);
    fields.emplace("state", is_ready ? "ready" : "new");
    return fields;
}

filter_facts facts_of(const reply& split, const reply& config) {
    filter_facts found;
    found.is_split = !split.elements.empty();
    const format::redis_fields fields = fields_of(found.is_split ? split : config);
    if (fields.empty()) return found;
    const auto told = format::redisson_config::from(fields);
    found.shape = {1, told.size, told.hash_iterations};
    found.made_for = {told.expected_insertions, told.false_probability};
    if (!found.is_split) return found;
    const auto text = [&](std::string_view name) {
        const auto at = fields.find(name);
        return at == fields.end() ? std::string{} : at->second;
    };
    if (text("version") != "1") {
        throw unsupported("the split filter has version '" + text("version") +
                          "', but this bloomery reads version 1");
    }
    found.shape.shard_count = shards_in(fields);
    found.id = text("id");
    found.is_ready = text("state") == "ready";
    return found;
}

} // namespace bloomery::inline v0::redis
