// The program that printers.sh looks at with gdb: values whose text is known.
#include <bloomery/bloomery.hpp>

#include <cstdint>
#include <vector>

namespace {

template <class... Values>
[[gnu::noinline]] void stop(const Values&... values) {
    (void)std::vector<const void*>{&values...};
}

} // namespace

int main() {
    using namespace bloomery;
    filter plain(bits{1024}, hashes{4});
    plain.insert("key");
    classic_filter classic(items{1000}, rate{0.01});
    line_filter line(items{1000}, rate{0.01});
    counting_filter counting(items{1000}, rate{0.01});
    counting.insert("key");
    scalable_filter scalable(items{1000}, rate{0.01});
    const any_filter handle = counting;
    bitmap maybe;
    plain.may_contain_many(std::vector<std::uint64_t>{1, 2, 3}, maybe);
    const items n{1000000};
    const rate p{0.001};
    const digest128 wide{0x1, 0xab};
    const digest64 narrow{0xff};
    stop(plain, classic, line, counting, scalable, handle, maybe, n, p, wide, narrow);
}
