#include <bloomery/error.hpp>
#include <bloomery/filter/counting.hpp>
#include <bloomery/plan/family.hpp>
#include <bloomery/plan/rates.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace bloomery::inline v0 {
namespace {

constexpr std::uint32_t fewest_bits = 2; // a one-bit counter would be stuck immediately
constexpr std::uint32_t most_counter_bits = storage::counters::most_bits;

constexpr std::string_view name_of(counter_layout layout) noexcept {
    return layout == counter_layout::flat ? "flat" : "blocked";
}

/// What is wrong with a filter of that many counters, as a sentence; empty if nothing is.
std::string flaw(std::uint64_t counters, std::uint32_t k, const counting_options& options) {
    const std::uint32_t width = options.counter_bits;
    if (width < fewest_bits || width > most_counter_bits) {
        return "a counter has between 2 and 32 bits, not " + std::to_string(width) + "; 4 is usual";
    }
    if (counters == 0 || counters > plan::max_bit_count / width) {
        return "a counting filter has at least one counter, and at most 2^63 bits of them; choose "
               "a number in that range";
    }
    const bool in_lines = options.layout == counter_layout::blocked;
    if (in_lines && width != 2 && width != 4 && width != 8 && width != 16) {
        return "blocked counters have 2, 4, 8 or 16 bits, not " + std::to_string(width) +
               "; use one of these, or the flat layout";
    }
    if (in_lines && counters % (512 / width) != 0) {
        return "blocked counters come in lines of " + std::to_string(512 / width) + ", and " +
               std::to_string(counters) + " is not a multiple of that; round it";
    }
    const std::uint32_t most = in_lines ? kernel::line_words : plan::max_classic_hash_count;
    if (k == 0 || k > most) {
        return "in this layout a key has between 1 and " + std::to_string(most) +
               " counters, not " + std::to_string(k) + "; choose k in that range";
    }
    return {};
}

void require_known(counter_layout layout) {
    if (layout != counter_layout::flat && layout != counter_layout::blocked) {
        throw bad_argument("a counting filter is flat or blocked; choose one of the two");
    }
}

} // namespace

counting_filter::plan_of counting_filter::planned(items n, rate p,
                                                  const counting_options& options) {
    require_known(options.layout);
    const bool in_lines = options.layout == counter_layout::blocked;
    const plan::shape size = (in_lines ? plan::counting_plan_in_lines(n, p, options.counter_bits)
                                       : plan::counting_plan(n, p, options.counter_bits))
                                 .positions;
    return {size.bit_count, size.hash_count};
}

storage::counters counting_filter::made(plan_of size, const counting_options& options) {
    require_known(options.layout);
    if (const std::string wrong = flaw(size.counters, size.hash_count, options); !wrong.empty()) {
        throw bad_argument(wrong);
    }
    return {size.counters, options.counter_bits};
}

counting_filter::counting_filter(items n, rate p, const counting_options& options,
                                 const native_hash& hash)
    : counting_filter(planned(n, p, options), options, hash, design{n.value, p.value}) {}

counting_filter::counting_filter(bits m, hashes k, const counting_options& options,
                                 const native_hash& hash)
    : counting_filter(plan_of{m.value, k.value}, options, hash, design{}) {}

counting_filter::counting_filter(plan_of size, const counting_options& options,
                                 const native_hash& hash, const design& made_for)
    : key_calls(wide_enough(hash, made_for), made_for), layout_(options.layout),
      hash_count_(size.hash_count), counters_(made(size, options)),
      line_count_(layout_ == counter_layout::blocked ? counters_.words().size() / kernel::line_words
                                                     : 0) {}

status counting_filter::erase_flat(digest128 key) {
    std::uint32_t done = 0;
    bool stuck = false;
    const bool present = each_place(key, [&](std::uint64_t at) {
        const std::uint64_t before = counters_.lower(at);
        stuck |= before == counters_.most();
        done += before != 0 ? 1 : 0;
        return before != 0;
    });
    if (present) {
        return stuck ? status::saturated : status::ok;
    }
    // What went down is below its most by two and goes up again; what is stuck stays.
    each_place(key, [&](std::uint64_t at) {
        if (done == 0) {
            return false;
        }
        counters_.raise(at);
        --done;
        return true;
    });
    return status::not_present;
}

void counting_filter::merge(const counting_filter& other) {
    detail::require_compatible(compatible_with(other), "merged");
    counters_.add(other.counters_);
}

