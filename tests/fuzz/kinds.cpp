// The kinds that are more than bits, read from words that were changed after they were saved: a
// reader refuses them, or gives a filter that every verb may be called on.
#include <bloomery/detail/filter/any_kinds.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/accurate.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/cascade.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/filter/dleft.hpp>
#include <bloomery/filter/dynamic_count.hpp>
#include <bloomery/filter/excepted.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/scalable.hpp>
#include <bloomery/filter/spectral.hpp>
#include <bloomery/filter/window.hpp>
#include <bloomery/format/native.hpp>

#include "input.hpp"
#include "payload.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;
using testing::payload_of;

template <class Kind, class Options>
any_filter made(items n, const Options& options) {
    return Kind(n, rate{0.02}, options);
}

any_filter made_cascade(items n, unsigned ratio) {
    cascade_builder builder;
    for (std::uint64_t key = 0; key < n.value; ++key) {
        builder.store(key);
    }
    builder.begin_others(items{ratio * n.value});
    for (std::uint64_t key = 0; key < ratio * n.value; ++key) {
        must(builder.exclude(n.value + key));
    }
    return builder.finish();
}

any_filter some_kind(fuzz::input& from) {
    const items n{1U + from.byte()};
    const unsigned choice = from.byte();
    switch (from.byte() % 12) {
    case 0:
        return made<counting_filter>(n, counting_options{2U << (choice % 4), counter_layout::flat});
    case 1:
        return made<counting_filter>(n,
                                     counting_options{2U << (choice % 4), counter_layout::blocked});
    case 2:
        return made<spectral_filter>(n, spectral_options{});
    case 3:
        return made<recurring_minimum_filter>(n, spectral_options{});
    case 4:
        return made<dynamic_count_filter>(n, dynamic_count_options{1, choice % 6, 50});
    case 5:
        return made<dleft_filter>(n, dleft_options{2 + choice % 3, choice % 5});
    case 6:
        return made<accurate_filter>(n, accurate_options{choice % 2 == 0 ? 512U : 2048U});
    case 7:
        return made<scalable_filter>(n, scalable_options{.most_layers = 4, .least_items = 8});
    case 8:
        return made_cascade(n, choice % 8);
    case 9:
        return with_exceptions(filter(n, rate{0.5}), {.most_entries = choice});
    case 10:
        return with_exceptions(made<counting_filter>(n, counting_options{}),
                               {.evict_oldest = choice % 2 == 0});
    default:
        return made<window_filter>(n, window_options{choice % 2 == 0 ? 8U : 16U, choice % 3});
    }
}

bool is_closed(const any_filter& of) {
    return without_exceptions(of).spec().kind == filter_kind::cascade;
}

/// Puts keys in, and lists others.
void fill(any_filter& to, unsigned keys) {
    try {
        for (std::uint64_t key = 0; key < keys && !is_closed(to); ++key) {
            to.insert(key % 100);
        }
    } catch (const filter_full&) { // it has enough
    }
    if (auto* const listed = to.get_if<any_excepted>()) {
        for (std::uint64_t key = 0; key < keys; ++key) {
            listed->report_false_positive(1000 + key);
            listed->report_false_positive(std::string(key % 20, 'x'));
        }
    }
}

/// Every verb, a few times; nothing may fail but with a typed error.
void use(any_filter& of, fuzz::input& from) {
    for (unsigned i = 0; i < 200 && !from.empty(); ++i) {
        const std::uint64_t key = from.byte();
        try {
            switch (key % 4) {
            case 0:
                if (is_closed(of)) break;
                of.insert(key);
                must(of.may_contain(key));
                break;
            case 1:
                if (of.can_erase()) static_cast<void>(of.erase(key));
                break;
            case 2:
                if (of.can_count()) must(of.count(key) == 0 || of.may_contain(key));
                break;
            default:
                static_cast<void>(of.may_contain(key));
            }
        } catch (const filter_full&) { // the one refusal that a good filter has
        }
    }
    const statistics now = of.stats();
    must(now.bits_set <= now.bit_count && now.expected_rate >= 0 && now.expected_rate <= 1);
    must(of.rate_at(items{100}) >= 0);
    static_cast<void>(of.facts());
}

std::vector<std::byte> file_of(const format::native_header& header,
                               const std::vector<std::uint64_t>& words) {
    std::vector<std::byte> bytes;
    format::native_header said = header;
    said.state.bits_set = 0;
    for (const std::uint64_t word : words) {
        said.state.bits_set += static_cast<std::uint64_t>(__builtin_popcountll(word));
    }
    format::encode_native(said, format::words_of(words), [&](byte_view part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
    });
    return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input from(data, size);
    any_filter source = some_kind(from);
    fill(source, from.byte());
    format::native_header header = format::header_of(source);
    std::vector<std::uint64_t> words = payload_of(source);
    for (unsigned changes = from.byte() % 8; changes > 0; --changes) {
        const unsigned what = from.byte();
        if (what % 8 == 0) {
            header.what.parameters.at(what / 8 % 8) ^= from.number();
        } else if (what % 8 == 1) {
            words.resize(1 + from.number(2) % (2 * words.size()));
            header.kind_bytes = 8 * words.size();
        } else if (what % 8 == 2) {
            header.what.shape.bit_count ^= 1U + from.number(4);
        } else {
            words[from.number(3) % words.size()] ^= from.number();
        }
    }
    std::optional<any_filter> found;
    format::decode_options options;
    options.limits.most_unseen_bytes = 1U << 20U; // growth is a claim of the file
    try {
        found = format::decode_native(file_of(header, words), options);
    } catch (const error&) { // the only way to refuse
        return 0;
    }
    must(payload_of(*found) == words && found->spec() == header.what);
    use(*found, from);
    const std::vector<std::uint64_t> after = payload_of(*found);
    format::native_header again = format::header_of(*found);
    must(payload_of(format::decode_native(file_of(again, after))) == after);
    return 0;
}
