#!/usr/bin/env bash
# No change to bloomery.h breaks programs that were compiled with the last release: abidiff compares the two.
# Types and signatures come from the header alone, so a library of empty functions represents each; symbols.sh checks
# that the real one has all of them. Skipped (77) while no release is tagged.
#
# usage: abi.sh SOURCE_DIR
set -euo pipefail
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# library NAME HEADER: NAME.so, with every function of the header and the types of its arguments
library() {
  mkdir "$work/$1"
  cp "$2" "$work/$1/bloomery.h"
  { printf '#include "bloomery.h"\n' && "${CC:-cc}" -std=c99 -E -P "$work/$1/bloomery.h" | tr '\n' ' ' |
    grep -oE '__attribute__\(\(visibility\("default"\)\)\)[^;{]*\);' | sed 's/;$/ { __builtin_trap(); }/'; } >"$work/$1/all.c"
  "${CC:-cc}" -std=gnu99 -g -w -fPIC -shared -I"$work/$1" "$work/$1/all.c" -o "$work/$1.so"
}

# The comparison would notice: a changed field, and a function that is gone.
library now include/bloomery.h
library other <(sed -e 's/uint32_t hashes; /uint64_t hashes; /' include/bloomery.h)
library fewer <(sed -e 's/bloomery_kernel(void)/bloomery_kernel2(void)/' include/bloomery.h)
abidiff "$work/now.so" "$work/now.so"
for changed in other fewer; do
  if abidiff "$work/now.so" "$work/$changed.so" >/dev/null; then
    echo "FAILED: abidiff does not notice the header '$changed'"
    exit 1
  fi
done

last=$(git describe --tags --match 'v[0-9]*' --abbrev=0 2>/dev/null || true)
if [[ -z $last ]] || ! git show "$last:include/bloomery.h" >"$work/last.h" 2>/dev/null; then
  echo "no release with a bloomery.h is tagged yet: nothing to compare with"
  exit 77
fi
library last "$work/last.h"
# Functions may be added; structures may grow at their end, which struct_size takes care of.
status=0
abidiff --no-added-syms "$work/last.so" "$work/now.so" || status=$?
if ((status & 8)); then
  echo "FAILED: programs compiled with $last would break: add a function instead, or raise BLOOMERY_C_ABI"
  exit 1
fi
