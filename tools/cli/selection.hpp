// Writing some records of a batch, fast: neighbours that are both wanted leave in one piece.
#pragma once

#include <bloomery/storage/bitmap.hpp>

#include "output.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace bloomery::cli {

/// Writes the records whose bit is `wanted`, each with its delimiter. The records of a batch lie
/// one after another in the reader's buffer with one delimiter between, so a run of them is one
/// write.
inline void write_selected(output& out, std::span<const std::string_view> records,
                           const bitmap& bits, bool wanted, char delimiter) {
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
