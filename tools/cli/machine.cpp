#include "machine.hpp"

#include <unistd.h>

#include <fstream>

namespace bloomery::cli {

namespace {

/// The value of the first line `model name : value`. Processors other than x86 have no such line.
std::optional<std::string> processor_model() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> memory_byte_count() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long page_bytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return std::nullopt;
    return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

/// The file lists all settings, with the one in force in brackets: `always [madvise] never`.
std::optional<std::string> huge_page_setting() {
    std::ifstream in("/sys/kernel/mm/transparent_hugepage/enabled");
    for (std::string word; in >> word;) {
        if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
            return word.substr(1, word.size() - 2);
        }
    }
    return std::nullopt;
}

} // namespace

machine look_at_machine() { return {processor_model(), memory_byte_count(), huge_page_setting()}; }

} // namespace bloomery::cli
