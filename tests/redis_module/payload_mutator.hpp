// Payloads of DUMP that are wrong in one or a few ways.
#pragma once

#include "payloads.hpp"
#include "random.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// Makes payloads that are wrong in one or a few ways from some that are right.
class payload_mutator {
public:
    payload_mutator(std::uint64_t seed, std::vector<std::string> sound)
        : random_(seed), seeds_(std::move(sound)) {}

    std::string next() {
        const std::string& from = seeds_[random_.below(seeds_.size())];
        std::string body = body_of(from);
        if (random_.below(4) != 0) {
            saved_value value = value_in(body);
            for (std::uint64_t n = 1 + random_.below(2); n > 0; --n) change(value);
            body = body_of(value);
        }
        if (random_.below(3) == 0) change(body);
        return sealed(body, from);
    }

private:
    std::uint64_t strange_number(std::uint64_t old) {
        constexpr std::array<std::uint64_t, 8> all{0, 1, 2, 3, 64, 255, 65'535, 1U << 20U};
        switch (random_.below(8)) {
        case 0:
            return all[random_.below(all.size())];
        case 1:
            return ~std::uint64_t{0} >> random_.below(64);
        case 2:
            return std::uint64_t{1} << random_.below(64);
        case 3:
            return old + 1;
        case 4:
            return old - 1;
        case 5:
            return old * 2;
        case 6:
            return old ^ std::uint64_t{1} << random_.below(64);
        default:
            return random_.next() >> random_.below(64);
        }
    }
    std::uint64_t strange_real(std::uint64_t old) {
        using limit = std::numeric_limits<double>;
        constexpr std::array all{0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0.5,
                                 1e-300,
                                 limit::max(),
                                 limit::infinity(),
                                 limit::quiet_NaN(),
                                 limit::denorm_min(),
                                 0.999999,
                                 64.0};
        if (random_.below(2) == 0) {
            return std::bit_cast<std::uint64_t>(all[random_.below(all.size())]);
        }
        return old ^ std::uint64_t{1} << random_.below(64);
    }
    void change(saved_field& one) {
        switch (one.is) {
        case saved_field::type::number:
            one.number = strange_number(one.number);
            break;
        case saved_field::type::real:
            one.number = strange_real(one.number);
            break;
        default:
            change(one.bytes);
        }
    }
    void change(saved_value& value) {
        std::vector<saved_field>& fields = value.fields;
        if (fields.empty()) return;
        const std::size_t at = random_.below(fields.size());
        const std::size_t other = random_.below(fields.size());
        switch (random_.below(14)) {
        case 0:
            fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 1:
            fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(at), fields[other]);
            break;
        case 2:
            std::swap(fields[at], fields[other]);
            break;
        case 3:
            fields.resize(at);
            break;
        case 4: // the rest of another
            splice(fields, at);
            break;
        case 5:
            value.set_version(static_cast<unsigned>(random_.below(6)));
            break;
        default: // the first fields are those of the whole filter
            change(fields[random_.below(2) == 0 ? at : at % 8]);
        }
    }
    void splice(std::vector<saved_field>& fields, std::size_t at) {
        const std::string& from = seeds_[random_.below(seeds_.size())];
        const std::vector<saved_field> rest = value_in(body_of(from)).fields;
        fields.resize(at);
        for (std::size_t i = random_.below(rest.size()); i < rest.size(); ++i) {
            fields.push_back(rest[i]);
        }
    }
    void change(std::string& bytes) {
        if (bytes.empty()) return;
        const std::size_t at = random_.below(bytes.size());
        switch (random_.below(6)) {
        case 0:
            bytes.resize(at);
            break;
        case 1:
            bytes.erase(at, 1 + random_.below(9));
            break;
        case 2:
            bytes.insert(at, random_.bytes(1 + random_.below(9)));
            break;
        case 3:
            bytes.replace(at, 8, 8, random_.below(2) == 0 ? '\xff' : '\0');
            break;
        default:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random_.below(8)));
        }
    }

    random_source random_;
    std::vector<std::string> seeds_;
};

} // namespace bloomery::testing
