// A minimal program that uses the library, built the way each kind of consumer would build it.
#include <bloomery/bloomery.hpp>
#include <bloomery/version.hpp>

#include <cstdio>

int main() {
    bloomery::filter seen{bloomery::items{1000}, bloomery::rate{0.01}};
    seen.insert("a key");
    std::puts(bloomery::version);
    return seen.may_contain("a key") ? 0 : 1;
}
