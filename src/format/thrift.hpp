// The part of Thrift's compact protocol that a reader of foreign structures needs: wanted fields
// are read, all others are skipped. Nothing is read past the end, and nesting is bounded, so that
// no input exhausts the stack.
#pragma once

#include <bloomery/detail/key/bytes.hpp>

#include "cursor.hpp"

#include <cstdint>
#include <string_view>

namespace bloomery::inline v0::format {

/// How a value is written.
enum class thrift_type : std::uint8_t {
    stop = 0,
    yes = 1, ///< a field that is true has no other value
    no = 2,
    i8 = 3,
    i16 = 4,
    i32 = 5,
    i64 = 6,
    f64 = 7,
    binary = 8,
    list = 9,
    set = 10,
    map = 11,
    structure = 12,
    uuid = 13,
};

/// Reads values in sequence. Every call throws bad_data for invalid input.
class thrift_reader {
public:
    explicit thrift_reader(byte_view bytes) noexcept : from_(bytes) {}

    /// The rest after the values read so far.
    [[nodiscard]] byte_view rest() const noexcept { return from_.rest(); }

    /// Calls `each(id, type)` for every field of the next structure. It reads the value and returns
    /// true, or returns false to skip it.
    template <class Each>
    void each_field(Each each) {
        int id = 0;
        for (field at = next_field(id); at.type != thrift_type::stop; at = next_field(id)) {
            id = at.id;
            if (!each(at.id, at.type)) {
                skip(at.type, 0);
            }
        }
    }

    /// Calls `each()` for every element of the next list, which must have that type.
    template <class Each>
    void each_element(thrift_type wanted, Each each) {
        const list_start list = next_list();
        if (list.count != 0 && list.type != wanted) {
            refuse();
        }
        for (std::uint64_t i = 0; i < list.count; ++i) {
            each();
        }
    }

    /// A whole number of any width.
    std::int64_t integer();
    /// A text or bytes.
    std::string_view binary();

private:
    struct field {
        int id;
        thrift_type type;
    };
    struct list_start {
        thrift_type type;
        std::uint64_t count;
    };

    [[noreturn]] static void refuse();
    std::uint64_t varint();
    field next_field(int before);
    list_start next_list();
    void skip(thrift_type type, unsigned depth);
    void skip_map(unsigned depth);
    void skip_structure(unsigned depth);
    void skip_elements(thrift_type type, std::uint64_t count, unsigned depth);

    cursor from_;
};

} // namespace bloomery::inline v0::format
