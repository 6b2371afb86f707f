// The part of bloomery.h that most pages need, over plain Bloom filters alone: a fifth of the size.
//
// The functions have the names and meanings of bloomery.h. Structures come from our own JavaScript,
// so their sizes are not checked again.
#include "slim.hpp"

#include <bloomery/detail/filter/request.hpp>
#include <bloomery/detail/hash/hash_id.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/layout/scheme.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/remote.hpp>
#include <bloomery/plan/rates.hpp>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

using namespace bloomery;
using web::guarded;

namespace {

template <class Quantity, class Number>
std::optional<Quantity> given(Number value) {
    return value == 0 ? std::nullopt : std::optional(Quantity{value});
}

std::optional<hash::sip_key> secret_in(const uint8_t* given) {
    if (given == nullptr) {
        return std::nullopt;
    }
    const auto* const bytes = reinterpret_cast<const std::byte*>(given); // NOLINT: bytes both
    return hash::sip_key{hash::load_le64(bytes), hash::load_le64(bytes + 8)};
}

layout_kind layout_named(std::string_view name) {
    if (const auto found = plan::layout_named(name)) {
        return *found;
    }
    std::string known;
    for (const plan::layout_facts& one : plan::all_layouts) {
        known += (known.empty() ? "" : ", ") + std::string(one.name);
    }
    throw bad_argument("there is no layout \"" + std::string(name) + "\"; choose one of: " + known);
}

filter_request request_in(const bloomery_options& said) {
    if (said.kind != nullptr || said.format != nullptr) {
        throw unsupported("bloomery/slim has plain Bloom filters only; import bloomery for other "
                          "kinds and for the formats of other systems");
    }
    filter_request request;
    request.n = given<items>(said.items);
    request.p = given<rate>(said.rate);
    request.memory = given<bytes>(said.bytes);
    request.m = given<bits>(said.bits);
    request.k = given<hashes>(said.hashes);
    if (said.layout != nullptr) {
        request.layout = layout_named(said.layout);
    }
    const auto secret = secret_in(said.secret);
    if (secret && said.seed != 0) {
        throw bad_argument("a keyed filter has a secret instead of a seed; leave the seed 0");
    }
    request.hash = secret ? native_hash::keyed(*secret) : native_hash::seeded(said.seed);
    request.foldable = said.foldable;
    return request;
}

template <class Make>
bloomery_status made_by(bloomery_filter** made, Make make) {
    return guarded([&] {
        *made = nullptr;
        *made = new bloomery_filter{make()};
    });
}

filter decoded(byte_view bytes, const bloomery_read_options& options) {
    format::decode_options how;
    how.secret = secret_in(options.secret);
    if (options.largest_filter_bytes != 0) {
        how.limits.largest_filter_bytes = options.largest_filter_bytes;
    }
    // Both check the header; the second checks every page, too.
    const format::remote_filter file(bytes, bytes.size(), how);
    const format::native_header& header = file.header();
    const auto payload_bytes = static_cast<std::size_t>(header.payload_bytes());
    const byte_view payload = bytes.subspan(format::native_header_bytes, payload_bytes);
    format::remote_statistics pages(header, 1);
    pages.add(payload, bytes.subspan(format::native_header_bytes + payload_bytes));
    static_cast<void>(pages.result());
    storage::heap_words<> words(payload_bytes / 8);
    std::memcpy(words.data(), payload.data(), payload_bytes);
    return filter(layout::native(header.what.shape), std::move(words), file.hash(),
                  header.made_for);
}

format::native_header header_of(const filter& of, const bloomery_write_options* options) {
    if (options->format != nullptr && std::string_view(options->format) != "native") {
        throw unsupported("bloomery/slim writes native files only; import bloomery for other "
                          "formats");
    }
    format::native_header header;
    header.what = of.spec();
    header.made_for = of.made_for();
    if (options->comment != nullptr) {
        header.comment = options->comment;
    }
    if (header.comment.size() > format::native_longest_comment) {
        throw bad_argument("a comment has at most 2048 bytes, not " +
                           std::to_string(header.comment.size()));
    }
    if (options->keep_secret) {
        header.secret = of.hash().secret();
    }
    return header;
}

} // namespace

bloomery_status bloomery_new_with(const bloomery_options* options, bloomery_filter** made) {
    return made_by(made, [&] {
        const filter_request request = request_in(*options);
        const bloom_size size = bloom_size_of(request);
        return filter(size.shape, request.hash, size.made_for);
    });
}
bloomery_status bloomery_new_like(const bloomery_filter* other, bloomery_filter** made) {
    return made_by(made, [&] {
        filter empty = other->value;
        empty.clear();
        return empty;
    });
}
bloomery_status bloomery_copy(const bloomery_filter* source, bloomery_filter** made) {
    return made_by(made, [&] { return source->value; });
}
void bloomery_close(bloomery_filter* filter) { delete filter; }

