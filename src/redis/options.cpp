#include <bloomery/detail/text/number.hpp>
#include <bloomery/error.hpp>
#include <bloomery/redis/client.hpp>

#include <charconv>
#include <utility>

namespace bloomery::inline v0::redis {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw bad_argument(what + "; a server is redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] or "
                              "unix://[[USER]:PASSWORD@]PATH[?db=DATABASE]");
}

template <class Number>
Number number_of(std::string_view digits, const char* what) {
    const std::optional<Number> value = text::number_in<Number>(digits);
    if (!value) refuse(std::string(digits) + " is not a " + what);
    return *value;
}

std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain.push_back(text[i]);
            continue;
        }
        unsigned code = 0;
        const char* const digits = text.data() + i + 1;
        if (i + 2 >= text.size() ||
            std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) {
            refuse("in a URL, % must be followed by two hexadecimal digits");
        }
        plain.push_back(static_cast<char>(code));
        i += 2;
    }
    return plain;
}

bool take_front(std::string_view& text, std::string_view front) {
    if (!text.starts_with(front)) return false;
    text.remove_prefix(front.size());
    return true;
}

/// USER:PASSWORD@, :PASSWORD@ or nothing. The last @ ends it: a path may have one, a host may not.
void take_credentials(std::string_view& rest, std::string_view until, options& to) {
    const std::size_t end = rest.substr(0, rest.find_first_of(until)).rfind('@');
    if (end == std::string_view::npos) return;
    const std::string_view both = rest.substr(0, end);
    const std::size_t colon = both.find(':');
    if (colon == std::string_view::npos) refuse("only [USER]:PASSWORD may precede the @");
    to.user = unescaped(both.substr(0, colon));
    to.password = unescaped(both.substr(colon + 1));
    rest.remove_prefix(end + 1);
}

void take_host(std::string_view authority, endpoint& to) {
    std::string_view host = authority;
    std::string_view after;
    if (authority.starts_with('[')) { // an IPv6 address contains colons
        const std::size_t end = authority.find(']');
        if (end == std::string_view::npos) refuse("a [ has no matching ]");
        host = authority.substr(1, end - 1);
        after = authority.substr(end + 1);
    } else if (const std::size_t colon = authority.find(':'); colon != std::string_view::npos) {
        host = authority.substr(0, colon);
        after = authority.substr(colon);
    }
    if (!host.empty()) to.host = unescaped(host);
    if (after.empty()) return;
    if (after.front() != ':') refuse("only : and a port may follow the host");
    to.port = number_of<std::uint16_t>(after.substr(1), "port");
    if (to.port == 0) refuse("0 is not a port");
}

} // namespace

std::string endpoint::text() const {
    if (!socket.empty()) return socket;
    const bool is_v6 = host.find(':') != std::string::npos;
    return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

options parse_url(std::string_view url) {
    options made;
    endpoint& server = made.servers.front();
    std::string_view rest = url;
    if (take_front(rest, "rediss://")) {
        throw bad_argument(
            "rediss:// is Redis over TLS, which is not supported: use redis:// through a tunnel "
            "(stunnel, ssh -L) or a unix socket");
    }
    if (take_front(rest, "unix://")) {
        take_credentials(rest, "/?", made);
        const std::size_t question = rest.find('?');
        std::string_view query =
            question == std::string_view::npos ? std::string_view{} : rest.substr(question + 1);
        server.socket = unescaped(rest.substr(0, question));
        if (server.socket.empty()) refuse("the path of the socket is missing");
        if (take_front(query, "db=")) {
            made.database = number_of<unsigned>(query, "database number");
        } else if (!query.empty()) {
            refuse("only db=NUMBER may follow the ?");
        }
        return made;
    }
    if (!take_front(rest, "redis://")) {
        refuse(std::string(url.substr(0, url.find("//"))) + " does not name a server");
    }
    take_credentials(rest, "/", made);
    const std::size_t slash = rest.find('/');
    take_host(rest.substr(0, slash), server);
    if (slash != std::string_view::npos && slash + 1 < rest.size()) {
        made.database = number_of<unsigned>(rest.substr(slash + 1), "database number");
    }
    return made;
}

options parse_cluster_urls(std::string_view urls) {
    options made;
    made.servers.clear();
    for (bool more = true; more;) {
        const std::size_t comma = urls.find(',');
        options one = parse_url(urls.substr(0, comma));
        if (one.database != 0) refuse("a cluster has only database 0");
        if (made.servers.empty()) {
            made = one;
        } else if (one.user != made.user || one.password != made.password) {
            refuse("the servers of a cluster must have the same user and password");
        } else {
            made.servers.push_back(std::move(one.servers.front()));
        }
        more = comma != std::string_view::npos;
        if (more) urls.remove_prefix(comma + 1);
    }
    made.cluster = true;
    return made;
}

} // namespace bloomery::inline v0::redis
