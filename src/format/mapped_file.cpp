#include "mapped_file.hpp"

#include <bloomery/error.hpp>
#include <bloomery/layout/ones.hpp>

#include "native_chunks.hpp"
#include "native_header.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace bloomery::format {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t end_of_generations = std::uint64_t{1} << 63U;

std::atomic<unsigned> forks = 0;

/// How many forks lie between the first process and this one: cheaper to ask than the process id.
unsigned forks_so_far() {
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] { ++forks; });
    static_cast<void>(registered);
    return forks.load(std::memory_order_relaxed);
}

descriptor open_for(const fs::path& path, map_mode mode, const map_options& options) {
    if (mode == map_mode::read_only) {
        return open_regular(path);
    }
    return open_locked(path, true, options.locked == if_locked::wait);
}

native_header read_header(const descriptor& file, const fs::path& path, map_mode mode,
                          const decode_options& options) {
    return naming(path, [&] {
        native_header header = read_native_header(file, path, options.limits);
        static_cast<void>(hash_for(header, options.secret)); // who may not use it, may not seal it
        check_policy(header.state, options.policy, [&] {     // a writer has the lock itself
            return mode == map_mode::read_only && is_locked(file, path);
        });
        // No writer can have come so far, and one that began there would count past the end: its
        // states would be older than the one that it found.
        require(mode == map_mode::read_only || header.state.generation < end_of_generations,
                "the filter's state counts too many writers; load it and save "
                "it again");
        return header;
    });
}

// A file with holes, from a copying program that made them, would need blocks just when a bit is
// set. If the disk were full then, the system's answer to that store would be SIGBUS.
void fill_holes(const descriptor& file, std::size_t byte_count, const fs::path& path) {
    const off_t hole = ::lseek(file.get(), 0, SEEK_HOLE);
    if (hole < 0 || static_cast<std::uint64_t>(hole) >= byte_count) {
        return;
    }
    if (::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(byte_count)) != 0 &&
        errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) {
        fail("cannot write " + path.string());
    }
}

} // namespace

mapped_file::mapped_file(const fs::path& path, map_mode mode, const map_options& options)
    : path_(path), mode_(mode), file_(open_for(path, mode, options)),
      header_(read_header(file_, path, mode, options.decoding)), byte_count_(header_.file_bytes()),
      checked_(header_.chunk_count()), touched_(is_writable() ? header_.chunk_count() : 0),
      state_(header_.state), owner_(forks_so_far()) {
    const int protection = is_writable() ? PROT_READ | PROT_WRITE : PROT_READ;
    base_ = ::mmap(nullptr, byte_count_, protection, MAP_SHARED, file_.get(), 0);
    if (base_ == MAP_FAILED) {
        fail("cannot map " + path.string());
    }
    words_ = reinterpret_cast<std::uint64_t*>(page().data() + native_header_bytes); // NOLINT
    table_ = words_ + header_.payload_bytes() / 8;
    try {
        naming(path, [&] { check_end(header_, words().back()); });
        if (is_writable() && !state_.sealed) {
            recover();
            if (options.recovered) {
                options.recovered();
            }
        }
    } catch (...) {
        ::munmap(base_, byte_count_);
        throw;
    }
}

mapped_file::~mapped_file() {
    try {
        sync();
    } catch (...) { // NOLINT(bugprone-empty-catch): the next writer finds the file open, and seals
    }
    ::munmap(base_, byte_count_);
}

std::span<std::uint64_t> mapped_file::chunk(std::uint64_t number) noexcept {
    return words().subspan(number * native_chunk_words, bytes_of_chunk(header_, number) / 8);
}

// A reader may look while a writer is changing the chunk. A writer takes the checksum away before
// it changes anything, so the checksum that counts is the one after the sum.
void mapped_file::check_anew(std::uint64_t number) {
    naming(path_, [&] {
        const chunk_verdict verdict = settle([&] {
            const std::uint64_t before = noted(number).load(std::memory_order_acquire);
            const std::uint64_t sum = chunk_checksum(chunk(number), number);
            if (sum == before) {
                return sight{sum, before, {}}; // whatever the state, which a sync may be changing
            }
            std::atomic_thread_fence(std::memory_order_acquire);
            sight seen{sum, noted(number).load(std::memory_order_relaxed),
                       decode_native_state(page())};
            seen.state.sealed |= is_writable(); // what this writer has not touched is as it was
            return seen;
        });
        if (verdict == chunk_verdict::damaged) {
            throw damaged_chunk(header_, number);
        }
        checked_.add(number);
    });
}

