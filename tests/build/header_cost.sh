#!/usr/bin/env bash
# The cost of including a header, as a number that does not depend on the machine: lines after preprocessing,
# with the standard library of g++ 12. Other compilers have other numbers, so the test is skipped there.
#
# usage: header_cost.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

compiler=$("${CXX:-g++}" -dumpversion)
if [[ ${compiler%%.*} != 12 ]]; then
  echo "this is g++ $compiler, not 12: nothing to compare with"
  exit 77
fi

# at_most LINES HEADER
at_most() {
  local lines
  lines=$(printf '#include <%s>\n' "$2" |
    "${CXX:-g++}" -std=c++20 -O2 -E -P -Iinclude "-I$build/include" -x c++ - | wc -l)
  printf '%s: %d lines after preprocessing, at most %d\n' "$2" "$lines" "$1"
  if [[ $lines -gt $1 ]]; then
    printf 'Too many. Its largest parts:\n'
    printf '#include <%s>\n' "$2" |
      "${CXX:-g++}" -std=c++20 -O2 -E -Iinclude "-I$build/include" -x c++ - |
      awk '/^# [0-9]+ "/ { file = $3; next } NF { ++lines[file] } END { for (f in lines) print lines[f], f }' |
      sort -rn | head -20
    return 1
  fi
}

# may_not_bring HEADER NAME...: standard headers that are too large for what it uses of them
may_not_bring() {
  local included name
  included=$(printf '#include <%s>\n' "$1" |
    "${CXX:-g++}" -std=c++20 -M -Iinclude "-I$build/include" -x c++ - | tr ' ' '\n')
  for name in "${@:2}"; do
    if grep -q "/$name\$" <<<"$included"; then
      printf '%s includes <%s>, which it may not\n' "$1" "$name"
      return 1
    fi
  done
}

at_most 45000 bloomery/filter/filter.hpp
at_most 75000 bloomery/bloomery.hpp
may_not_bring bloomery/filter/filter.hpp algorithm atomic cmath filesystem functional immintrin.h memory memory_resource mutex thread
may_not_bring bloomery/bloomery.hpp atomic cmath filesystem immintrin.h locale memory_resource mutex sstream thread
