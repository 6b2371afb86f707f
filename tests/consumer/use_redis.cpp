// The same for filters in Redis, as far as one gets without a server.
#include <bloomery/redis/client.hpp>
#include <bloomery/version.hpp>

#include <cstdio>

int main() {
    const auto how = bloomery::redis::parse_url("redis://localhost:7000/2");
    std::puts(bloomery::version);
    return how.database == 2 ? 0 : 1;
}
