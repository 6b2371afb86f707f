// What the programs in this folder include.

#include <bloomery/bloomery.hpp>
#include <bloomery/guard/guard.hpp>

#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

inline bloomery::filter seen(bloomery::items{100}, bloomery::rate{0.01});
