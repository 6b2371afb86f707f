// Checks of arguments that several sources in this folder share.
#pragma once

#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

namespace bloomery::inline v0::plan {

void check_rate(rate p);
void check_items(items n);
void check_count(double n);
void check_hashes(hashes k);

/// The rate that is left to the probes of n keys so that, with the collisions of digests, it is p:
/// p itself unless that is next to what no digest goes below. Throws bad_argument for a rate below
/// that, with the least one, and for what the first two refuse.
[[nodiscard]] rate probes_rate(items n, rate p);

} // namespace bloomery::inline v0::plan
