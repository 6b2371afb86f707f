// The pieces that CF.SCANDUMP gives and CF.LOADCHUNK takes.
#include "cuckoo_filter.hpp"

#include <algorithm>

namespace bloomery::redis_module {

namespace {

/// Visits the numbers of a header in their order, each with the bytes that it takes.
template <class Fields, class Visit>
void each_number(Fields& of, Visit visit) {
    visit(of.items, 8);
    visit(of.buckets, 8);
    visit(of.deletes, 8);
    visit(of.filters, 8);
    visit(of.bucket_size, 2);
    visit(of.iterations, 2);
    visit(of.expansion, 2);
}

} // namespace

cuckoo_filter::header_bytes cuckoo_filter::header() const noexcept {
    header_bytes made;
    std::byte* to = made.data();
    const cuckoo_fields all = fields();
    each_number(all, [&](std::uint64_t number, int size) {
        for (int i = 0; i < size; ++i) *to++ = static_cast<std::byte>(number >> (8 * i));
    });
    return made;
}

std::optional<cuckoo_fields> cuckoo_filter::read_header(byte_view header) noexcept {
    if (header.size() != header_size) return std::nullopt;
    const std::byte* from = header.data();
    cuckoo_fields read;
    each_number(read, [&](std::uint64_t& number, int size) {
        number = 0;
        for (int i = 0; i < size; ++i) {
            number |= std::to_integer<std::uint64_t>(*from++) << (8 * i);
        }
    });
    return read;
}

byte_view cuckoo_filter::piece(std::uint64_t from, std::uint64_t most) const noexcept {
    for (std::size_t i = 0; i < filters_.size(); ++i) {
        const byte_view all = bytes(i);
        if (from < all.size()) {
            return all.subspan(from, std::min<std::uint64_t>(all.size() - from, most));
        }
        from -= all.size();
    }
    return {};
}

bool cuckoo_filter::put_piece(std::uint64_t from, byte_view bytes) noexcept {
    if (bytes.empty()) return false;
    for (sub_filter& in : filters_) {
        const std::uint64_t size = in.bytes.size();
        if (from < size) {
            if (bytes.size() > size - from) return false;
            std::ranges::copy(bytes, in.bytes.data() + from);
            first_open_ = 0;
            compaction_.some_stayed = true;
            return true;
        }
        from -= size;
    }
    return false;
}

} // namespace bloomery::redis_module