void mapped_file::check_all() {
    for (std::uint64_t i = 0; i < header_.chunk_count() && !all_checked(); ++i) {
        check(i);
    }
}

void mapped_file::require_writable() const {
    if (!is_writable()) {
        throw unsupported(path_.string() + ": this filter is mapped for reading only; map it for "
                                           "reading and writing to add to it");
    }
    if (owner_ != forks_so_far()) {
        throw unsupported(path_.string() +
                          ": this filter belongs to the process that this one was "
                          "forked from; map it again when that one is done with it");
    }
}

void mapped_file::touch_anew(std::uint64_t number) {
    check(number);
    if (state_.sealed) {
        open_for_changes();
    }
    // What a header that lies would add up to, no reader would take any more.
    const std::uint64_t ones = count_ones(chunk(number));
    naming(path_, [&] {
        require(ones_before_ + ones <= state_.bits_set,
                "the filter is damaged: it holds a different number of bits than its header says");
    });
    ones_before_ += ones;
    noted(number).store(no_checksum, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release); // before any change of the chunk
    touched_.add(number);
}

std::uint64_t mapped_file::count_bits() {
    // Not kept by a reader, whom several threads may ask at once.
    const native_state now = is_writable() ? state_ : decode_native_state(page());
    if (!is_writable() && !now.sealed) {
        check_all();
        return count_ones(words());
    }
    std::uint64_t ones = now.bits_set - ones_before_;
    touched_.for_each([&](std::uint64_t number) { ones += count_ones(chunk(number)); });
    return ones;
}

void mapped_file::flush(void* from, std::size_t byte_count) {
    if (::msync(from, byte_count, MS_SYNC) != 0) {
        failed_ = true;
        fail("cannot write " + path_.string() + " to the disk");
    }
}

void mapped_file::set_state(const native_state& next) {
    store_native_state(page(), next);
    flush(base_, native_header_bytes);
    state_ = next;
}

// On the disk before the first change is: whatever a crash leaves behind then says so itself.
void mapped_file::open_for_changes() {
    fill_holes(file_, byte_count_, path_);
    set_state({state_.generation + 1, false, state_.bits_set, current_boot()});
}

// The system reports a lost page once, and takes it for written afterwards. A sync that came out
// well after one that did not would be a lie, and a change of what may be sealed another.
void mapped_file::begin_changes() const {
    require_writable();
    if (failed_) {
        throw io_error(path_.string() + " could not be written to the disk, so nothing more can be "
                                        "added; open it again, which checks it",
                       std::make_error_code(std::errc::io_error));
    }
}

void mapped_file::sync() {
    if (state_.sealed || !is_writable()) {
        return;
    }
    begin_changes();
    const std::uint64_t ones = count_bits();
    touched_.for_each([&](std::uint64_t number) {
        noted(number).store(chunk_checksum(chunk(number), number), std::memory_order_release);
    });
    try {
        flush(base_, byte_count_);
    } catch (...) {
        // Nobody knows which pages are on the disk. Without checksums, recovery writes them again.
        touched_.for_each([&](std::uint64_t number) {
            noted(number).store(no_checksum, std::memory_order_relaxed);
        });
        throw;
    }
    set_state({state_.generation + 1, true, ones, {}});
    touched_.clear();
    ones_before_ = 0;
}

void mapped_file::recover() {
    naming(path_, [&] {
        std::uint64_t ones = 0;
        for (std::uint64_t i = 0; i < header_.chunk_count(); ++i) {
            const std::uint64_t sum = chunk_checksum(chunk(i), i);
            switch (judge(sum, noted(i).load(), state_)) {
            case chunk_verdict::damaged:
                throw damaged_chunk(header_, i);
            case chunk_verdict::unsealed: {
                // A store makes the page one to be written, which it may not be after an error.
                const std::atomic_ref<std::uint64_t> first(chunk(i).front());
                first.store(first.load());
                noted(i).store(sum);
                break;
            }
            case chunk_verdict::whole:
                break;
            }
            ones += count_ones(chunk(i));
            checked_.add(i);
        }
        check_ones(header_, ones);
        flush(base_, byte_count_);
        set_state({state_.generation + 1, true, ones, {}});
    });
}

} // namespace bloomery::format
