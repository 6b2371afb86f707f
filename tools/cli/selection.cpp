#include "selection.hpp"

#include <cstddef>

namespace bloomery::cli {

void write_selected(output& out, std::span<const std::string_view> records, const bitmap& bits,
                    bool wanted, char delimiter) {
    for (std::size_t i = 0; i < records.size();) {
        if (bits[i] != wanted) {
            ++i;
            continue;
        }
        const char* const begin = records[i].data();
        const char* end = begin + records[i].size();
        for (++i; i < records.size() && bits[i] == wanted && records[i].data() == end + 1; ++i) {
            end += 1 + records[i].size();
        }
        out.write_record({begin, static_cast<std::size_t>(end - begin)}, delimiter);
    }
}

} // namespace bloomery::cli
