// A mapped native file: its chunks, their checksums, its state.
#pragma once

#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>
#include <bloomery/storage/words.hpp>

#include "posix_file.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>

namespace bloomery::inline v0::format {

/// One bit per chunk, initially clear. Thread-safe.
class chunk_set {
public:
    explicit chunk_set(std::uint64_t count) : words_(count / 64 + 1) {}
    [[nodiscard]] bool has(std::uint64_t chunk) const noexcept {
        return (word(chunk).load(std::memory_order_acquire) >> (chunk % 64) & 1) != 0;
    }
    void add(std::uint64_t chunk) noexcept {
        const std::uint64_t bit = std::uint64_t{1} << (chunk % 64);
        if ((word(chunk).fetch_or(bit, std::memory_order_release) & bit) == 0) {
            count_.fetch_add(1, std::memory_order_release);
        }
    }
    [[nodiscard]] std::uint64_t count() const noexcept {
        return count_.load(std::memory_order_acquire);
    }
    void clear() noexcept {
        std::fill_n(words_.data(), words_.word_count(), std::uint64_t{0});
        count_ = 0;
    }
    /// Calls `visit` with each chunk in it, in order. O(chunks / 64).
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < words_.word_count(); ++i) {
            for (std::uint64_t left = words_.data()[i]; left != 0; left &= left - 1) {
                visit(i * 64 + static_cast<std::uint64_t>(std::countr_zero(left)));
            }
        }
    }

private:
    [[nodiscard]] std::atomic_ref<std::uint64_t> word(std::uint64_t chunk) const noexcept {
        return std::atomic_ref<std::uint64_t>(words_.data()[chunk / 64]);
    }
    mutable storage::heap_words<> words_; // lazily for large files: opening stays O(1)
    std::atomic<std::uint64_t> count_ = 0;
};

/// The mapping, and the rules by which it may be read and changed.
class mapped_file {
public:
    /// Throws like `map`.
    mapped_file(const std::filesystem::path& path, map_mode mode, const map_options& options);
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file();

    [[nodiscard]] const native_header& header() const noexcept { return header_; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] bool is_writable() const noexcept { return mode_ == map_mode::read_write; }
    /// Throws unsupported if it is mapped for reading, or was opened before a fork.
    void require_writable() const;
    [[nodiscard]] std::span<std::uint64_t> words() noexcept {
        return {words_, header_.payload_bytes() / 8};
    }
    [[nodiscard]] std::span<std::uint64_t> chunk(std::uint64_t number) noexcept;

    /// Must precede the first read of a chunk. Throws bad_data if it is damaged. O(1) once it was
    /// checked. Any number of threads may call it, and touch, at once.
    void check(std::uint64_t number) {
        if (!checked_.has(number)) {
            check_anew(number);
        }
    }
    [[nodiscard]] bool all_checked() const noexcept {
        return checked_.count() == header_.chunk_count();
    }
    void check_all();

    /// Must precede every change. Throws like require_writable; io_error after a failed sync.
    void begin_changes() const;

    /// Must precede the first change of a chunk after a sync. Throws like check; io_error.
    void touch(std::uint64_t number) {
        if (!touched_.has(number)) {
            touch_anew(number);
        }
    }
    [[nodiscard]] bool all_touched() const noexcept {
        return touched_.count() == header_.chunk_count();
    }

    /// The current number of ones. O(changes since the last sync); O(file) for a reader of an open
    /// file.
    [[nodiscard]] std::uint64_t count_bits();

    void sync();

private:
    void check_anew(std::uint64_t number);
    void check_now(std::uint64_t number);
    void touch_anew(std::uint64_t number);
    void recover();
    void open_for_changes();
    void set_state(const native_state& next);
    void flush(void* from, std::size_t byte_count);
    [[nodiscard]] std::atomic_ref<std::uint64_t> noted(std::uint64_t number) noexcept {
        return std::atomic_ref<std::uint64_t>(table_[number]);
    }
    [[nodiscard]] std::span<std::byte> page() noexcept {
        return {static_cast<std::byte*>(base_), native_header_bytes};
    }

    std::filesystem::path path_;
    map_mode mode_;
    descriptor file_;
    native_header header_;
    std::size_t byte_count_;
    void* base_ = nullptr;
    std::uint64_t* words_ = nullptr;
    std::uint64_t* table_ = nullptr;
    chunk_set checked_;
    chunk_set touched_;
    std::mutex first_looks_; ///< of a writer: no chunk changes while it is checked
    native_state state_;
    std::uint64_t ones_before_ = 0; ///< of the touched chunks, when they were touched
    unsigned owner_;                ///< the process that may write, as a fork count
    bool failed_ = false;
};

} // namespace bloomery::inline v0::format
