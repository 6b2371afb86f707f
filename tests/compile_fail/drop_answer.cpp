// flags: -std=c++20 -Werror=unused-result -include bloomery/filter/filter.hpp
// says: nodiscard
int main() {
    bloomery::filter seen(bloomery::items{100}, bloomery::rate{0.01});
    seen.may_contain("key");
}
