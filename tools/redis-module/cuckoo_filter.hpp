// A cuckoo filter with RedisBloom's arithmetic: each item lands in the same slot, each victim moves
// in the same order, so that answers and files are the same, byte for byte.
//
// A filter is a row of sub-filters, each a power of two of buckets, each bucket a few slots of one
// byte: 0, or the fingerprint of an item. An item has two buckets, and a fingerprint and one of its
// buckets tell the other (Fan, Andersen, Kaminsky, Mitzenmacher: Cuckoo Filter, CoNEXT 2014).
#pragma once

#include <bloomery/detail/hash/murmur.hpp>
#include <bloomery/detail/key/bytes.hpp>

#include "memory.hpp"
#include "totals.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bloomery::redis_module {

/// The numbers of a filter in files and dumps, not yet checked.
struct cuckoo_fields {
    std::uint64_t items = 0;
    std::uint64_t deletes = 0; ///< since it was compacted
    std::uint64_t buckets = 0; ///< of the first sub-filter
    std::uint64_t filters = 1;
    std::uint64_t bucket_size = 2;
    std::uint64_t iterations = 20; ///< how many items move, at most, to make room for one
    std::uint64_t expansion = 1;   ///< how many times larger each sub-filter is; 0: never grows
};

/// What became of an item, or of a filter to be made.
enum class cuckoo_outcome : std::uint8_t {
    done,
    exists,     ///< the item may have been in, and was not added
    full,       ///< there is no room, and the filter does not grow
    no_memory,  ///< there is no memory for the filter, or for another sub-filter
    over_limit, ///< the filter would have more bytes than allowed
    too_long,   ///< the item was not tried, because the command took too long
    bad_fields, ///< no filter has these numbers, or these bytes
};

class cuckoo_filter;
struct made_cuckoo_filter {
    std::unique_ptr<cuckoo_filter> filter; ///< null if it was not made
    cuckoo_outcome why;
};

/// See above. Whatever fails leaves the filter as it was. Calls with a hash are O(sub-filters).
class cuckoo_filter : public server_allocated {
public:
    static constexpr std::size_t most_filters = 65535;
    static constexpr std::size_t header_size = 38;
    using header_bytes = std::array<std::byte, header_size>;

    /// An empty filter for about so many items. As in RedisBloom, buckets and expansion are rounded
    /// up to powers of two.
    [[nodiscard]] static made_cuckoo_filter
    create(std::uint64_t capacity, std::uint64_t bucket_size, std::uint64_t iterations,
           std::uint64_t expansion, std::uint64_t most_bytes) noexcept;

    /// A filter of these numbers, which are checked, except for the item counts, which cannot be.
    /// `bytes_of(i, buckets, size)` returns the bytes of sub-filter i; another size is refused.
    /// Throws what that throws, except std::bad_alloc.
    template <class Source>
    [[nodiscard]] static made_cuckoo_filter from_fields(const cuckoo_fields& of,
                                                        std::uint64_t most_bytes, Source bytes_of) {
        if (const cuckoo_outcome checked = check(of, most_bytes); checked != cuckoo_outcome::done) {
            return {nullptr, checked};
        }
        try {
            std::unique_ptr<cuckoo_filter> made(new cuckoo_filter(of));
            for (std::uint64_t i = 0; i < of.filters; ++i) {
                const std::uint64_t buckets = buckets_of(of, i).value_or(0); // it has been checked
                const std::uint64_t size = buckets * of.bucket_size;
                server_bytes bytes = bytes_of(i, buckets, size);
                if (bytes.size() != size) return {nullptr, cuckoo_outcome::bad_fields};
                made->append(std::move(bytes), buckets);
            }
            return {std::move(made), cuckoo_outcome::done};
        } catch (const std::bad_alloc&) {
            return {nullptr, cuckoo_outcome::no_memory};
        }
    }
    /// The same, with no item in any sub-filter.
    [[nodiscard]] static made_cuckoo_filter empty_from_fields(const cuckoo_fields& of,
                                                              std::uint64_t most_bytes) noexcept;
    [[nodiscard]] made_cuckoo_filter copy() const noexcept;

    [[nodiscard]] static std::uint64_t hash(byte_view item) noexcept {
        return hash::murmur64a(item, 0);
    }
    /// Prefetches the buckets of an item in the sub-filters that are queried first.
    void prefetch(std::uint64_t hash) const noexcept;
    [[nodiscard]] bool contains(std::uint64_t hash) const noexcept;
    /// The number of slots that hold the item's fingerprint; as in RedisBloom, counted twice if
    /// both buckets are the same.
    [[nodiscard]] std::uint64_t count(std::uint64_t hash) const noexcept;
    /// Adds an item once more, growing to at most that many bytes.
    [[nodiscard]] cuckoo_outcome insert(std::uint64_t hash, std::uint64_t most_bytes) noexcept;
    [[nodiscard]] cuckoo_outcome insert_if_absent(std::uint64_t hash,
                                                  std::uint64_t most_bytes) noexcept {
        return contains(hash) ? cuckoo_outcome::exists : insert(hash, most_bytes);
    }
    /// Removes an item once; compacts when many are removed. Returns false if it was not there.
    bool erase(std::uint64_t hash) noexcept;
    /// Moves items to older sub-filters where there is room, and drops the newest ones that are
    /// empty then. Of a large filter, a call does a part, and the next one goes on there; the items
    /// count as deleted until all is done. Returns false if nothing changed.
    bool compact() noexcept { return compact(after_failure::go_on); }

