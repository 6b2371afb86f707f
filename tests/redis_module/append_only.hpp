// What a server wrote to its append-only files, which is also what a replica receives.
#pragma once

#include "redis_server.hpp"
#include "wait.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {

/// Lines of configuration with which the file has a command before the client has its reply.
inline const std::vector<std::string> written_at_once{"appendonly yes", "appendfsync always"};

/// The text of all files, the base first. Throws std::runtime_error if there is none.
inline std::string append_only_text(redis_server& of) {
    const std::filesystem::path folder = of.run({"CONFIG", "GET", "dir"}).texts().at(1);
    std::string all;
    for (const char* const part : {".base.", ".incr."}) {
        for (const auto& file : std::filesystem::directory_iterator(folder / "appendonlydir")) {
            if (file.path().filename().string().find(part) == std::string::npos) continue;
            std::ifstream bytes(file.path(), std::ios::binary);
            all.append(std::istreambuf_iterator<char>(bytes), {});
        }
    }
    return all;
}

/// The commands of a text as clients send it, from an offset on.
inline std::vector<std::vector<std::string>> commands_in(const std::string& text,
                                                         std::size_t at = 0) {
    const auto number = [&](char kind) {
        const std::size_t end = text.find("\r\n", at);
        if (at >= text.size() || text[at] != kind || end == std::string::npos) {
            throw std::runtime_error("an append-only file is none");
        }
        const std::size_t value = std::stoul(text.substr(at + 1, end - at - 1));
        at = end + 2;
        return value;
    };
    std::vector<std::vector<std::string>> all;
    while (at < text.size()) {
        std::vector<std::string> command(number('*'));
        for (std::string& word : command) {
            const std::size_t size = number('$');
            word = text.substr(at, size);
            at += size + 2;
        }
        all.push_back(command);
    }
    return all;
}

/// Rewrites the file, after whatever rewriting is under way. Throws if that fails.
inline void rewrite_append_only_file(redis_server& of) {
    using namespace std::chrono_literals;
    const auto is_idle = [&] {
        return of.info("persistence", "aof_rewrite_in_progress") == "0" &&
               of.info("persistence", "aof_rewrite_scheduled") == "0";
    };
    wait_until("the first rewriting ends", 30s, is_idle);
    of.run({"BGREWRITEAOF"});
    wait_until("the rewriting ends", 30s, is_idle);
    if (of.info("persistence", "aof_last_bgrewrite_status") != "ok") {
        throw std::runtime_error("the append-only file cannot be rewritten");
    }
}

} // namespace bloomery::testing
