#include "mapped_file.hpp"

#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/error.hpp>

#include "native_parts.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bloomery::inline v0::format {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t end_of_generations = std::uint64_t{1} << 63U;

std::atomic<unsigned> forks = 0;

/// The number of forks between the first process and this one: cheaper to read than the process id.
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
        // Only a caller with the secret may seal it.
        static_cast<void>(hash_for(header, options.secret));
        check_policy(header.state, options.policy, [&] { // a writer holds the lock itself
            return mode == map_mode::read_only && is_locked(file, path);
        });
        // No writer can have reached this generation, and starting here would overflow: new states
        // would look older than the existing one.
        require(mode == map_mode::read_only || header.state.generation < end_of_generations,
                "the filter's state counts too many writers; load it and save "
                "it again");
        return header;
    });
}

// A file with holes, made by a copying program, would need blocks when a bit is set. If the disk
// were full then, the store would raise SIGBUS.
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

// A writer may change the chunk while a reader checks it. A writer clears the checksum before it
// changes anything, so the entry read after computing the sum is the one that counts.
void mapped_file::check_anew(std::uint64_t number) {
    if (!is_writable()) {
        return check_now(number);
    }
    const std::lock_guard alone(first_looks_);
    if (!checked_.has(number)) { // another thread may have changed it since
        check_now(number);
    }
}

void mapped_file::check_now(std::uint64_t number) {
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
            seen.state.sealed |= is_writable(); // what this writer has not touched is unchanged
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
                          ": this filter belongs to the parent process; map it again when the "
                          "parent is done with it");
    }
}

void mapped_file::touch_anew(std::uint64_t number) {
    const std::lock_guard alone(first_looks_);
    if (touched_.has(number)) {
        return;
    }
    if (!checked_.has(number)) {
        check_now(number);
    }
    if (state_.sealed) {
        open_for_changes();
    }
    // With a wrong count, the state written by the next sync would be rejected by every reader.
    const std::uint64_t ones = count_ones(chunk(number));
    naming(path_, [&] {
        require(ones_before_ + ones <= state_.bits_set,
                "the filter is damaged: it holds a different number of bits than its header says");
    });
    ones_before_ += ones;
    noted(number).store(no_checksum, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release); // before any change to the chunk
    touched_.add(number);
}

std::uint64_t mapped_file::count_bits() {
    // Not cached by a reader, which several threads may use at the same time.
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

// On disk before the first change, so that after a crash the file itself shows that it was open.
void mapped_file::open_for_changes() {
    fill_holes(file_, byte_count_, path_);
    set_state({state_.generation + 1, false, state_.bits_set, current_boot()});
}

// The system reports a lost page only once, and then considers it written. After a failed sync, a
// successful one would prove nothing, and the file may already look sealed.
void mapped_file::begin_changes() const {
    require_writable();
    if (failed_) {
        throw io_error(path_.string() +
                           " could not be written to the disk, so nothing more can be added",
                       std::make_error_code(std::errc::io_error), "open it again, which checks it");
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
        // It is unknown which pages are on disk. Without checksums, recovery writes them again.
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
                // A store marks the page as dirty, which it may not be after an error.
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

} // namespace bloomery::inline v0::format
