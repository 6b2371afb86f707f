// Writing some records of a batch, fast: neighbours that are both wanted leave in one piece.
#pragma once

#include <bloomery/storage/bitmap.hpp>

#include "output.hpp"

#include <span>
#include <string_view>

namespace bloomery::cli {

/// Writes the records whose bit is `wanted`, each with its delimiter. The records of a batch lie
/// one after another in the reader's buffer with one delimiter between, so a run of them is one
/// write.
void write_selected(output& out, std::span<const std::string_view> records, const bitmap& bits,
                    bool wanted, char delimiter);

} // namespace bloomery::cli
