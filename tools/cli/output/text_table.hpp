// Rows of text in columns that are as wide as their widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

/// Collects rows and lays them out when all are known, so that no value runs into the next one,
/// however long it is. Two spaces stand between columns.
class text_table {
public:
    enum class side { left, right };
    struct column {
        std::string title;
        side cells_are = side::left;
        std::size_t least_width = 0;
    };

    explicit text_table(std::vector<column> columns);

    /// A row; cells that are left out are empty.
    void add(std::vector<std::string> cells);

    /// The titles and all rows, each on its line after `indent`, without blanks at the end.
    [[nodiscard]] std::string text(std::string_view indent = "") const;

private:
    std::vector<column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace bloomery::cli
