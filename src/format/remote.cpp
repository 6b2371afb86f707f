#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/kernel/shared_words.hpp>
#include <bloomery/detail/layout/expected_rate.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/detail/plan/digest_floor.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/remote.hpp>

#include "little_endian.hpp"
#include "native_parts.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace bloomery::inline v0::format {

namespace {

constexpr std::uint64_t page_bits = native_chunk_bytes * 8;

native_header checked_header(byte_view page, std::uint64_t file_bytes,
                             const decode_options& options) {
    native_header header = decode_native_header(page, options.limits);
    require_whole(header, file_bytes);
    check_policy(header.state, options.policy, [] { return false; });
    if (header.what.kind != filter_kind::bloom) {
        throw unsupported("a filter of the kind " + std::string(name_of(header.what.kind)) +
                          " cannot be queried page by page; load the whole file");
    }
    if (header.what.scheme != layout::scheme_id::native) {
        throw unsupported("a filter with the positions of " +
                          std::string(layout::name_of(header.what.scheme)) +
                          " cannot be queried page by page; load the whole file");
    }
    return header;
}

/// A filter of one block with the layout, or any filter for the classic one, which has no blocks.
plan::shape one_block(const plan::shape& of) {
    const std::uint64_t bits = plan::facts_of(of.layout).block_bits;
    return of.layout == layout_kind::classic ? of : plan::shape{of.layout, bits, of.hash_count};
}

void check_page(const native_header& header, std::uint64_t page, byte_view bytes,
                std::uint64_t noted) {
    if (judge(chunk_checksum(bytes, page), noted, header.state) == chunk_verdict::damaged) {
        throw damaged_chunk(header, page);
    }
}

} // namespace

file_range page_range(const native_header& header, std::uint64_t page) noexcept {
    return {native_header_bytes + page * native_chunk_bytes, bytes_of_chunk(header, page)};
}

file_range checksum_range(const native_header& header, std::uint64_t page) noexcept {
    return {native_header_bytes + header.payload_bytes() + page * 8, 8};
}

remote_filter::remote_filter(byte_view header_page, std::uint64_t file_bytes,
                             const decode_options& options)
    : header_(checked_header(header_page, file_bytes, options)),
      hash_(hash_for(header_, options.secret)), reach_(header_.what.shape),
      block_(one_block(header_.what.shape)) {}

std::vector<std::uint64_t> remote_filter::missing(std::span<const digest128> digests) const {
    std::vector<std::uint64_t> wanted;
    for (const digest128 digest : digests) {
        reach_(digest, [&](std::uint64_t bit) {
            if (!pages_.contains(bit / page_bits)) {
                wanted.push_back(bit / page_bits);
            }
        });
    }
    std::ranges::sort(wanted);
    wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
    return wanted;
}

void remote_filter::put(std::uint64_t page, byte_view bytes, std::uint64_t checksum) {
    if (page >= header_.chunk_count()) {
        throw bad_argument("the filter has " + std::to_string(header_.chunk_count()) +
                           " pages, and none with the number " + std::to_string(page));
    }
    require(bytes.size() == bytes_of_chunk(header_, page), cut_short);
    check_page(header_, page, bytes, checksum);
    auto& words = pages_[page];
    std::memcpy(words.data(), bytes.data(), bytes.size());
    swap_if_big(words);
}

const remote_filter::page& remote_filter::page_of(std::uint64_t bit) const {
    const auto found = pages_.find(bit / page_bits);
    if (found == pages_.end()) {
        throw bad_argument("page " + std::to_string(bit / page_bits) +
                           " of the filter is needed for this key, and was not passed");
    }
    return found->second;
}

bool remote_filter::may_contain(digest128 digest) const {
    const bool classic = header_.what.shape.layout == layout_kind::classic;
    bool all = true;
    reach_(digest, [&](std::uint64_t bit) {
        const std::uint64_t at = bit % page_bits;
        const std::uint64_t* const words = page_of(bit).data();
        all = all && (classic ? kernel::bit_at<kernel::access::alone>(words, at)
                              : block_.may_contain(words + at / 64, digest));
    });
    return all;
}

