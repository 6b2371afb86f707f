// The lists of other kinds and of other systems' filters, which are empty here: linked instead of
// src/format/native_kinds.cpp and src/filter/foreign.cpp, which name every type of filter.
#include <bloomery/error.hpp>
#include <bloomery/filter/foreign.hpp>
#include <bloomery/format/native.hpp>

#include <span>

namespace bloomery::inline v0 {

bool is_foreign(const spec& /*what*/) noexcept { return false; }

any_filter make_foreign(const spec& /*what*/, storage::heap_words<> /*words*/,
                        design /*made_for*/) {
    throw unsupported("bloomery/slim has plain Bloom filters only; import bloomery");
}
any_filter make_foreign(const spec& /*what*/, design /*made_for*/) {
    throw unsupported("bloomery/slim has plain Bloom filters only; import bloomery");
}

namespace format {

bool is_native_kind(const spec& /*what*/) noexcept { return false; }

any_filter restored_kind(const spec& /*what*/, const design& /*made_for*/,
                         const native_hash& /*hash*/, std::span<const std::uint64_t> /*words*/,
                         const decode_options& /*options*/) {
    throw unsupported("bloomery/slim has plain Bloom filters only; import bloomery");
}

} // namespace format

} // namespace bloomery::inline v0
