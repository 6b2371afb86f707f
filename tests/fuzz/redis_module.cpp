// Any bytes as the value of a filter in Redis, from an RDB file or as the header of a dump:
// refused, or a filter that accepts items, loses none, and is the same after it was saved.
#include <bloomery/detail/format/redis_layers.hpp>
#include <bloomery/error.hpp>

#include "../../tools/redis-module/bloom_type.hpp"
#include "../../tools/redis-module/cuckoo_type.hpp"
#include "../../tools/redis-module/native_object.hpp"
#include "../../tools/redis-module/redisbloom_object.hpp"
#include "fake_server.hpp"
#include "input.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using namespace bloomery::redis_module;
using bloomery::testing::fake_digest;
using bloomery::testing::fake_file;
using bloomery::testing::fake_items;
using bloomery::testing::fake_server;
using fuzz::must;

constexpr std::uint64_t largest = std::uint64_t{1} << 24U;
/// The largest numbers of hashes and of sub-filters that are worth the time here.
constexpr std::size_t most_work = 1U << 22U;

/// A file of any values.
fake_file file_of(fuzz::input& from) {
    fake_file file;
    while (!from.empty() && file.values.size() < 64) {
        const std::uint8_t what = from.byte();
        fake_file::value value{};
        switch (what % 4) {
        case 0:
            value = {.is = fake_file::type::number, .number = from.number(1)};
            break;
        case 1:
            value = {.is = fake_file::type::number, .number = from.number(8)};
            break;
        case 2:
            value = {.is = fake_file::type::real, .real = std::bit_cast<double>(from.number(8))};
            break;
        default:
            value = {.is = fake_file::type::bytes, .bytes = from.text(from.number(2))};
            break;
        }
        file.values.push_back(std::move(value));
    }
    return file;
}

std::string digest_of(const type_methods& type, void* value) {
    fake_digest digest;
    type.digest(digest.as_digest(), value);
    return digest.bytes;
}

/// What was loaded is what is saved.
void check_file(const type_methods& type, void* value, int version) {
    fake_file file;
    type.rdb_save(file.as_stream(), value);
    void* const again = type.rdb_load(file.as_stream(), version);
    must(again != nullptr && digest_of(type, again) == digest_of(type, value));
    type.free(again);
    if (void* const copy = type.copy(nullptr, nullptr, value)) {
        must(digest_of(type, copy) == digest_of(type, value));
        type.free(copy);
    }
    must(type.mem_usage(value) > 0 && type.free_effort(nullptr, value) > 0);
}

void use(bloom_object& filter) {
    std::vector<std::string> keys;
    keys.reserve(40);
    for (int i = 0; i < 40; ++i) keys.push_back(std::to_string(i % 30));
    const fake_items items(keys);
    std::vector<outcome> became(keys.size());
    became.resize(filter.add(items.texts(), became.data(), largest));
    run_bits maybe{};
    filter.ask(items.texts(), maybe.data());
    for (std::size_t i = 0; i < became.size(); ++i) {
        const bool in = became[i] == outcome::fresh || became[i] == outcome::present;
        must(!in || bit_of(maybe.data(), i));
    }
    (void)filter.facts();
    for (std::size_t i = 0; i < filter.layer_count(); ++i) (void)filter.debug_line(i);
    (void)piece_at(filter, filter.bit_bytes() - 1, 10);
    const auto other = filter.copy();
    try {
        filter.merge(*other, largest * 4);
        must(filter.facts().items >> 61U == 0);
    } catch (const refusal&) { // of filters that claim more items than can be counted together
        must((2 * other->facts().items) >> 61U != 0);
    }
    try {
        filter.intersect(*other);
    } catch (const refusal&) { // of filters that grew
    }
    filter.ask(items.texts(), maybe.data());
    for (std::size_t i = 0; i < became.size(); ++i) {
        must(became[i] != outcome::fresh || bit_of(maybe.data(), i));
    }
}

void use(cuckoo_filter& filter) {
    for (int i = 0; i < 40; ++i) {
        const std::string key = std::to_string(i % 30);
        const std::uint64_t hash = cuckoo_filter::hash(std::as_bytes(std::span(key)));
        const cuckoo_outcome became = filter.insert(hash, largest);
        must(became != cuckoo_outcome::done || filter.contains(hash));
        (void)filter.count(hash);
        if (i % 3 == 0) (void)filter.erase(hash);
    }
    (void)filter.compact();
}

bool is_small(const bloom_object& filter) {
    return filter.layer_count() * filter.bit_bytes() < most_work;
}

void load_bloom(const char* name, int version, fuzz::input& from) {
    const type_methods& type = fake_server::type(name);
    fake_file file = file_of(from);
    void* const value = type.rdb_load(file.as_stream(), version);
    if (value == nullptr) return;
    if (is_small(*static_cast<bloom_object*>(value))) {
        check_file(type, value, name[0] == 'M' ? 4 : 1);
        use(*static_cast<bloom_object*>(value));
    }
    type.free(value);
}

void load_cuckoo(int version, fuzz::input& from) {
    const type_methods& type = fake_server::type("MBbloomCF");
    fake_file file = file_of(from);
    void* const value = type.rdb_load(file.as_stream(), version);
    if (value == nullptr) return;
    check_file(type, value, 4);
    use(*static_cast<cuckoo_filter*>(value));
    type.free(value);
}

void load_header(byte_view bytes) {
    try {
        std::unique_ptr<bloom_object> filter;
        if (format::looks_like_redis_layers(bytes)) {
            filter = native_object::from_header(bytes, largest);
        } else {
            filter = redisbloom_object::from_header(bytes, largest);
        }
        const std::vector<std::byte> again = filter->header();
        must(std::ranges::equal(again, bytes));
        if (is_small(*filter)) use(*filter);
    } catch (const error&) {   // the ways to refuse
    } catch (const refusal&) { // the same
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fake_server instead;
    must(register_bloom_types(nullptr) == ok && register_cuckoo_type(nullptr) == ok);
    fake_server::refuse_above(largest * 2);
    fuzz::input from(data, size);
    const std::uint8_t mode = from.byte();
    const int version = mode / 4 % 6;
    switch (mode % 4) {
    case 0:
        load_bloom("MBbloom--", version, from);
        break;
    case 1:
        load_bloom("bloomery-", version, from);
        break;
    case 2:
        load_cuckoo(version, from);
        break;
    default:
        load_header(from.rest());
        break;
    }
    must(fake_server::in_use() == 0);
    return 0;
}
