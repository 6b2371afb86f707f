// The kinds of filter that are more than an array of bits, in native files.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/storage/words.hpp>

#include "native_parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace bloomery::inline v0::format {

namespace {

/// What a file says about a filter.
struct saved_kind {
    const spec& what;
    const design& made_for;
    const native_hash& hash;
    std::span<const std::uint64_t> words;
    const decode_options& options;
};

using restore = any_filter (*)(const saved_kind& from);

template <class Kind>
any_filter restored(const saved_kind& from) {
    return Kind::restored(from.what, from.made_for, from.hash, from.words);
}

any_filter restored_scalable(const saved_kind& from) {
    return scalable_filter::restored(from.what, from.made_for, from.hash, from.words,
                                     from.options.limits.most_unseen_bytes);
}

any_filter restored_spectral(const saved_kind& from) {
    switch (static_cast<spectral_policy>(from.what.parameters[0])) {
    case spectral_policy::minimal_increase:
        return restored<minimal_increase_filter>(from);
    case spectral_policy::recurring_minimum:
        return restored<recurring_minimum_filter>(from);
    default: // which refuses any other kind
        return restored<spectral_filter>(from);
    }
}

any_filter restored_bits(const saved_kind& from) {
    const plan::shape& shape = from.what.shape;
    const std::uint64_t past_end = shape.bit_count % 64;
    if (from.words.size() != shape.byte_count() / 8 ||
        (past_end != 0 && from.words.back() >> past_end != 0)) {
        throw bad_data(
            "the filter is damaged: its array has a different number of bits than its header says");
    }
    storage::heap_words<> bits(from.words.size());
    std::ranges::copy(from.words, bits.data());
    return make_filter(shape, std::move(bits), from.hash, from.made_for);
}

any_filter restored_excepted(const saved_kind& from);

// One line per kind; every reader of files then supports it.
constexpr std::array<std::pair<filter_kind, restore>, 9> kinds{{
    {filter_kind::counting, restored<counting_filter>},
    {filter_kind::scalable, restored_scalable},
    {filter_kind::spectral, restored_spectral},
    {filter_kind::dynamic_count, restored<dynamic_count_filter>},
    {filter_kind::dleft, restored<dleft_filter>},
    {filter_kind::accurate, restored<accurate_filter>},
    {filter_kind::window, restored<window_filter>},
    {filter_kind::excepted, restored_excepted},
    {filter_kind::cascade, restored<cascade>},
}};

restore restorer_of(const spec& what) noexcept {
    for (const auto& [kind, restored_by] : kinds) {
        if (kind == what.kind) {
            return restored_by;
        }
    }
    return nullptr;
}

// The filter inside is saved after the list, as it would be without a list.
any_filter restored_excepted(const saved_kind& from) {
    const excepted_words parts = split_excepted(from.words);
    spec inner = from.what;
    inner.kind = parts.inner;
    const restore make = inner.kind == filter_kind::bloom ? restored_bits : restorer_of(inner);
    if (make == nullptr || inner.kind == filter_kind::excepted) {
        throw bad_data("the filter is damaged: its exceptions do not match its filter");
    }
    return any_excepted::restored(
        make({inner, from.made_for, from.hash, parts.inner_words, from.options}), parts.list,
        from.options.secret ? from.options.secret : from.hash.secret());
}

} // namespace

bool is_native_kind(const spec& what) noexcept {
    return what.scheme == layout::scheme_id::native && restorer_of(what) != nullptr;
}

any_filter restored_kind(const spec& what, const design& made_for, const native_hash& hash,
                         std::span<const std::uint64_t> words, const decode_options& options) {
    if (!is_native_kind(what)) {
        throw unsupported("filters of this kind cannot be saved in a native file");
    }
    return restorer_of(what)({what, made_for, hash, words, options});
}

} // namespace bloomery::inline v0::format
