#include "native_kinds.hpp"

#include <bloomery/error.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_excepted.hpp>
#include <bloomery/filter/any_kinds.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/make.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/layout/scheme.hpp>
#include <bloomery/storage/words.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace bloomery::format {

namespace {

using restore = any_filter (*)(const spec&, const design&, const native_hash&,
                               std::span<const std::uint64_t>, const decode_options&);

template <class Kind>
any_filter restored(const spec& what, const design& made_for, const native_hash& hash,
                    std::span<const std::uint64_t> words, const decode_options& /*options*/) {
    return Kind::restored(what, made_for, hash, words);
}

any_filter restored_scalable(const spec& what, const design& made_for, const native_hash& hash,
                             std::span<const std::uint64_t> words, const decode_options& options) {
    return scalable_filter::restored(what, made_for, hash, words, options.limits.most_unseen_bytes);
}

any_filter restored_spectral(const spec& what, const design& made_for, const native_hash& hash,
                             std::span<const std::uint64_t> words, const decode_options& options) {
    switch (static_cast<spectral_policy>(what.parameters[0])) {
    case spectral_policy::minimal_increase:
        return restored<minimal_increase_filter>(what, made_for, hash, words, options);
    case spectral_policy::recurring_minimum:
        return restored<recurring_minimum_filter>(what, made_for, hash, words, options);
    default: // which refuses what it is not
        return restored<spectral_filter>(what, made_for, hash, words, options);
    }
}

any_filter restored_bits(const spec& what, const design& made_for, const native_hash& hash,
                         std::span<const std::uint64_t> words, const decode_options& /*options*/) {
    const std::uint64_t past_end = what.shape.bit_count % 64;
    if (words.size() != what.shape.byte_count() / 8 ||
        (past_end != 0 && words.back() >> past_end != 0)) {
        throw bad_data(
            "the filter is damaged: its array has a different number of bits than its header says");
    }
    storage::heap_words<> bits(words.size());
    std::ranges::copy(words, bits.data());
    return make_filter(what.shape, std::move(bits), hash, made_for);
}

any_filter restored_excepted(const spec& what, const design& made_for, const native_hash& hash,
                             std::span<const std::uint64_t> words, const decode_options& options);

// A kind is one line here, and every reader of files has it.
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
    const auto* const found =
        std::ranges::find(kinds, what.kind, [](const auto& kind) { return kind.first; });
    return found == kinds.end() ? nullptr : found->second;
}

// The filter inside is saved behind the list, as it would be without it.
any_filter restored_excepted(const spec& what, const design& made_for, const native_hash& hash,
                             std::span<const std::uint64_t> words, const decode_options& options) {
    const excepted_words parts = split_excepted(words);
    spec inner = what;
    inner.kind = parts.inner;
    const restore make = inner.kind == filter_kind::bloom ? restored_bits : restorer_of(inner);
    if (make == nullptr || inner.kind == filter_kind::excepted) {
        throw bad_data("the filter is damaged: its exceptions do not fit its filter");
    }
    return any_excepted::restored(make(inner, made_for, hash, parts.inner_words, options),
                                  parts.list, options.secret ? options.secret : hash.secret());
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
    return restorer_of(what)(what, made_for, hash, words, options);
}

} // namespace bloomery::format
