// How a server is named in a URL.
#include <bloomery/error.hpp>
#include <bloomery/redis/client.hpp>

#include <gtest/gtest.h>

#include <string>

namespace bloomery::testing {
namespace {

using redis::endpoint;
using redis::options;
using redis::parse_cluster_urls;
using redis::parse_url;

TEST(ParseUrl, TakesWhatIsLeftOutFromTheDefaults) {
    const options how = parse_url("redis://somewhere");
    ASSERT_EQ(how.servers.size(), 1U);
    EXPECT_EQ(how.servers[0], (endpoint{"somewhere", 6379, ""}));
    EXPECT_EQ(how.user, "");
    EXPECT_EQ(how.password, "");
    EXPECT_EQ(how.database, 0U);
    EXPECT_FALSE(how.cluster);
}

TEST(ParseUrl, ReadsAllParts) {
    const options how = parse_url("redis://me:secret@10.0.0.1:7001/12");
    EXPECT_EQ(how.servers.at(0), (endpoint{"10.0.0.1", 7001, ""}));
    EXPECT_EQ(how.user, "me");
    EXPECT_EQ(how.password, "secret");
    EXPECT_EQ(how.database, 12U);
    EXPECT_EQ(parse_url("redis://:p@h").password, "p");
    EXPECT_EQ(parse_url("redis://:p@h").user, "");
    EXPECT_EQ(parse_url("redis://h/").database, 0U);
}

TEST(ParseUrl, ReadsAddressesOfIpv6) {
    EXPECT_EQ(parse_url("redis://[::1]:7000/1").servers.at(0), (endpoint{"::1", 7000, ""}));
    EXPECT_EQ(parse_url("redis://[fe80::2]").servers.at(0), (endpoint{"fe80::2", 6379, ""}));
}

TEST(ParseUrl, ReadsUnixSockets) {
    const options how = parse_url("unix:///run/redis.sock?db=3");
    EXPECT_EQ(how.servers.at(0).socket, "/run/redis.sock");
    EXPECT_EQ(how.database, 3U);
    const options secret = parse_url("unix://me:secret@/run/redis.sock");
    EXPECT_EQ(secret.servers.at(0).socket, "/run/redis.sock");
    EXPECT_EQ(secret.user, "me");
    EXPECT_EQ(secret.password, "secret");
    EXPECT_EQ(secret.database, 0U);
}

TEST(ParseUrl, ReadsWhatIsWrittenWithPercentSigns) {
    const options how = parse_url("redis://a%3Ab:%40%2f%25@h");
    EXPECT_EQ(how.user, "a:b");
    EXPECT_EQ(how.password, "@/%");
    EXPECT_EQ(parse_url("redis://:%41b@h").password, "Ab");
    EXPECT_EQ(parse_url("unix:///a%20b").servers.at(0).socket, "/a b");
}

TEST(ParseUrl, RefusesWhatNamesNoServer) {
    for (const char* const bad : {"",
                                  "host",
                                  "host:6379",
                                  "http://host",
                                  "redis:/host",
                                  "rediss://host",
                                  "redis://host:0",
                                  "redis://host:65536",
                                  "redis://host:port",
                                  "redis://host:1x",
                                  "redis://host:-1",
                                  "redis://host:",
                                  "redis://host/x",
                                  "redis://host/1x",
                                  "redis://host/-1",
                                  "redis://host/99999999999",
                                  "redis://[::1",
                                  "redis://[::1]7000",
                                  "redis://:%4@host",
                                  "redis://:%zz@host",
                                  "redis://:p%@host",
                                  "unix://",
                                  "unix://?db=1",
                                  "unix:///s?db=x",
                                  "unix:///s?other=1",
                                  "unix:///s?db="}) {
        EXPECT_THROW((void)parse_url(bad), bad_argument) << bad;
    }
}

TEST(ParseUrl, TellsNoPasswordWhenItRefuses) {
    for (const char* const bad : {"redis://me:hush@host:x", "redis://:hush@host/x",
                                  "http://me:hush@host", "unix://me:hush@/s?db=x"}) {
        try {
            (void)parse_url(bad);
            ADD_FAILURE() << bad;
        } catch (const error& told) {
            EXPECT_EQ(std::string(told.what()).find("hush"), std::string::npos) << told.what();
        }
    }
}

TEST(ParseClusterUrls, ReadsOneOrSeveral) {
    const options one = parse_cluster_urls("redis://:p@a:7000");
    EXPECT_TRUE(one.cluster);
    EXPECT_EQ(one.servers.size(), 1U);
    EXPECT_EQ(one.password, "p");
    const options some = parse_cluster_urls("redis://a:7000,redis://b,redis://[::1]:7002/0");
    EXPECT_TRUE(some.cluster);
    EXPECT_EQ(some.servers,
              (std::vector<endpoint>{{"a", 7000, ""}, {"b", 6379, ""}, {"::1", 7002, ""}}));
}

TEST(ParseClusterUrls, RefusesWhatDoesNotAgree) {
    for (const char* const bad :
         {"", ",", "redis://a,", ",redis://a", "redis://a,,redis://b", "redis://a/1",
          "redis://a,redis://b/1", "redis://:p@a,redis://:q@b", "redis://:p@a,redis://b",
          "redis://u:p@a,redis://v:p@b", "redis://a,b"}) {
        EXPECT_THROW((void)parse_cluster_urls(bad), bad_argument) << bad;
    }
}

TEST(Endpoint, IsTextThatPeopleKnow) {
    EXPECT_EQ(endpoint{}.text(), "127.0.0.1:6379");
    EXPECT_EQ((endpoint{"::1", 7000, ""}).text(), "[::1]:7000");
    EXPECT_EQ((endpoint{"ignored", 1, "/run/s"}).text(), "/run/s");
}

} // namespace
} // namespace bloomery::testing
