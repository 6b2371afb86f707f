// A folder that vanishes with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace bloomery::testing {

class temporary_folder {
public:
    temporary_folder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "bloomery-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

} // namespace bloomery::testing
