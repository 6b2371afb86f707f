#include "output/text_table.hpp"

#include <algorithm>
#include <utility>

namespace bloomery::cli {

text_table::text_table(std::vector<column> columns) : columns_(std::move(columns)) {
    std::vector<std::string> titles;
    titles.reserve(columns_.size());
    for (const column& each : columns_) titles.push_back(each.title);
    add(std::move(titles));
}

void text_table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        columns_[i].least_width = std::max(columns_[i].least_width, cells[i].size());
    }
    rows_.push_back(std::move(cells));
}

std::string text_table::text(std::string_view indent) const {
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string blanks(columns_[i].least_width - row[i].size(), ' ');
            if (i > 0) line += "  ";
            line += columns_[i].cells_are == side::left ? row[i] + blanks : blanks + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace bloomery::cli
