#include <bloomery/detail/redis/probes.hpp>

namespace bloomery::inline v0::redis {

namespace {

template <class Scheme, class Digest>
placed append_walk(const plan::split_shape& of, const Digest& key,
                   std::vector<std::uint64_t>& places) {
    auto walk = Scheme::walk(key);
    for (std::uint32_t i = 0; i < of.hash_count; ++i) {
        try {
            places.push_back(Scheme::reduce(walk.next(), of.shard_bits));
        } catch (const no_place&) {
            return placed::until_none;
        }
    }
    return placed::wholly;
}

} // namespace

probing::probing(layout::scheme_id scheme) : scheme_(scheme) {
    using layout::scheme_id;
    if (!is_redisson() && scheme != scheme_id::hash_code_6 &&
        scheme != scheme_id::hash_code_6_mended) {
        throw bad_argument("filters in Redis have the scheme redisson, redisson-split, "
                           "hash-code-6 or hash-code-6-mended");
    }
}

placed probing::append(const plan::split_shape& of, digest128 key,
                       std::vector<std::uint64_t>& places) const {
    if (is_redisson()) return append_walk<layout::redisson_scheme>(of, key, places);
    const digest64 narrow{key.low};
    return scheme_ == layout::scheme_id::hash_code_6
               ? append_walk<layout::hash_code_6_scheme>(of, narrow, places)
               : append_walk<layout::hash_code_6_mended_scheme>(of, narrow, places);
}

void probing::require_places(const plan::split_shape& of, digest128 key) const {
    if (!may_lack_places()) return;
    auto walk = layout::hash_code_6_scheme::walk(digest64{key.low});
    for (std::uint32_t i = 0; i < of.hash_count; ++i) {
        static_cast<void>(layout::hash_code_6_scheme::reduce(walk.next(), of.shard_bits));
    }
}

} // namespace bloomery::inline v0::redis
