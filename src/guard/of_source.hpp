// Calls to the source, timed, with a sentence that says what it means that they failed.
#pragma once

#include "body.hpp"

#include <string>

namespace bloomery::detail {

template <class Ask>
auto guard_core::body::of_source(Ask ask) {
    const timed here(counts_, tally::source_calls, tally::source_ns);
    try {
        return ask();
    } catch (const store::outcome_unknown&) {
        counts_.add(tally::source_failures);
        throw;
    } catch (const store::unavailable& e) {
        counts_.add(tally::source_failures);
        throw store::unavailable(std::string("the source is down, and only keys that are surely "
                                             "absent can be answered: ")
                                     .append(e.what()));
    } catch (...) {
        counts_.add(tally::source_failures);
        throw;
    }
}

} // namespace bloomery::detail