    [[nodiscard]] cuckoo_fields fields() const noexcept;
    [[nodiscard]] std::size_t filters() const noexcept { return filters_.size(); }
    /// All slots, in bytes.
    [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
    /// The memory that RedisBloom reports.
    [[nodiscard]] std::uint64_t memory() const noexcept {
        return own_size + filters_.size() * sub_filter_size + slots_;
    }
    [[nodiscard]] std::uint64_t buckets(std::size_t filter) const noexcept {
        return filters_[filter].last_bucket + 1;
    }
    [[nodiscard]] byte_view bytes(std::size_t filter) const noexcept {
        return {filters_[filter].bytes.data(), filters_[filter].bytes.size()};
    }

    /// The first piece of a dump: all fields, little endian.
    [[nodiscard]] header_bytes header() const noexcept;
    [[nodiscard]] static std::optional<cuckoo_fields> read_header(byte_view header) noexcept;
    /// Bytes of one sub-filter, from that byte on of all sub-filters laid end to end; empty past
    /// the end.
    [[nodiscard]] byte_view piece(std::uint64_t from, std::uint64_t most) const noexcept;
    /// Overwrites bytes of one sub-filter. Returns false if they are empty or span several.
    [[nodiscard]] bool put_piece(std::uint64_t from, byte_view bytes) noexcept;

    /// Moves sub-filter by sub-filter, from that one on, until the server has enough; returns the
    /// next one.
    std::size_t defrag(defrag_context* by, std::size_t from);

private:
    // Sizes of RedisBloom's structures.
    static constexpr std::uint64_t own_size = 40;
    static constexpr std::uint64_t sub_filter_size = 16;

    struct sub_filter {
        server_bytes bytes;
        std::uint64_t last_bucket; ///< their number less one: a mask
    };
    /// The two buckets of an item, before the mask, and its fingerprint.
    struct probe {
        std::uint64_t first;
        std::uint64_t second;
        std::byte fingerprint;
    };
    enum class after_failure : std::uint8_t { stop, go_on };
    /// How far a compaction came: all slots before `slot` of sub-filter `filter` are done, and of
    /// those above it, all.
    struct progress {
        std::size_t filter = 0; ///< 0: there is none under way
        std::size_t slot = 0;
        bool some_stayed = false; ///< in that sub-filter, or came later
    };

    explicit cuckoo_filter(const cuckoo_fields& of) noexcept;
    static cuckoo_outcome check(const cuckoo_fields& of, std::uint64_t most_bytes) noexcept;
    /// Of a sub-filter, or nothing if there are too many to count.
    static std::optional<std::uint64_t> buckets_of(const cuckoo_fields& of,
                                                   std::uint64_t filter) noexcept;
    static probe probe_of(std::uint64_t hash) noexcept;
    static probe probe_of_slot(std::uint64_t bucket, std::byte fingerprint) noexcept;

    [[nodiscard]] std::span<std::byte> bucket(sub_filter& in, std::uint64_t at) const noexcept {
        return {in.bytes.data() + (at & in.last_bucket) * bucket_size_, bucket_size_};
    }
    [[nodiscard]] byte_view bucket(const sub_filter& in, std::uint64_t at) const noexcept {
        return {in.bytes.data() + (at & in.last_bucket) * bucket_size_, bucket_size_};
    }
    /// Throws std::bad_alloc.
    void append(server_bytes bytes, std::uint64_t buckets);
    void drop_newest() noexcept;
    bool place(sub_filter& in, const probe& item) noexcept;
    bool displace(sub_filter& in, const probe& item) noexcept;
    cuckoo_outcome grow(std::uint64_t most_bytes) noexcept;
    void skip_full() noexcept;
    bool move_to_older(progress& at, std::uint64_t& work) noexcept;
    bool compact(after_failure then) noexcept;
    void count_in_totals() noexcept { totals_.set(memory(), filters_.size()); }

    std::uint64_t items_;
    std::uint64_t deletes_;
    std::uint64_t first_buckets_;
    std::uint64_t slots_ = 0;
    std::uint16_t bucket_size_;
    std::uint16_t iterations_;
    std::uint16_t expansion_;
    /// No sub-filter before this one has a free slot, so none of them is searched for one: adding
    /// the same item over and over leaves thousands of them.
    std::size_t first_open_ = 0;
    progress compaction_{};
    server_list<sub_filter> filters_;
    counted totals_{cuckoo_totals};
};

} // namespace bloomery::redis_module
