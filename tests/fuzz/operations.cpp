// Any sequence of operations against a model that remembers the keys: no key is ever missed,
// merging equals inserting, saving and loading changes nothing.
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/format/native.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace {

using bloomery::byte_view;
using bloomery::filter;

void must(bool holds) {
    if (!holds) {
        std::abort();
    }
}

filter reloaded(const filter& f) {
    std::vector<std::byte> file;
    bloomery::format::encode_native(
        f, [&](byte_view part) { file.insert(file.end(), part.begin(), part.end()); });
    bloomery::any_filter again = bloomery::format::decode_native(file);
    return *again.get_if<filter>();
}

struct pair_of_filters {
    filter real;
    std::set<std::string> model;
};

void step(pair_of_filters& a, pair_of_filters& b, std::uint8_t operation, const std::string& key) {
    switch (operation % 6) {
    case 0: {
        const bool known = a.model.count(key) != 0;
        const bool fresh = a.real.try_insert(key);
        must(!(known && fresh));
        a.model.insert(key);
        break;
    }
    case 1:
        must(a.real.may_contain(key) || a.model.count(key) == 0);
        break;
    case 2:
        a.real.merge(b.real);
        a.model.insert(b.model.begin(), b.model.end());
        break;
    case 3: {
        a.real.intersect(b.real);
        std::set<std::string> both;
        for (const std::string& k : a.model) {
            if (b.model.count(k) != 0) {
                both.insert(k);
            }
        }
        a.model = both;
        break;
    }
    case 4:
        must(reloaded(a.real) == a.real);
        a.real = reloaded(a.real);
        break;
    default:
        a.real.clear();
        a.model.clear();
        break;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) {
        return 0;
    }
    const bloomery::bits m{1U + data[0] * 17U};
    const bloomery::hashes k{1U + data[1] % 64U};
    pair_of_filters a{filter(m, k), {}};
    pair_of_filters b = a;
    for (std::size_t i = 2; i + 1 < size;) {
        const std::uint8_t operation = data[i];
        const std::size_t length = std::min<std::size_t>(data[i + 1] % 16, size - i - 2);
        const std::string key(reinterpret_cast<const char*>(data + i + 2), length); // NOLINT
        operation % 2 == 0 ? step(a, b, operation / 2, key) : step(b, a, operation / 2, key);
        i += 2 + length;
    }
    for (const pair_of_filters& p : {a, b}) {
        for (const std::string& key : p.model) {
            must(p.real.may_contain(key));
        }
    }
    return 0;
}
