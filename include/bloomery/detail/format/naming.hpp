// Error messages that begin with the name of what was read.
#pragma once

#include <bloomery/error.hpp>

#include <string>

namespace bloomery::inline v0::format {

/// Runs a reader and prefixes its error messages with the name of the file, or of what else it
/// reads.
template <class Read>
auto naming(const std::string& what, Read read) {
    const auto named = [&](const error& e) { return what + ": " + e.what(); };
    try {
        return read();
    } catch (const unsealed& e) {
        throw unsealed(named(e));
    } catch (const bad_data& e) {
        throw bad_data(named(e));
    } catch (const unsupported& e) {
        throw unsupported(named(e));
    } catch (const bad_argument& e) {
        throw bad_argument(named(e));
    } catch (const claim_refused& e) {
        throw claim_refused(named(e));
    } catch (const memory_refused& e) {
        throw memory_refused(named(e));
    }
}

} // namespace bloomery::inline v0::format
