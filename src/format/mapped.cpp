#include <bloomery/detail/layout/reach.hpp>
#include <bloomery/error.hpp>
#include <bloomery/filter/any_filter.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/spec.hpp>
#include <bloomery/format/file.hpp>

#include "mapped_file.hpp"
#include "native_parts.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace bloomery::inline v0 {

namespace {

using format::mapped_file;

/// Which chunks of a mapped file keys need, and that these may be looked at or changed.
class mapped_reach {
public:
    explicit mapped_reach(std::shared_ptr<mapped_file> file)
        : file_(std::move(file)), reach_(file_->header().what.shape) {}

    [[nodiscard]] mapped_file& file() const noexcept { return *file_; }
    void check(any_filter::digests keys) const {
        if (!file_->all_checked()) {
            each_chunk(keys, [&](std::uint64_t chunk) { file_->check(chunk); });
        }
    }
    void touch(any_filter::digests keys) const {
        file_->begin_changes();
        if (!file_->all_touched()) {
            each_chunk(keys, [&](std::uint64_t chunk) { file_->touch(chunk); });
        }
    }

private:
    template <class Visit>
    void each_chunk(any_filter::digests keys, Visit visit) const {
        constexpr std::uint64_t chunk_bits = format::native_chunk_bytes * 8;
        for (const digest128 key : keys) {
            reach_(key, [&](std::uint64_t bit) { visit(bit / chunk_bits); });
        }
    }

    std::shared_ptr<mapped_file> file_;
    layout::reach reach_;
};

/// The verbs for keys, as in memory, once the chunks involved are checked. The bits are the file's:
/// like a shared view, this is a handle, which may be const.
template <class Bits>
class mapped_keys {
public:
    using digest_type = digest128;
    using digests = any_filter::digests;

    mapped_keys(mapped_reach reach, Bits bits) : reach_(std::move(reach)), bits_(std::move(bits)) {}

    [[nodiscard]] const native_hash& hash() const noexcept { return bits_.hash(); }
    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return bits_.digest(key);
    }
    [[nodiscard]] bool may_contain(digest128 key) const {
        reach_.check({&key, 1});
        return bits_.may_contain(key);
    }
    void may_contain_many(digests keys, bitmap& maybe) const {
        reach_.check(keys);
        bits_.may_contain_many(keys, maybe);
    }
    [[nodiscard]] bool try_insert(digest128 key) const {
        touch({&key, 1});
        return bits_.try_insert(key);
    }
    void insert(digest128 key) const { (void)try_insert(key); }
    void insert_many(digests keys) const {
        touch(keys);
        bits_.insert_many(keys);
    }
    void try_insert_many(digests keys, bitmap& fresh) const {
        touch(keys);
        bits_.try_insert_many(keys, fresh);
    }

protected:
    mapped_reach reach_; // NOLINT: mapped_bits has more verbs
    mutable Bits bits_;  // NOLINT

private:
    void touch(digests keys) const {
        reach_.touch(keys);
        // Another thread may have cleared the checksum. Readers in other processes must see that
        // before they see a bit of this thread.
        if constexpr (!std::same_as<Bits, borrowed_filter>) {
            std::atomic_thread_fence(std::memory_order_acq_rel);
        }
    }
};

/// The same bits for several threads.
using mapped_view = mapped_keys<shared_view<layout::native, native_hash>>;

/// A filter over a mapped file.
class mapped_bits : public mapped_keys<borrowed_filter> {
public:
    mapped_bits(const std::shared_ptr<mapped_file>& file, const native_hash& hash)
        : mapped_keys(mapped_reach(file),
                      {layout::native(file->header().what.shape),
                       storage::borrowed_words(file->words()), hash, file->header().made_for}) {}

    [[nodiscard]] bool can_share() const noexcept { return file().is_writable(); }
    [[nodiscard]] mapped_view shared() {
        file().begin_changes(); // which refuses a reader
        return {reach_, bits_.shared()};
    }

    [[nodiscard]] compatibility compatible_with(const mapped_bits& other) const {
        return bits_.compatible_with(other.bits_);
    }
    template <class Other>
    void merge(const Other& other) {
        ::bloomery::detail::require_compatible(compare(spec(), other.spec()), "merged");
        file().begin_changes();
        const std::span<const std::uint64_t> its = other.words();
        const auto theirs = [&](std::uint64_t i) {
            return its.subspan(i * format::native_chunk_words, file().chunk(i).size());
        };
        // Everything that can fail comes before the first change.
        file().check_all();
        std::vector<std::uint64_t> growing;
        for (std::uint64_t i = 0; i < file().header().chunk_count(); ++i) {
            const auto adds = [](std::uint64_t a, std::uint64_t b) { return (b & ~a) != 0; };
            const auto mine = file().chunk(i);
            if (std::inner_product(mine.begin(), mine.end(), theirs(i).begin(), false,
                                   std::logical_or<>(), adds)) {
                file().touch(i);
                growing.push_back(i);
            }
        }
        for (const std::uint64_t i : growing) {
            const auto mine = file().chunk(i);
            std::ranges::transform(mine, theirs(i), mine.begin(), std::bit_or<>());
        }
    }
    template <class Other>
    void intersect(const Other& /*other*/) {
        clear();
    }
    void sync() { file().sync(); }
    void clear() {
        throw unsupported(file().path().string() +
                          ": keys cannot be removed from a mapped filter; use update, which "
                          "replaces the file");
    }

    [[nodiscard]] bloomery::spec spec() const { return bits_.spec(); }
    [[nodiscard]] design made_for() const { return bits_.made_for(); }
    [[nodiscard]] statistics stats() const {
        statistics now = statistics_of(bits_.spec(), file().count_bits());
        now.intersected = made_for().intersected;
        return now;
    }
    [[nodiscard]] double rate_at(items n) const { return bits_.rate_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const {
        file().check_all();
        return bits_.words();
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return file().header().payload_bytes();
    }
    [[nodiscard]] const layout::native& layout() const noexcept { return bits_.layout(); }

    /// A copy in memory, independent of the file.
    [[nodiscard]] any_filter in_memory() const {
        storage::heap_words<> copy(bits_.words().size());
        std::ranges::copy(words(), copy.data());
        return make_filter(layout().shape(), std::move(copy), hash(), made_for());
    }

    mapped_bits(mapped_bits&&) noexcept = default;
    mapped_bits& operator=(mapped_bits&&) noexcept = default;
    mapped_bits(const mapped_bits&) = delete;
    mapped_bits& operator=(const mapped_bits&) = delete;
    ~mapped_bits() = default;

private:
    [[nodiscard]] mapped_file& file() const noexcept { return reach_.file(); }
};

} // namespace

any_filter map(const std::string& path, map_mode mode, const map_options& options) {
    if constexpr (std::endian::native == std::endian::big) {
        if (mode == map_mode::read_write) {
            throw unsupported(path + ": a file cannot be changed in place on a big-endian "
                                     "machine; use update, which replaces it");
        }
        return load(path, options.decoding);
    }
    auto file = std::make_shared<mapped_file>(path, mode, options);
    const native_hash hash = format::hash_for(file->header(), options.decoding.secret);
    const spec& what = file->header().what;
    if (what.kind != filter_kind::bloom || what.scheme != layout::scheme_id::native) {
        if (mode == map_mode::read_write) {
            throw unsupported(path + ": a filter of this kind cannot be changed in place; use "
                                     "update, which replaces the file");
        }
        file.reset();
        return load(path, options.decoding);
    }
    return any_filter(std::in_place, mapped_bits(file, hash));
}

} // namespace bloomery::inline v0
