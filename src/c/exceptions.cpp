// Lists of known false positives.
#include <bloomery/filter/excepted.hpp>

#include "handle.hpp"

namespace bloomery::inline v0::c {

namespace {

any_excepted& listed_in(bloomery_filter* filter) {
    auto* const found = filter_in(filter).get_if<any_excepted>();
    if (found == nullptr) {
        throw unsupported("the filter has no list of exceptions; give it one first");
    }
    return *found;
}

template <class Key>
bloomery_status report_wrong(bloomery_filter* filter, Key key, uint32_t* outcome) noexcept {
    return guarded([&] {
        give_outcome(outcome, listed_in(filter).report_false_positive(required_key(key)),
                     "the list of exceptions is full: withdraw keys, or let it evict the oldest");
    });
}

template <class Key>
bloomery_status withdraw_key(bloomery_filter* filter, Key key, bool* listed) noexcept {
    return guarded([&] {
        give_if_wanted(listed, false);
        give_if_wanted(listed, listed_in(filter).withdraw(required_key(key)));
    });
}

} // namespace

} // namespace bloomery::inline v0::c

using namespace bloomery;

bloomery_status bloomery_add_exceptions(bloomery_filter* filter,
                                        const bloomery_exception_options* options) {
    return c::guarded([&] {
        const any_filter& of = c::unshared_in(filter);
        const bloomery_exception_options said = c::taken_or_usual(options);
        exception_options how;
        how.most_entries = said.most_entries != 0 ? said.most_entries : how.most_entries;
        how.evict_oldest = said.evict_oldest;
        how.fingerprints = said.fingerprints;
        how.key = c::secret_in(said.secret);
        if (of.get_if<any_excepted>() == nullptr) {
            filter->hold(with_exceptions(of, how)); // of a copy: this may fail
        }
    });
}

bloomery_status bloomery_report_false_positive(bloomery_filter* filter, const void* key,
                                               size_t size, uint32_t* outcome) {
    return c::report_wrong(filter, c::bytes_at(key, size), outcome);
}
bloomery_status bloomery_report_false_positive_u64(bloomery_filter* filter, uint64_t key,
                                                   uint32_t* outcome) {
    return c::report_wrong(filter, key, outcome);
}

bloomery_status bloomery_withdraw(bloomery_filter* filter, const void* key, size_t size,
                                  bool* listed) {
    return c::withdraw_key(filter, c::bytes_at(key, size), listed);
}
bloomery_status bloomery_withdraw_u64(bloomery_filter* filter, uint64_t key, bool* listed) {
    return c::withdraw_key(filter, key, listed);
}
