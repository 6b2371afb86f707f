// Refusals that several sources of this folder share.
#pragma once

#include <bloomery/plan/quantity.hpp>
#include <bloomery/plan/shape.hpp>

namespace bloomery::plan {

void check_rate(rate p);
void check_items(items n);
void check_hashes(hashes k);

} // namespace bloomery::plan
