// A real server with the module in it.
#pragma once

#include "redis_server.hpp"
#include "resp_text.hpp"
#include "test_paths.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bloomery::testing {

/// Settings of a server that loads bloomery.so, with arguments for it and lines of configuration.
inline redis_settings with_module(std::vector<std::string> lines = {},
                                  const std::string& arguments = {}) {
    lines.push_back("loadmodule " + module_file() + " " + arguments);
    return {.lines = std::move(lines)};
}

/// A server and a client of each protocol.
struct module_server : redis_server {
    explicit module_server(std::vector<std::string> lines = {}, const std::string& arguments = {})
        : redis_server(with_module(std::move(lines), arguments)) {}

    resp_client resp2{socket(), resp_client::protocol::resp2};
    resp_client resp3{socket(), resp_client::protocol::resp3};
};

} // namespace bloomery::testing
