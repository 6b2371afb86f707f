#include <bloomery/detail/hash/bits.hpp>
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/error.hpp>
#include <bloomery/format/native.hpp>

#include "little_endian.hpp"
#include "native_parts.hpp"
#include "posix_file.hpp"

#include <algorithm>
#include <array>
#include <system_error>

namespace bloomery::inline v0::format {

namespace fs = std::filesystem;

struct native_reader::file {
    fs::path path;
    descriptor opened;
    native_header header;
    native_state state; ///< as it was found last
    std::uint64_t unsealed = 0;

    void bytes_at(std::uint64_t offset, std::span<std::byte> into) const {
        require(read_at(opened, offset, into, path) == into.size(), cut_short);
    }
    void words_at(std::uint64_t first, std::span<std::uint64_t> into) const {
        bytes_at(native_header_bytes + first * 8, std::as_writable_bytes(into));
        swap_if_big(into);
    }
    void table_at(std::uint64_t first_chunk, std::span<std::byte> into) const {
        bytes_at(native_header_bytes + header.payload_bytes() + first_chunk * 8, into);
    }
    native_state state_now() const {
        native_header_page page{};
        bytes_at(0, page);
        return decode_native_state(page);
    }

    chunk_verdict look_again(std::uint64_t number, std::span<std::uint64_t> words) {
        return settle([&] {
            std::array<std::byte, 8> entry{};
            table_at(number, entry);
            words_at(number * native_chunk_words, words);
            state = state_now();
            return sight{chunk_checksum(words, number), hash::load_le64(entry.data()), state};
        });
    }

    std::vector<std::uint64_t> read(std::uint64_t first, std::span<std::uint64_t> into) {
        std::vector<std::uint64_t> damaged;
        const std::uint64_t first_chunk = first / native_chunk_words;
        std::vector<std::byte> table((into.size() + native_chunk_words - 1) / native_chunk_words *
                                     8);
        table_at(first_chunk, table);
        words_at(first, into);
        for (std::size_t i = 0; i < table.size() / 8; ++i) {
            const std::size_t start = i * native_chunk_words;
            const auto chunk =
                into.subspan(start, std::min(native_chunk_words, into.size() - start));
            const std::uint64_t number = first_chunk + i;
            chunk_verdict verdict =
                judge(chunk_checksum(chunk, number), hash::load_le64(table.data() + i * 8), state);
            if (verdict == chunk_verdict::damaged) {
                verdict = look_again(number, chunk);
            }
            unsealed += verdict == chunk_verdict::unsealed ? 1 : 0;
            if (verdict == chunk_verdict::damaged) {
                damaged.push_back(number);
            }
        }
        return damaged;
    }
};

native_reader::native_reader(const std::string& path, const decode_options& options)
    : file_(std::make_unique<file>(file{path, open_regular(path), {}, {}, 0})) {
    naming(path, [&] {
        file_->header = read_native_header(file_->opened, path, options.limits);
        file_->state = file_->header.state;
        if (options.secret) {
            static_cast<void>(hash_for(file_->header, options.secret));
        }
        check_policy(file_->state, options.policy, [&] { return is_being_written(); });
    });
}

native_header read_native_header(const descriptor& file, const fs::path& path, const limits& most) {
    native_header_page page{};
    const std::size_t got = read_at(file, 0, page, path);
    native_header header = decode_native_header(byte_view{page.data(), got}, most);
    require_whole(header, length_of(file, path));
    return header;
}

native_reader::native_reader(native_reader&&) noexcept = default;
native_reader& native_reader::operator=(native_reader&&) noexcept = default;
native_reader::~native_reader() = default;

const native_header& native_reader::header() const noexcept { return file_->header; }

void native_reader::read(std::uint64_t first, std::span<std::uint64_t> into) {
    naming(file_->path, [&] {
        if (const auto damaged = file_->read(first, into); !damaged.empty()) {
            throw damaged_chunk(file_->header, damaged.front());
        }
    });
}

std::vector<std::uint64_t> native_reader::try_read(std::uint64_t first,
                                                   std::span<std::uint64_t> into) {
    return naming(file_->path, [&] { return file_->read(first, into); });
}

void native_reader::check_whole(std::uint64_t ones, std::uint64_t last_word) const {
    naming(file_->path, [&] {
        native_header then = file_->header;
        // If a writer was active during the read, we saw some of its bits, and all earlier ones.
        then.state.sealed = then.state.sealed && file_->state_now() == then.state;
        check_ones(then, ones);
        check_end(then, last_word);
    });
}

std::uint64_t native_reader::unsealed_chunks() const noexcept { return file_->unsealed; }

bool native_reader::is_being_written() const { return is_locked(file_->opened, file_->path); }

bool is_being_written(const std::string& path) {
    std::error_code failure;
    if (!fs::is_regular_file(path, failure)) {
        return false;
    }
    try {
        return is_locked(open_regular(path), path);
    } catch (const io_error&) { // opening it properly will report the reason
        return false;
    }
}

verification verify(const std::string& path, const decode_options& options) {
    native_reader reader(path, options);
    verification found{reader.header(), reader.is_being_written()};
    const std::uint64_t total = found.header.payload_bytes() / 8;
    std::vector<std::uint64_t> piece;
    std::uint64_t ones = 0;
    for (std::uint64_t first = 0; first < total; first += piece.size()) {
        piece.resize(std::min<std::uint64_t>(total - first, 256 * native_chunk_words));
        const std::vector<std::uint64_t> damaged = reader.try_read(first, piece);
        found.damaged_chunks.insert(found.damaged_chunks.end(), damaged.begin(), damaged.end());
        ones += count_ones(piece);
    }
    if (found.damaged_chunks.empty()) {
        reader.check_whole(ones, piece.back());
    }
    found.unsealed_chunks = reader.unsealed_chunks();
    return found;
}

} // namespace bloomery::inline v0::format
