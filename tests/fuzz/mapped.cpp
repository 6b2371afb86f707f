// Any bytes as a file that is mapped: refused, or the answers of the loader. Then a writer and
// readers take turns on it in any order, and a crash may come at any moment: what was inserted is
// there, and what was damaged is not sealed.
#include <bloomery/detail/layout/ones.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/native.hpp>

#include "native_input.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace bloomery;
using fuzz::must;

/// A file without a disk, under a name that can be opened; used by one input after another.
class memory_file {
public:
    memory_file()
        : fd_(::memfd_create("bloomery", MFD_CLOEXEC)),
          path_("/proc/self/fd/" + std::to_string(fd_)) {
        must(fd_ >= 0);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    void write(byte_view bytes) const {
        must(::ftruncate(fd_, 0) == 0);
        must(::pwrite(fd_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    }
    [[nodiscard]] std::vector<std::byte> bytes() const {
        struct stat status{};
        must(::fstat(fd_, &status) == 0);
        std::vector<std::byte> all(static_cast<std::size_t>(status.st_size));
        must(::pread(fd_, all.data(), all.size(), 0) == status.st_size);
        return all;
    }

private:
    int fd_;
    std::filesystem::path path_;
};

/// What `make` gives, or nothing if it refuses.
template <class Make>
auto unless_refused(Make make) -> std::optional<decltype(make())> {
    try {
        return make();
    } catch (const error&) { // the only way to refuse
        return std::nullopt;
    }
}

bool refuses_its_words(const any_filter& f) {
    try {
        static_cast<void>(f.words());
        return false;
    } catch (const bad_data&) {
        return true;
    }
}

/// A file, and the keys that its writers put in.
class session {
public:
    session(const memory_file& file, const format::decode_options& options)
        : file_(file), options_(options) {}

    /// The file as it was given: the ways to read it agree. False if no writer can have it.
    bool agrees() {
        const std::vector<std::byte> bytes = file_.bytes();
        const auto whole = unless_refused([&] { return format::decode_native(bytes, options_); });
        const auto loaded = unless_refused([&] { return load(file_.path(), options_); });
        const auto found = unless_refused([&] { return format::verify(file_.path(), options_); });
        const auto reader = unless_refused([&] { return read(); });
        must(whole.has_value() == loaded.has_value());
        if (whole) {
            must(fuzz::same(*whole, *loaded));
            must(reader && fuzz::same(*whole, *reader) && found && found->damaged_chunks.empty());
            ask_alike(*whole, *reader);
        } else if (reader) {
            // Of a file that nobody read whole, all can be believed but the number of its bits.
            must(refuses_its_words(*reader) ||
                 count_ones(reader->words()) != load_header(file_.path()).state.bits_set);
            must(!found || !found->damaged_chunks.empty());
        }
        if (found) {
            damaged_ = found->damaged_chunks;
        }
        whole_ = whole.has_value();
        return reader.has_value();
    }

    void step(fuzz::input& from) {
        const unsigned operation = from.byte();
        if (!writer_) {
            writer_ = unless_refused([&] { return write(); });
            must(writer_ || !whole_ || at_the_end_of_generations());
            if (!writer_) {
                return;
            }
            note_synced();
        }
        switch (operation % 8) {
        case 0:
            return insert(from.number(1 + operation / 8 % 8));
        case 1:
            return insert(from.text(operation / 8));
        case 2:
            return insert_many(from.number(2), operation / 8 * 5);
        case 3:
            return merge(from.number(2), operation / 8);
        case 4:
            writer_->sync();
            note_synced();
            return check_sealed();
        case 5:
            writer_.reset();
            return check_sealed();
        case 6:
            return look_beside(operation / 8 % 4 == 0);
        default:
            return operation / 8 % 2 == 0 ? crash() : power_failure(from.number(2));
        }
    }

    void finish() {
        writer_.reset();
        check_sealed();
    }

private:
    [[nodiscard]] any_filter read() const {
        return map(file_.path(), map_mode::read_only, {options_});
    }
    [[nodiscard]] any_filter write() const {
        return map(file_.path(), map_mode::read_write, {options_, if_locked::refuse});
    }

    /// A forged state from which no writer can count on.
    [[nodiscard]] bool at_the_end_of_generations() const {
        return load_header(file_.path()).state.generation >> 63U != 0;
    }

    /// Inserts; a chunk that is damaged refuses its keys, only such a chunk does, or a header whose
    /// count of bits was forged, and then no bit has changed.
    template <class Insert>
    bool accepted(Insert insert) {
        const std::vector<std::byte> before =
            whole_ && damaged_.empty() ? std::vector<std::byte>() : file_.bytes();
        try {
            insert();
            return true;
        } catch (const bad_data&) {
            must(!whole_ || !damaged_.empty());
            const auto payload = [&](byte_view bytes) {
                return bytes.subspan(format::native_header_bytes,
                                     writer_->spec().shape.byte_count());
            };
            must(std::ranges::equal(payload(before), payload(file_.bytes())));
            return false;
        }
    }
    void insert(std::uint64_t number) {
        if (accepted([&] { writer_->insert(number); })) {
            numbers_.push_back(number);
        }
    }
    void insert(const std::string& text) {
        if (accepted([&] { writer_->insert(text); })) {
            texts_.push_back(text);
        }
    }
    void insert_many(std::uint64_t first, std::size_t count) {
        std::vector<std::uint64_t> keys(count);
        std::ranges::generate(keys, [&] { return first++; });
        bitmap known;
        bitmap fresh;
        if (accepted([&] {
                writer_->may_contain_many(keys, known);
                writer_->try_insert_many(keys, fresh);
            })) {
            for (std::size_t i = 0; i < count; ++i) {
                must(!(known[i] && fresh[i]));
            }
            numbers_.insert(numbers_.end(), keys.begin(), keys.end());
        }
    }
    /// Takes in a filter from memory, with keys of its own.
    void merge(std::uint64_t first, std::size_t count) {
        const spec what = writer_->spec();
        const auto secret = writer_->secret();
        const native_hash narrow =
            secret ? native_hash::keyed(*secret) : native_hash::seeded(what.seed);
        const bool wide =
            what.hash == hash::hash_id::xxh3_128 || what.hash == hash::hash_id::siphash13_128;
        any_filter other = make_filter(what.shape, wide ? narrow.widened() : narrow);
        std::vector<std::uint64_t> keys(count);
        std::ranges::generate(keys, [&] { return first += 3; });
        other.insert_many(keys);
        if (accepted([&] { writer_->merge(other); })) {
            numbers_.insert(numbers_.end(), keys.begin(), keys.end());
        }
    }

    struct counts {
        std::size_t numbers = 0;
        std::size_t texts = 0;
    };
    /// Whether the first so many keys are in.
    [[nodiscard]] bool has(const any_filter& f, const counts& first) const {
        bitmap maybe;
        f.may_contain_many(std::span(numbers_).first(first.numbers), maybe);
        return maybe.count() == first.numbers &&
               std::ranges::all_of(std::span(texts_).first(first.texts),
                                   [&](const auto& text) { return f.may_contain(text); });
    }
    [[nodiscard]] bool has_all(const any_filter& f) const {
        return has(f, {numbers_.size(), texts_.size()});
    }
    void note_synced() {
        synced_ = file_.bytes();
        synced_keys_ = {numbers_.size(), texts_.size()};
    }

    /// After a sync the file is one that anybody may have saved, but for what was wrong with it
    /// before: a writer repairs no damage, and hides none.
    void check_sealed() const {
        if (!whole_ && damaged_.empty()) {
            return; // it was refused for another reason, and may be for ever
        }
        const auto found = unless_refused([&] { return format::verify(file_.path(), options_); });
        if (!damaged_.empty()) { // and perhaps its count of bits was forged, and has now run over
            must(!found || found->damaged_chunks == damaged_);
            return;
        }
        must(found && found->damaged_chunks.empty());
        const std::vector<std::byte> bytes = file_.bytes();
        const any_filter now = format::decode_native(bytes, options_);
        must(has_all(now));
        if (!numbers_.empty() || !texts_.empty()) {
            must(found->unsealed_chunks == 0 && found->header.state.sealed);
            must(found->header.state.bits_set == count_ones(now.words()));
        }
    }

    /// Readers that come while the writer is at work, and one that stays.
    void look_beside(bool anew) {
        if (!whole_) {
            return;
        }
        if (anew || !reader_) {
            reader_ = read();
        }
        must(has_all(*reader_));
        const any_filter reader = read();
        must(has_all(reader));
        const any_filter loaded = load(file_.path(), options_);
        must(std::ranges::equal(reader_->words(), writer_->words()));
        must(std::ranges::equal(reader.words(), writer_->words()));
        must(std::ranges::equal(loaded.words(), writer_->words()));
        const std::uint64_t ones = count_ones(loaded.words());
        must(reader_->stats().bits_set == ones && writer_->stats().bits_set == ones);
        const format::verification found = format::verify(file_.path(), options_);
        must(found.being_written && found.damaged_chunks.empty());
        must(!unless_refused([&] { return write(); })); // one writer at a time
        ask_alike(loaded, reader);
    }

    /// The writer is killed, and what the system has of the file is found by the next one.
    void crash() const {
        if (whole_) {
            const any_filter found = recovered(file_.bytes(), {numbers_.size(), texts_.size()});
            must(std::ranges::equal(found.words(), writer_->words()));
        }
    }

    /// The power fails: of each page the disk has what it was at the last sync, or what it is now.
    /// Only the header's is certain to be there, because it is flushed before anything changes.
    void power_failure(std::uint64_t which) const {
        if (!whole_) {
            return;
        }
        std::vector<std::byte> bytes = file_.bytes();
        constexpr std::size_t page = format::native_header_bytes;
        for (std::size_t at = page; at < bytes.size(); at += page) {
            if ((which >> (at / page % 16) & 1) != 0) {
                const byte_view old =
                    byte_view(synced_).subspan(at, std::min(page, bytes.size() - at));
                std::ranges::copy(old, bytes.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
        // The system starts again. (In a sealed file, a record that is spoiled is to remain so.)
        if (!format::decode_native_header(bytes).state.sealed) {
            for (const std::size_t at : {testing::even_state_at, testing::odd_state_at}) {
                if (hash::load_le64(bytes.data() + at + 8) == 2) {
                    testing::store(bytes, at + 24, which);
                }
            }
            testing::mend_header(bytes);
        }
        static_cast<void>(recovered(bytes, synced_keys_));
    }

    /// What the next writer makes of such a file, with the keys that it must have.
    [[nodiscard]] any_filter recovered(byte_view bytes, const counts& keys) const {
        static const memory_file left;
        left.write(bytes);
        format::decode_options options = options_;
        options.policy = after_crash::recover;
        const auto at = [&](map_mode mode) { return map(left.path(), mode, {options}); };
        must(has(load(left.path(), options), keys) && has(at(map_mode::read_only), keys));
        must(format::verify(left.path(), options).damaged_chunks.empty());
        must(has(at(map_mode::read_write), keys));
        const format::verification found = format::verify(left.path(), options);
        must(found.damaged_chunks.empty() && found.unsealed_chunks == 0);
        must(found.header.state.sealed);
        any_filter now = load(left.path(), options);
        must(has(now, keys));
        return now;
    }

    static void ask_alike(const any_filter& a, const any_filter& b) {
        std::vector<std::uint64_t> keys(100);
        std::ranges::generate(keys, [i = std::uint64_t{0}]() mutable { return i++; });
        bitmap one;
        bitmap other;
        a.may_contain_many(keys, one);
        b.may_contain_many(keys, other);
        must(one == other);
        must(a.may_contain(std::string("key")) == b.may_contain(std::string("key")));
    }

    const memory_file& file_;
    format::decode_options options_;
    std::optional<any_filter> writer_;
    std::optional<any_filter> reader_;
    std::vector<std::uint64_t> numbers_;
    std::vector<std::string> texts_;
    std::vector<std::byte> synced_;      ///< the file at the last sync
    counts synced_keys_;                 ///< how many keys there were then
    std::vector<std::uint64_t> damaged_; ///< chunks that were so when the file was given
    bool whole_ = false;
};

/// The file, which is as long as its header says if there is as much, and then the operations.
std::vector<std::byte> file_before_operations(fuzz::input& from, unsigned asked) {
    std::vector<std::byte> file;
    if ((asked & fuzz::folded) != 0) {
        file = fuzz::unfold(from);
    } else {
        const byte_view page = from.bytes(format::native_header_bytes);
        file.assign(page.begin(), page.end());
    }
    if (file.size() < format::native_header_bytes) {
        return file;
    }
    format::native_header header;
    header.what.shape.bit_count = hash::load_le64(file.data() + 32);
    const std::uint64_t wanted = header.file_bytes() - format::native_header_bytes;
    const byte_view payload = from.bytes(static_cast<std::size_t>(wanted));
    file.insert(file.end(), payload.begin(), payload.end());
    fuzz::mend(file, asked);
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const memory_file file;
    fuzz::input from(data, size);
    const unsigned asked = from.byte();
    file.write(file_before_operations(from, asked));
    session on(file, fuzz::options_from(asked));
    if (on.agrees()) {
        for (int steps = 0; !from.empty() && steps < 64; ++steps) {
            on.step(from);
        }
        on.finish();
    }
    return 0;
}
