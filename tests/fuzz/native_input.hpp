// Native files from the fuzzer's bytes, corrected as far as the first byte says: otherwise nearly
// all of them would fail at a checksum.
#pragma once

#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/format/native.hpp>

#include "input.hpp"
#include "native_forgery.hpp"
#include "payload.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <ranges>
#include <vector>

namespace bloomery::fuzz {

/// What the first byte of an input asks for.
enum how : unsigned {
    mend_sums = 1,    ///< every checksum that is there is made right
    with_secret = 2,  ///< the reader knows the secret of the golden files
    careful = 4,      ///< the reader refuses an unsealed file
    this_boot = 8,    ///< an unsealed file is of this run of the system
    folded = 16,      ///< the header comes without its zeros: see `unfold`
    mend_count = 32,  ///< the state counts the bits that there are
    mend_lengths = 64 ///< the file is as long as its number of bits wants it
};

inline constexpr hash::sip_key golden_secret{0x0123456789abcdefU, 0xfedcba9876543210U};

inline format::decode_options options_from(unsigned asked) {
    format::decode_options options;
    if ((asked & with_secret) != 0) {
        options.secret = golden_secret;
    }
    if ((asked & careful) != 0) {
        options.policy = after_crash::refuse;
    }
    return options;
}

/// A page of header from its fields alone. All else are zeros, and whatever the fuzzer writes there
/// is refused at once: it finds more with 304 bytes than with 4,096.
inline std::vector<std::byte> unfold(input& from) {
    std::vector<std::byte> page(format::native_header_bytes);
    const auto put = [&](std::size_t at, std::size_t count) {
        std::ranges::copy(from.bytes(count), page.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(0, 96);
    put(256, 16); // of the comment
    put(testing::even_state_at, 64);
    put(testing::odd_state_at, 64);
    put(96, 64); // the parameters of other kinds
    return page;
}

inline std::array<std::byte, 16> boot_of_this_system() {
    std::array<std::byte, 16> id{};
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    unsigned digits = 0;
    for (char c = 0; file.get(c) && digits < 32;) {
        if (c != '-' && c != '\n') {
            const unsigned value = static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
            id[digits / 2] |= static_cast<std::byte>(digits % 2 == 0 ? value << 4U : value);
            ++digits;
        }
    }
    return id;
}

/// The bytes of the payload that the header speaks of and the file has.
inline std::size_t payload_present(byte_view file) {
    const std::uint64_t promised = hash::load_le64(file.data() + 64);
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(promised, file.size() - format::native_header_bytes));
}

/// The records of the state in which there is something.
inline std::vector<std::size_t> records_of(byte_view file) {
    std::vector<std::size_t> found;
    for (const std::size_t at : {testing::even_state_at, testing::odd_state_at}) {
        if (std::ranges::any_of(file.subspan(at, 56),
                                [](std::byte b) { return b != std::byte{}; })) {
            found.push_back(at);
        }
    }
    return found;
}

/// Makes a file right that has a page of header, as far as was asked.
inline void mend(std::vector<std::byte>& file, unsigned asked) {
    constexpr std::uint64_t longest = 1U << 16U;
    const std::uint64_t bits = hash::load_le64(file.data() + 32);
    if ((asked & mend_lengths) != 0 && bits <= longest * 8) {
        format::native_header header;
        header.what.shape.bit_count = bits;
        testing::store(file, 64, header.payload_bytes());
        file.resize(header.file_bytes(), std::byte{1});
    }
    if ((asked & this_boot) != 0) {
        static const std::array<std::byte, 16> boot = boot_of_this_system();
        for (const std::size_t at : records_of(file)) {
            if (hash::load_le64(file.data() + at + 8) == 2) {
                std::ranges::copy(boot, file.begin() + static_cast<std::ptrdiff_t>(at + 24));
            }
        }
    }
    if ((asked & mend_count) != 0) {
        std::uint64_t ones = 0;
        for (const std::byte b :
             byte_view(file).subspan(format::native_header_bytes, payload_present(file))) {
            ones += static_cast<unsigned>(std::popcount(std::to_integer<unsigned>(b)));
        }
        for (const std::size_t at : records_of(file)) {
            testing::store(file, at + 16, ones);
        }
    }
    if ((asked & mend_sums) != 0) {
        testing::mend_header(file);
        testing::mend_chunks(file, payload_present(file));
    }
}

/// All of the input that is left, as a file.
inline std::vector<std::byte> file_from(input& from, unsigned asked) {
    std::vector<std::byte> file;
    if ((asked & folded) != 0) {
        file = unfold(from);
    }
    const byte_view rest = from.rest();
    file.insert(file.end(), rest.begin(), rest.end());
    if (file.size() >= format::native_header_bytes) {
        mend(file, asked);
    }
    return file;
}

inline std::vector<std::byte> encoded(const any_filter& source,
                                      const format::encode_options& options = {}) {
    std::vector<std::byte> file;
    format::encode_native(
        source, [&](byte_view part) { file.insert(file.end(), part.begin(), part.end()); },
        options);
    return file;
}

/// The bytes as a pipe gives them.
inline format::byte_source pipe_of(byte_view bytes) {
    return [bytes](std::span<std::byte> into) mutable {
        const std::size_t count = std::min(bytes.size(), into.size());
        std::ranges::copy(bytes.first(count), into.begin());
        bytes = bytes.subspan(count);
        return count;
    };
}

inline bool same(const any_filter& a, const any_filter& b) {
    return a.spec() == b.spec() && a.made_for() == b.made_for() && a.secret() == b.secret() &&
           testing::payload_of(a) == testing::payload_of(b);
}

} // namespace bloomery::fuzz
