// A client that shows every byte that matters of a reply, in either protocol, as a text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

/// A connection to a server that speaks RESP2 or RESP3. A reply is written as the server means it:
///
///     +OK  -ERR text  :1  "bulk"  [:1 "x"]  {+Field :2}  #t  #f  ,0.5  nil
///
/// (nil is $-1, *-1 and _ alike; bytes of a bulk that cannot be printed are \xHH.)
class resp_client {
public:
    enum class protocol : std::uint8_t { resp2 = 2, resp3 = 3 };

    /// Connects to a unix socket. Throws std::runtime_error.
    explicit resp_client(const std::filesystem::path& socket, protocol speaks = protocol::resp2);
    resp_client(const resp_client&) = delete;
    resp_client& operator=(const resp_client&) = delete;
    ~resp_client();

    /// Runs a command, given as words. Throws std::runtime_error if the connection ends.
    std::string ask(const std::vector<std::string>& words);
    /// The same for words without spaces in them.
    std::string ask(std::string_view words);

private:
    std::string reply();
    std::string line();
    std::string bytes(std::size_t count);
    void fill();

    int socket_;
    std::string received_;
    std::size_t read_ = 0;
};

} // namespace bloomery::testing
