// DCSO's bloom for Go: six numbers, the words, and attached data; gzipped or not.
#include <bloomery/detail/plan/number.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/plan/compat.hpp>

#include "cursor.hpp"
#include "foreign_parts.hpp"
#include "gzip.hpp"
#include "keeping.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace bloomery::inline v0::format {

namespace {

constexpr std::size_t dcso_header_bytes = 48;

struct dcso_note {
    std::uint64_t flags = 1; ///< the lowest byte is the version
    std::uint64_t capacity = 0;
    std::uint64_t rate_bits = 0; ///< a double, as stored in the file
    std::uint64_t count = 0;     ///< of inserts that changed a bit
    std::vector<std::byte> data{};
    bool packed = false;
};

/// Counts inserts, like the original.
class dcso_kept : public keeping<dcso_filter, dcso_note> {
public:
    using keeping::keeping;

    template <class Key>
    [[nodiscard]] bool try_insert(const Key& key) {
        const bool fresh = dcso_filter::try_insert(key);
        note.count += fresh ? 1 : 0;
        return fresh;
    }
    template <class Key>
    void insert(const Key& key) {
        (void)try_insert(key);
    }
    template <class Keys>
    void insert_many(Keys&& keys) {
        for (const std::ranges::range_value_t<Keys>& key : keys) {
            insert(key);
        }
    }
    template <class Keys>
    void try_insert_many(Keys&& keys, bitmap& fresh) {
        dcso_filter::try_insert_many(keys, fresh);
        note.count += fresh.count();
    }
    /// The original merges only filters with the same n and p, and adds their counts.
    [[nodiscard]] compatibility compatible_with(const dcso_kept& other) const {
        compatibility verdict = dcso_filter::compatible_with(other);
        if (verdict &&
            (note.capacity != other.note.capacity || note.rate_bits != other.note.rate_bits)) {
            verdict.reason = "they were made for different numbers of keys or rates";
        }
        return verdict;
    }
    template <class Other>
    void merge(const Other& other) {
        if constexpr (std::same_as<Other, dcso_kept>) {
            ::bloomery::detail::require_compatible(compatible_with(other), "merged");
            note.count += other.note.count;
        }
        dcso_filter::merge(other);
    }
    void shared() = delete; // the count would need a lock
    void clear() noexcept {
        dcso_filter::clear();
        note.count = 0;
    }
};

/// The design of a filter, as far as its values are valid.
design design_of(const dcso_note& note) {
    const auto p = std::bit_cast<double>(note.rate_bits);
    return {note.capacity, p > 0 && p < 1 ? p : 0};
}

struct dcso_header {
    dcso_note note;
    std::uint64_t k = 0;
    std::uint64_t m = 0;
    [[nodiscard]] std::uint64_t array_bytes() const { return words_for(m) * 8; }
};

dcso_header read_dcso_header(cursor& from) {
    dcso_header found;
    found.note.flags = from.little<std::uint64_t>();
    if ((found.note.flags & 0xffU) != 1) {
        throw bad_data(
            "this is not a filter of DCSO's bloom: the lowest byte of its flags is not 1 "
            "(its versions before 0.2.0 wrote another format)");
    }
    from.little(found.note.capacity, found.note.rate_bits, found.k, found.m, found.note.count);
    if (found.m == 0 || found.k == 0) {
        throw bad_data("this is not a filter of DCSO's bloom: it has no bits or no hashes");
    }
    return found;
}

/// Whether the original could have written this header with that many bytes after it.
bool is_plausible(const dcso_header& header, std::uint64_t left) {
    const auto p = std::bit_cast<double>(header.note.rate_bits);
    return header.note.flags == 1 && header.k <= 65535 && p > 0 && p < 1 &&
           header.array_bytes() <= left;
}

likeness looks_like_dcso(byte_view bytes) {
    return sure_if_readable([&] {
        if (!is_gzip(bytes)) {
            cursor from(bytes);
            const dcso_header header = read_dcso_header(from);
            return is_plausible(header, from.left());
        }
        std::array<std::byte, dcso_header_bytes> first{};
        const std::size_t got = gzip_reader(bytes).read(first);
        cursor from(byte_view(first).first(got));
        return is_plausible(read_dcso_header(from), bytes.size() * most_gzip_ratio);
    });
}

any_filter decode_plain(byte_view bytes, const limits& most, bool packed) {
    cursor from(bytes);
    dcso_header header = read_dcso_header(from);
    check_limits(header.k, header.array_bytes(), most);
    const byte_view array = from.take(header.array_bytes());
    const spec what = spec_of<dcso_filter>(header.m, header.k);
    any_filter made = filter_of(what, array, bit_order::bytes_lsb, most, design_of(header.note));
    header.note.data.assign(from.rest().begin(), from.rest().end());
    header.note.packed = packed;
    return with_note<dcso_kept>(std::move(made), std::move(header.note));
}

/// Decompresses a file, first the header: it gives the size of the rest and of the filter.
std::vector<std::byte> unpacked(byte_view bytes, const limits& most) {
    gzip_reader from(bytes);
    std::vector<std::byte> all(dcso_header_bytes);
    if (from.read(all) != all.size()) {
        throw bad_data("the packed filter is truncated: it ends inside its header; restore it "
                       "from a copy");
    }
    cursor start(all);
    const dcso_header header = read_dcso_header(start);
    check_limits(header.k, header.array_bytes(), most);
    if (header.array_bytes() > bytes.size() * most_gzip_ratio) {
        throw bad_data("the packed filter is truncated: it declares more data than it contains; "
                       "restore it from a copy");
    }
    check_unseen(header.array_bytes(), bytes.size(), most);
    constexpr std::size_t step = std::size_t{1} << 16U;
    for (std::size_t got = step; got == step;) {
        const std::size_t before = all.size();
        if (before - dcso_header_bytes > most.largest_filter_bytes) {
            throw memory_refused("the packed filter and its attached data exceed the limit of " +
                                 std::to_string(most.largest_filter_bytes));
        }
        check_unseen(before, bytes.size(), most);
        all.resize(before + step);
        got = from.read(std::span(all).subspan(before));
        all.resize(before + got);
    }
    return all;
}

any_filter decode_dcso(byte_view bytes, const foreign_options& options) {
    return is_gzip(bytes) ? decode_plain(unpacked(bytes, options.limits), options.limits, true)
                          : decode_plain(bytes, options.limits, false);
}

/// The note of any DCSO filter, including one that did not come with a note: its number of keys is
/// estimated from its bits, because every counted insert sets at least one.
dcso_note dcso_note_of(const any_filter& source) {
    if (const auto* const kept = source.get_if<dcso_kept>()) {
        return kept->note;
    }
    dcso_note note;
    note.capacity = source.made_for().item_capacity;
    note.rate_bits = std::bit_cast<std::uint64_t>(source.made_for().target_rate);
    const statistics now = source.stats();
    const auto most = static_cast<double>(now.bits_set);
    note.count = static_cast<std::uint64_t>(std::min(std::round(now.items.items), most));
    return note;
}

void encode_dcso(const any_filter& source, const byte_consumer& write,
                 const foreign_options& /*options*/) {
    const spec what = source.spec();
    require_type<dcso_filter>(what, dcso_format);
    const dcso_note note = dcso_note_of(source);
    byte_writer to;
    to.little(note.flags, note.capacity, note.rate_bits, std::uint64_t{what.shape.hash_count},
              what.shape.bit_count, note.count);
    const auto write_parts = [&](const byte_consumer& plain) {
        plain(to.bytes());
        write_array(source.words(), bit_order::bytes_lsb, what.shape.byte_count(), plain);
        plain(note.data);
    };
    note.packed ? write_gzip(write_parts, write) : write_parts(write);
}

any_filter create_dcso(const foreign_options& options) {
    dcso_note note;
    note.capacity = options.n.value_or(items{0}).value;
    note.rate_bits = std::bit_cast<std::uint64_t>(options.p.value_or(rate{0}).value);
    const plan::compat_shape chosen =
        new_size_of(options, plan::dcso_shape,
                    "a filter of DCSO's bloom is made from items and rate, or from bits and hashes")
            .shape;
    any_filter made =
        empty_filter(spec_of<dcso_filter>(chosen.bit_count, chosen.hash_count), design_of(note));
    return with_note<dcso_kept>(std::move(made), std::move(note));
}

/// As `bloom show` prints it.
std::vector<foreign_fact> dcso_facts(const any_filter& of) {
    const dcso_note note = dcso_note_of(of);
    const plan::shape shape = of.spec().shape;
    const std::string p = plan::scientific(std::bit_cast<double>(note.rate_bits), 2);
    std::vector<foreign_fact> all{{"Capacity", std::to_string(note.capacity)},
                                  {"Elements present", std::to_string(note.count)},
                                  {"FP probability", p},
                                  {"Bits", std::to_string(shape.bit_count)},
                                  {"Hash functions", std::to_string(shape.hash_count)}};
    if (!note.data.empty()) {
        all.push_back({"attached data", in_bytes(note.data.size())});
    }
    if (note.packed) {
        all.push_back({"packed", "with gzip"});
    }
    return all;
}

} // namespace

const foreign_format dcso_format{
    .name = "dcso",
    .what = "DCSO's bloom for Go, versions from 0.2.0, packed with gzip or not",
    .keys = "bytes",
    .looks = looks_like_dcso,
    .decode = decode_dcso,
    .encode = encode_dcso,
    .create = create_dcso,
    .facts = dcso_facts,
};

} // namespace bloomery::inline v0::format