filter counting_filter::to_bloom() const {
    if (layout_ != counter_layout::flat) {
        throw unsupported("blocked counters cannot be turned into a Bloom filter; make the "
                          "counting filter flat instead");
    }
    const layout::native shape(plan::shape{layout_kind::classic, bit_count(), hash_count_});
    storage::heap_words<> words(shape.word_count());
    for (std::uint64_t at = 0; at < bit_count(); ++at) {
        words.data()[at / 64] |= std::uint64_t{counters_[at] != 0} << (at % 64);
    }
    return filter(shape, std::move(words), hash(), made_for());
}

spec counting_filter::spec() const noexcept {
    return spec_of(filter_kind::counting, {layout_kind::classic, bit_count(), hash_count_},
                   {counter_bits(), static_cast<std::uint64_t>(layout_)});
}

double counting_filter::rate_of_lines() const {
    const std::span<const std::uint64_t> words = counters_.words();
    double sum = 0;
    for (std::size_t at = 0; at < words.size(); at += kernel::line_words) {
        std::array<double, kernel::line_words> fill{};
        for (std::size_t i = 0; i < fill.size(); ++i) {
            fill[i] = static_cast<double>(counters_.used_in(words[at + i])) / counters_.in_word();
        }
        for (std::size_t start = 0; start < fill.size(); ++start) {
            double all = 1;
            for (std::size_t i = 0; i < hash_count_; ++i) {
                all *= fill[(start + i) % fill.size()];
            }
            sum += all;
        }
    }
    return sum / static_cast<double>(words.size());
}

statistics counting_filter::stats() const {
    const std::uint64_t used = counters_.used();
    statistics now;
    if (layout_ == counter_layout::flat || bit_count() == 0) {
        now = statistics_of(spec().shape, used);
    } else {
        now.bit_count = bit_count();
        now.bits_set = used;
        now.fill_ratio = static_cast<double>(used) / static_cast<double>(bit_count());
        now.items =
            plan::estimate_items_in_lines({bit_count()}, {hash_count_}, counter_bits(), used);
        now.expected_rate = rate_of_lines();
    }
    now.unit = place_unit::counter;
    now.unit_bits = counter_bits();
    return now;
}

double counting_filter::rate_at(items n) const {
    if (bit_count() == 0) {
        return 0;
    }
    return layout_ == counter_layout::flat
               ? plan::expected_rate(spec().shape, n)
               : plan::rate_in_lines(n, {bit_count()}, {hash_count_}, counter_bits());
}

std::vector<fact> counting_filter::facts() const {
    const storage::counter_tally now = tally();
    return {{"counter bits", std::to_string(counter_bits())},
            {"layout", std::string(name_of(layout_))},
            {"stuck counters", std::to_string(now.stuck)},
            {"largest counter", std::to_string(now.largest)}};
}

saved_words counting_filter::saved() const { return {{}, {counters_.words()}}; }

counting_filter counting_filter::restored(const bloomery::spec& what, const design& made_for,
                                          const native_hash& hash,
                                          std::span<const std::uint64_t> words) {
    const kind_parameters& given = what.parameters;
    const bool later = std::ranges::any_of(std::span(given).subspan(2),
                                           [](std::uint64_t parameter) { return parameter != 0; });
    if (later || given[1] > static_cast<std::uint64_t>(counter_layout::blocked)) {
        throw unsupported("this counting filter has parameters that this version does not know; "
                          "read it with a newer one");
    }
    if (what.kind != filter_kind::counting || what.scheme != layout::scheme_id::native ||
        what.shape.layout != layout_kind::classic) {
        throw bad_data("this is not a counting filter of bloomery");
    }
    if (what.hash != hash.id() || what.seed != hash.seed()) {
        throw bad_data("the filter was made with a different hash, seed or key; use that one");
    }
    const auto width =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(given[0], most_counter_bits + 1));
    const counting_options options{width, static_cast<counter_layout>(given[1])};
    const plan_of size{what.shape.bit_count, what.shape.hash_count};
    if (const std::string wrong = flaw(size.counters, size.hash_count, options); !wrong.empty()) {
        throw bad_data("no counting filter has this shape: " + wrong);
    }
    if (words.size() != storage::counters::words_for(size.counters, width)) {
        throw bad_data("a counting filter of " + std::to_string(size.counters) +
                       " counters needs a different number of words than the " +
                       std::to_string(words.size()) + " given; the data is damaged");
    }
    counting_filter back(size, options, hash, made_for);
    if (back.hash().id() != hash.id()) {
        throw bad_data("a filter for that many keys must have a 128-bit hash; the data is damaged");
    }
    std::ranges::copy(words, back.counters_.data());
    if (!back.counters_.padding_is_clear()) {
        throw bad_data("a bit outside all counters is set; the data is damaged");
    }
    return back;
}

} // namespace bloomery::inline v0