remote_statistics::remote_statistics(const native_header& header, std::uint64_t cells)
    : header_(header) {
    if (header.what.kind != filter_kind::bloom) {
        throw unsupported("the statistics of a filter of the kind " +
                          std::string(name_of(header.what.kind)) +
                          " need the whole filter; load the file");
    }
    if (const std::uint64_t most = std::min(header.what.shape.bit_count, most_cells);
        cells == 0 || cells > most) {
        throw bad_argument("the density of this filter can be told for 1 to " +
                           std::to_string(most) + " parts, not for " + std::to_string(cells));
    }
    cells_.resize(static_cast<std::size_t>(cells));
}

void remote_statistics::add(byte_view pages, byte_view checksums) {
    const std::uint64_t left = header_.payload_bytes() - done_;
    if (pages.size() > left || (pages.size() % native_chunk_bytes != 0 && pages.size() != left)) {
        throw bad_argument("pages of 4096 bytes are counted in order, and these " +
                           std::to_string(pages.size()) + " bytes are not the next ones");
    }
    const std::size_t number = (pages.size() + native_chunk_bytes - 1) / native_chunk_bytes;
    if (checksums.size() != number * 8) {
        throw bad_argument(std::to_string(number) + " pages have " + std::to_string(number * 8) +
                           " bytes of checksums, not " + std::to_string(checksums.size()));
    }
    std::array<std::uint64_t, native_chunk_words> words; // NOLINT: written before it is read
    for (std::size_t i = 0; i < number; ++i) {
        const std::uint64_t page = done_ / native_chunk_bytes;
        const byte_view bytes =
            pages.subspan(i * native_chunk_bytes, bytes_of_chunk(header_, page));
        check_page(header_, page, bytes, hash::load_le64(checksums.data() + i * 8));
        std::memcpy(words.data(), bytes.data(), bytes.size());
        const auto some = std::span(words).first(bytes.size() / 8);
        swap_if_big(some);
        count(some);
        done_ += bytes.size();
    }
}

void remote_statistics::count(std::span<const std::uint64_t> words) {
    const plan::shape& shape = header_.what.shape;
    const std::uint64_t first = done_ * 8;
    const std::uint64_t last = std::min(first + words.size() * 64, shape.bit_count);
    ones_ += count_ones(words);
    last_word_ = words.back();
    if (shape.layout != layout_kind::classic && header_.what.scheme == layout::scheme_id::native) {
        const plan::shape part{shape.layout, last - first, shape.hash_count};
        rates_ += layout::expected_rate(part, words) * static_cast<double>(last - first);
    }
    for (std::uint64_t bit = first; bit < last;) {
        const std::uint64_t next = cell_start(cell_ + 1);
        const std::uint64_t end = std::min(next, last);
        cells_[cell_] += count_ones(words, bit - first, end - first);
        cell_ += end == next ? 1 : 0;
        bit = end;
    }
}

// floor(cell m / n), without the product of 64-bit numbers.
std::uint64_t remote_statistics::cell_start(std::uint64_t cell) const noexcept {
    const std::uint64_t m = header_.what.shape.bit_count;
    const std::uint64_t n = cells_.size();
    return cell * (m / n) + cell * (m % n) / n;
}

statistics remote_statistics::result() const {
    const spec& what = header_.what;
    if (done_ != header_.payload_bytes()) {
        throw bad_argument(std::to_string(header_.payload_bytes() - done_) +
                           " bytes of the payload were not counted yet");
    }
    check_ones(header_, ones_);
    check_end(header_, last_word_);
    statistics now = statistics_of(what, ones_);
    if (rates_ != 0) { // the blocks as they are, not as they are on average
        now.expected_rate =
            plan::with_collisions(rates_ / static_cast<double>(what.shape.bit_count),
                                  now.items.items, hash::digest_bits(what.hash));
    }
    now.intersected = header_.made_for.intersected;
    return now;
}

std::vector<double> remote_statistics::density() const {
    std::vector<double> shares;
    shares.reserve(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        const std::uint64_t bits = cell_start(i + 1) - cell_start(i);
        shares.push_back(static_cast<double>(cells_[i]) / static_cast<double>(bits));
    }
    return shares;
}

} // namespace bloomery::inline v0::format
