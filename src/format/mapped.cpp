#include <bloomery/error.hpp>
#include <bloomery/filter/filter.hpp>
#include <bloomery/filter/make.hpp>
#include <bloomery/filter/require_compatible.hpp>
#include <bloomery/format/file.hpp>
#include <bloomery/format/mapped.hpp>
#include <bloomery/layout/reach.hpp>

#include "mapped_file.hpp"
#include "native_chunks.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace bloomery {

namespace {

using format::mapped_file;

/// The verbs of a filter over a mapped file: as in memory, once the chunks concerned are checked.
class mapped_bits {
public:
    using digest_type = digest128;
    using digests = any_filter::digests;

    mapped_bits(std::shared_ptr<mapped_file> file, const native_hash& hash)
        : file_(std::move(file)), reach_(file_->header().what.shape),
          bits_(layout::native(file_->header().what.shape), storage::borrowed_words(file_->words()),
                hash, file_->header().made_for) {}

    template <class Key>
    [[nodiscard]] digest128 digest(const Key& key) const {
        return bits_.digest(key);
    }

    [[nodiscard]] bool may_contain(digest128 key) const {
        check({&key, 1});
        return bits_.may_contain(key);
    }
    void may_contain_many(digests keys, bitmap& maybe) const {
        check(keys);
        bits_.may_contain_many(keys, maybe);
    }
    bool insert(digest128 key) {
        touch({&key, 1});
        return bits_.insert(key);
    }
    void insert_many(digests keys) {
        touch(keys);
        bits_.insert_many(keys);
    }
    void try_insert_many(digests keys, bitmap& fresh) {
        touch(keys);
        bits_.try_insert_many(keys, fresh);
    }

    [[nodiscard]] compatibility compatible_with(const mapped_bits& other) const {
        return bits_.compatible_with(other.bits_);
    }
    template <class Other>
    void merge(const Other& other) {
        ::bloomery::detail::require_compatible(compare(spec(), other.spec()), "merged");
        file_->begin_changes();
        const std::span<const std::uint64_t> its = other.words();
        const auto theirs = [&](std::uint64_t i) {
            return its.subspan(i * format::native_chunk_words, file_->chunk(i).size());
        };
        // All that can be refused comes before the first change.
        file_->check_all();
        std::vector<std::uint64_t> growing;
        for (std::uint64_t i = 0; i < file_->header().chunk_count(); ++i) {
            const auto adds = [](std::uint64_t a, std::uint64_t b) { return (b & ~a) != 0; };
            const auto mine = file_->chunk(i);
            if (std::inner_product(mine.begin(), mine.end(), theirs(i).begin(), false,
                                   std::logical_or<>(), adds)) {
                file_->touch(i);
                growing.push_back(i);
            }
        }
        for (const std::uint64_t i : growing) {
            const auto mine = file_->chunk(i);
            std::ranges::transform(mine, theirs(i), mine.begin(), std::bit_or<>());
        }
    }
    template <class Other>
    void intersect(const Other& /*other*/) {
        clear();
    }
    void sync() { file_->sync(); }
    void clear() {
        throw unsupported(file_->path().string() +
                          ": a mapped filter does not take keys out; use update, which replaces "
                          "the file");
    }

    [[nodiscard]] bloomery::spec spec() const { return bits_.spec(); }
    [[nodiscard]] design made_for() const { return bits_.made_for(); }
    [[nodiscard]] statistics stats() const {
        statistics now = statistics_of(bits_.spec(), file_->count_bits());
        now.intersected = made_for().intersected;
        return now;
    }
    [[nodiscard]] double fpp_at(items n) const { return bits_.fpp_at(n); }
    [[nodiscard]] std::span<const std::uint64_t> words() const {
        file_->check_all();
        return bits_.words();
    }
    [[nodiscard]] std::uint64_t byte_count() const noexcept {
        return file_->header().payload_bytes();
    }
    [[nodiscard]] const layout::native& layout() const noexcept { return bits_.layout(); }
    [[nodiscard]] const native_hash& hash() const noexcept { return bits_.hash(); }

    /// A copy that no longer has to do with the file.
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
    static constexpr std::uint64_t chunk_bits = format::native_chunk_bytes * 8;

    void check(digests keys) const {
        if (file_->all_checked()) {
            return;
        }
        for (const digest128 key : keys) {
            reach_(key, [&](std::uint64_t bit) { file_->check(bit / chunk_bits); });
        }
    }
    void touch(digests keys) {
        file_->begin_changes();
        if (file_->all_touched()) {
            return;
        }
        for (const digest128 key : keys) {
            reach_(key, [&](std::uint64_t bit) { file_->touch(bit / chunk_bits); });
        }
    }

    std::shared_ptr<mapped_file> file_;
    layout::reach reach_;
    borrowed_filter bits_;
};

} // namespace

any_filter map(const std::string& path, map_mode mode, const map_options& options) {
    if constexpr (std::endian::native == std::endian::big) {
        if (mode == map_mode::read_write) {
            throw unsupported(path + ": a file cannot be changed in its place on a "
                                     "big-endian machine; use update, which replaces it");
        }
        return load(path, options.decoding);
    }
    auto file = std::make_shared<mapped_file>(path, mode, options);
    const native_hash hash = format::hash_for(file->header(), options.decoding.secret);
    const spec& what = file->header().what;
    if (what.kind != filter_kind::bloom || what.scheme != layout::scheme_id::native) {
        if (mode == map_mode::read_write) {
            throw unsupported(path + ": a filter of this kind cannot be changed in its "
                                     "place; use update, which replaces the file");
        }
        file.reset();
        return load(path, options.decoding);
    }
    return any_filter(std::in_place, mapped_bits(std::move(file), hash));
}

} // namespace bloomery
