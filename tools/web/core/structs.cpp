// Where the fields of bloomery.h's structures are, for the test that compares them with structs.js.
#include <bloomery/detail/key/json_object.hpp>

#include "web.hpp"

#include <cstddef>

using bloomery::text::json_object;

// Expanded once per structure: offsetof needs the name of a field.
#define FIELD(name) told.number(#name, offsetof(type, name))

bloomery_status web_structs(char** json) {
    return bloomery::web::guarded([&] {
        json_object all;
        const auto add = [&](const char* name, std::size_t size, auto fields) {
            json_object told;
            fields(told);
            json_object one;
            one.number("size", size);
            one.raw("fields", told.done());
            all.raw(name, one.done());
        };
        add("options", sizeof(bloomery_options), [](json_object& told) {
            using type = bloomery_options;
            FIELD(items), FIELD(rate), FIELD(bytes), FIELD(bits), FIELD(hashes), FIELD(foldable);
            FIELD(seed), FIELD(secret), FIELD(layout), FIELD(kind), FIELD(format);
        });
        add("keys", sizeof(bloomery_keys), [](json_object& told) {
            using type = bloomery_keys;
            FIELD(form), FIELD(encoding), FIELD(count), FIELD(data), FIELD(stride), FIELD(width);
            FIELD(offsets), FIELD(data_size), FIELD(buffers), FIELD(buffer_sizes);
            FIELD(buffer_count), FIELD(validity), FIELD(validity_offset);
        });
        add("info", sizeof(bloomery_info), [](json_object& told) {
            using type = bloomery_info;
            FIELD(kind), FIELD(layout), FIELD(scheme), FIELD(hash), FIELD(seed), FIELD(bit_count);
            FIELD(hash_count), FIELD(keyed), FIELD(can_erase), FIELD(can_count);
            FIELD(hashes_ahead), FIELD(item_capacity), FIELD(target_rate), FIELD(byte_count);
            FIELD(intersected), FIELD(may_lack_places), FIELD(can_share);
        });
        add("statistics", sizeof(bloomery_statistics), [](json_object& told) {
            using type = bloomery_statistics;
            FIELD(bit_count), FIELD(bits_set), FIELD(fill_ratio), FIELD(items);
            FIELD(standard_error), FIELD(expected_rate), FIELD(unit), FIELD(unit_bits);
            FIELD(saturated), FIELD(intersected);
        });
        add("plan", sizeof(bloomery_plan), [](json_object& told) {
            using type = bloomery_plan;
            FIELD(layout), FIELD(bits), FIELD(bytes), FIELD(hashes), FIELD(meets_rate);
            FIELD(items), FIELD(rate), FIELD(expected_rate), FIELD(bits_per_item);
            FIELD(item_capacity);
        });
        add("exception_options", sizeof(bloomery_exception_options), [](json_object& told) {
            using type = bloomery_exception_options;
            FIELD(most_entries), FIELD(evict_oldest), FIELD(fingerprints), FIELD(secret);
        });
        add("write_options", sizeof(bloomery_write_options), [](json_object& told) {
            using type = bloomery_write_options;
            FIELD(format), FIELD(comment), FIELD(keep_secret), FIELD(refuse_existing);
        });
        add("read_options", sizeof(bloomery_read_options), [](json_object& told) {
            using type = bloomery_read_options;
            FIELD(format), FIELD(secret), FIELD(refuse_unsealed), FIELD(refuse_locked);
            FIELD(largest_filter_bytes), FIELD(most_unseen_bytes), FIELD(most_hashes);
            FIELD(most_layers);
        });
        add("format", sizeof(bloomery_format), [](json_object& told) {
            using type = bloomery_format;
            FIELD(name), FIELD(what), FIELD(keys), FIELD(needs), FIELD(writable), FIELD(makeable);
        });
        *json = bloomery::web::copied_out(all.done());
    });
}
