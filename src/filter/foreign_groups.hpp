// Which filter of another system a spec describes, out of a list of types.
//
// Each group of systems has a file of its own, because compiling one filter type behind any_filter
// takes more than a second.
#pragma once

#include <bloomery/filter/foreign.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace bloomery::inline v0::detail {

using hash::hash_id;
using layout::scheme_id;

/// The hash of a filter type, if it is the one in the spec; otherwise nothing.
template <class Hash>
std::optional<Hash> hash_for(const spec& what) {
    if constexpr (std::same_as<Hash, hash::java_text_hash>) {
        const bool text = what.hash >= hash_id::bkdr && what.hash <= hash_id::java_string;
        return text && what.seed == 0 ? std::optional(Hash(what.hash)) : std::nullopt;
    } else {
        if (what.hash != Hash::id) {
            return std::nullopt;
        }
        Hash made{};
        if constexpr (requires { made.count = what.shape.hash_count; }) {
            made.count = what.shape.hash_count;
            return what.seed == 0 && made.count <= layout::hadoop_scheme::most_hashes
                       ? std::optional(made)
                       : std::nullopt;
        } else if constexpr (std::same_as<Hash, hash::java_texts_hash>) {
            return Hash(what.seed);
        } else if constexpr (requires { made.seed = 0; }) {
            made.seed = static_cast<decltype(made.seed)>(what.seed);
            return made.seed == what.seed ? std::optional(made) : std::nullopt;
        } else {
            return what.seed == 0 ? std::optional(made) : std::nullopt;
        }
    }
}

/// Whether the scheme can have the shape. The general limits are those of the layout.
template <class Scheme>
bool fits(const plan::shape& shape) {
    using layout_type = layout::classic<Scheme>;
    const plan::layout_facts& facts = plan::facts_of(layout_type::kind);
    if (shape.layout != layout_type::kind || shape.bit_count == 0 || shape.hash_count == 0 ||
        shape.bit_count > plan::max_bit_count / 2 || shape.bit_count % facts.block_bits != 0 ||
        shape.hash_count > layout_type::most_hashes ||
        (facts.fixed_hashes != 0 && shape.hash_count != facts.fixed_hashes)) {
        return false;
    }
    switch (Scheme::id) {
    case scheme_id::additive_8:
        return shape.hash_count == 8 && shape.bit_count == layout::additive_8_scheme::bit_count;
    case scheme_id::hash_code_6:
        return shape.hash_count == 6 && shape.bit_count == layout::hash_code_6_scheme::bit_count;
    case scheme_id::hash_code_6_mended:
        return shape.hash_count == 6 &&
               shape.bit_count == layout::hash_code_6_mended_scheme::bit_count;
    case scheme_id::hutool_32:
    case scheme_id::hutool_64:
        return shape.hash_count == 1;
    case scheme_id::hutool_map:
        return shape.hash_count <= 16 && shape.bit_count % shape.hash_count == 0;
    case scheme_id::rocksdb_4:
    case scheme_id::rocksdb_5:
    case scheme_id::parquet: // the block is chosen by 32 bits
        return shape.hash_count <= plan::max_hash_count && shape.block_count() >> 32U == 0;
    default:
        return true;
    }
}

/// The layout of a filter type with the shape in the spec; nothing if the type cannot have it.
template <class Layout>
std::optional<Layout> layout_for(const spec& what) {
    const plan::shape& shape = what.shape;
    if constexpr (std::same_as<Layout, layout::redisson_split>) {
        const std::uint64_t shards = what.parameters[0];
        if (shape.layout != layout_kind::classic || shards == 0 || shape.bit_count % shards != 0 ||
            what.parameters != kind_parameters{shards}) {
            return std::nullopt;
        }
        const plan::split_shape split{shards, shape.bit_count / shards, shape.hash_count};
        return Layout::fits(split) ? std::optional(Layout(layout::trusted{}, split)) : std::nullopt;
    } else {
        return what.parameters == kind_parameters{} && fits<typename Layout::scheme>(shape)
                   ? std::optional(Layout(layout::trusted{}, shape))
                   : std::nullopt;
    }
}

/// Calls `with` with a layout and a hash if the spec is of that filter type; returns whether it is.
template <class Filter, class With>
bool try_as(const spec& what, const With& with) {
    using layout_type = typename Filter::layout_type;
    if (what.scheme != layout_type::scheme::id || what.kind != filter_kind::bloom) {
        return false;
    }
    const auto layout = layout_for<layout_type>(what);
    const auto hash = hash_for<typename Filter::hash_type>(what);
    if (!layout || !hash) {
        return false;
    }
    with(std::type_identity<Filter>{}, *layout, *hash);
    return true;
}

/// A group of filter types, with the two functions that use it.
template <class... Filters>
struct foreign_group {
    /// Whether the spec describes one of them.
    static bool has(const spec& what) {
        const auto nothing = [](auto /*type*/, const auto&, const auto&) {};
        return (try_as<Filters>(what, nothing) || ...);
    }
    /// That filter over these words, or nothing, and then the words are untouched.
    static std::optional<any_filter> make(const spec& what, storage::heap_words<>& words,
                                          const design& made_for) {
        std::optional<any_filter> made;
        const auto take = [&](auto type, const auto& layout, const auto& hash) {
            made = typename decltype(type)::type(layout, std::move(words), hash, made_for);
        };
        static_cast<void>((try_as<Filters>(what, take) || ...));
        return made;
    }
};

/// The same two, as functions.
struct foreign_group_functions {
    bool (*has)(const spec& what);
    std::optional<any_filter> (*make)(const spec& what, storage::heap_words<>& words,
                                      const design& made_for);
};

/// Compiled in foreign_java.cpp, foreign_hadoop.cpp, foreign_stores.cpp and foreign_other.cpp.
extern const foreign_group_functions foreign_java;
extern const foreign_group_functions foreign_hadoop;
extern const foreign_group_functions foreign_stores;
extern const foreign_group_functions foreign_other;

} // namespace bloomery::inline v0::detail
