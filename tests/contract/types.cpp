// How many types the contract is checked for.
#include "contract.hpp"

#include <iostream>
#include <string>

namespace bloomery::testing {

TEST(Contract, CoversTheTypes) {
    std::string listed;
    for (const std::string& name : covered_types()) {
        listed += (listed.empty() ? "" : ", ") + name;
    }
    std::cout << covered_types().size() << " types: " << listed << '\n';
    EXPECT_GE(covered_types().size(), 75U) << "a list of types was dropped";
}

} // namespace bloomery::testing