bloomery_status bloomery_compatible(const bloomery_filter* a, const bloomery_filter* b) {
    return guarded([&] {
        const compatibility verdict = a->value.compatible_with(b->value);
        if (!verdict) {
            throw incompatible(verdict.reason);
        }
    });
}
bloomery_status bloomery_merge(bloomery_filter* into, const bloomery_filter* other) {
    return guarded([&] { into->value.merge(other->value); });
}
bloomery_status bloomery_intersect(bloomery_filter* into, const bloomery_filter* other) {
    return guarded([&] { into->value.intersect(other->value); });
}
bloomery_status bloomery_clear(bloomery_filter* filter) {
    filter->value.clear();
    return BLOOMERY_OK;
}
bloomery_status bloomery_equal(const bloomery_filter* a, const bloomery_filter* b, bool* equal) {
    return guarded([&] { *equal = a->value == b->value; });
}

bloomery_status bloomery_info_of(const bloomery_filter* filter, bloomery_info* info) {
    const spec what = filter->value.spec();
    const design made_for = filter->value.made_for();
    bloomery_info told = bloomery_info_init();
    told.kind = "bloom";
    told.layout = plan::name_of(what.shape.layout).data();
    told.scheme = "native";
    told.hash = hash::name(what.hash).data();
    told.seed = what.seed;
    told.bit_count = what.shape.bit_count;
    told.hash_count = what.shape.hash_count;
    told.keyed = hash::is_keyed(what.hash);
    told.item_capacity = made_for.item_capacity;
    told.target_rate = made_for.target_rate;
    told.byte_count = filter->value.byte_count();
    told.intersected = made_for.intersected;
    *info = told;
    return BLOOMERY_OK;
}
bloomery_status bloomery_statistics_of(const bloomery_filter* filter, bloomery_statistics* to) {
    return guarded([&] {
        const statistics now = filter->value.stats();
        bloomery_statistics told = bloomery_statistics_init();
        told.bit_count = now.bit_count;
        told.bits_set = now.bits_set;
        told.fill_ratio = now.fill_ratio;
        told.items = now.items.items;
        told.standard_error = now.items.standard_error;
        told.expected_rate = now.expected_rate;
        told.unit_bits = 1;
        told.saturated = now.items.saturated;
        told.intersected = now.intersected;
        *to = told;
    });
}
bloomery_status bloomery_rate_at(const bloomery_filter* filter, uint64_t items, double* rate) {
    return guarded([&] { *rate = filter->value.rate_at(bloomery::items{items}); });
}

bloomery_status bloomery_plan_for(const bloomery_options* options, bloomery_plan* plan) {
    return guarded([&] {
        const plan::answer found = plan::solve(question_of(request_in(*options)));
        bloomery_plan made = bloomery_plan_init();
        made.layout = plan::name_of(found.filter.layout).data();
        made.bits = found.filter.bit_count;
        made.bytes = found.memory.value;
        made.hashes = found.filter.hash_count;
        made.meets_rate = found.meets_rate;
        made.items = found.n.value;
        made.rate = found.p.value;
        made.expected_rate = found.expected_rate;
        made.bits_per_item = found.bits_per_item;
        made.item_capacity = found.item_capacity;
        *plan = made;
    });
}
bloomery_status bloomery_expected_rate(const char* layout, uint64_t bits, uint32_t hashes,
                                       uint64_t items, double* rate) {
    return guarded([&] {
        *rate = plan::expected_rate({layout_named(layout), bits, hashes}, bloomery::items{items});
    });
}

bloomery_status bloomery_decode(const void* bytes, size_t size,
                                const bloomery_read_options* options, bloomery_filter** made) {
    return made_by(made, [&] {
        const byte_view all{static_cast<const std::byte*>(bytes), size};
        if (!format::looks_native(all)) {
            throw unsupported("bloomery/slim reads native files only, and this is not one; import "
                              "bloomery for other formats");
        }
        return decoded(all, *options);
    });
}
bloomery_status bloomery_encoded_size(const bloomery_filter* filter,
                                      const bloomery_write_options* options, uint64_t* size) {
    return guarded([&] { *size = header_of(filter->value, options).file_bytes(); });
}
bloomery_status web_encode(const bloomery_filter* filter, const bloomery_write_options* options) {
    return guarded([&] {
        format::native_header header = header_of(filter->value, options);
        header.state.bits_set = count_ones(filter->value.words());
        format::encode_native(header, format::words_of(filter->value.words()), [](byte_view part) {
            const auto* const bytes = reinterpret_cast<const uint8_t*>(part.data()); // NOLINT
            if (web_take(bytes, part.size()) != 0) {
                throw std::bad_alloc();
            }
        });
    });
}
