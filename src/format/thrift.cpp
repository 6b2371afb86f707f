#include "thrift.hpp"

#include <bloomery/error.hpp>

namespace bloomery::inline v0::format {

namespace {

constexpr unsigned most_depth = 32; // Parquet's own structures go 10 deep

constexpr std::int64_t from_zigzag(std::uint64_t raw) noexcept {
    return static_cast<std::int64_t>((raw >> 1U) ^ (0 - (raw & 1U)));
}

} // namespace

void thrift_reader::refuse() {
    throw bad_data("the file is damaged: a Thrift structure in it cannot be read; restore it "
                   "from a copy");
}

std::uint64_t thrift_reader::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto byte = from_.little<std::uint8_t>();
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    refuse();
}

std::int64_t thrift_reader::integer() { return from_zigzag(varint()); }

std::string_view thrift_reader::binary() { return text_of(from_.take(varint())); }

thrift_reader::field thrift_reader::next_field(int before) {
    const auto head = from_.little<std::uint8_t>();
    const auto type = static_cast<thrift_type>(head & 15U);
    if (head == 0) {
        return {0, type};
    }
    if (type == thrift_type::stop) {
        refuse();
    }
    const std::int64_t id = head >> 4U != 0 ? before + (head >> 4U) : integer();
    if (id < INT16_MIN || id > INT16_MAX) {
        refuse();
    }
    return {static_cast<int>(id), type};
}

thrift_reader::list_start thrift_reader::next_list() {
    const auto head = from_.little<std::uint8_t>();
    const std::uint64_t count = head >> 4U == 15 ? varint() : head >> 4U;
    if (count > from_.left()) { // every element takes at least one byte
        refuse();
    }
    return {static_cast<thrift_type>(head & 15U), count};
}

void thrift_reader::skip(thrift_type type, unsigned depth) {
    if (depth > most_depth) {
        refuse();
    }
    switch (type) {
    case thrift_type::yes:
    case thrift_type::no:
        return;
    case thrift_type::i8:
        from_.take(1);
        return;
    case thrift_type::i16:
    case thrift_type::i32:
    case thrift_type::i64:
        varint();
        return;
    case thrift_type::f64:
        from_.take(8);
        return;
    case thrift_type::uuid:
        from_.take(16);
        return;
    case thrift_type::binary:
        binary();
        return;
    case thrift_type::list:
    case thrift_type::set: {
        const list_start list = next_list();
        return skip_elements(list.type, list.count, depth);
    }
    case thrift_type::map:
        return skip_map(depth);
    case thrift_type::structure:
        return skip_structure(depth);
    case thrift_type::stop:
        break;
    }
    refuse();
}

void thrift_reader::skip_map(unsigned depth) {
    const std::uint64_t count = varint();
    if (count > from_.left()) {
        refuse();
    }
    const auto types = count == 0 ? 0U : from_.little<std::uint8_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
        skip_elements(static_cast<thrift_type>(types >> 4U), 1, depth);
        skip_elements(static_cast<thrift_type>(types & 15U), 1, depth);
    }
}

void thrift_reader::skip_structure(unsigned depth) {
    int id = 0;
    for (field at = next_field(id); at.type != thrift_type::stop; at = next_field(id)) {
        id = at.id;
        skip(at.type, depth + 1);
    }
}

void thrift_reader::skip_elements(thrift_type type, std::uint64_t count, unsigned depth) {
    for (std::uint64_t i = 0; i < count; ++i) {
        if (type == thrift_type::yes || type == thrift_type::no) {
            from_.take(1); // here they take one byte
        } else {
            skip(type, depth + 1);
        }
    }
}

} // namespace bloomery::inline v0::format
