#!/usr/bin/env bash
# Checks that a kernel leaves no function behind that other code could be linked to.
#
# usage: symbols.sh LIBRARY
#
# An inline function with linkage, compiled for AVX-512 in one file and for every x86-64 in another,
# is one function to the linker, which keeps either: a program could die of an instruction that its
# processor does not have. So the kernels' files may define nothing weak.
set -euo pipefail
library=$1
found=0
members=$(ar t "$library")
for kernel in avx2 avx512; do
  member=$(grep -x "$kernel.cpp.o" <<<"$members") || continue
  found=1
  object=$(mktemp)
  ar p "$library" "$member" >"$object"
  weak=$(nm -C --defined-only "$object" | awk '$2 ~ /^[WVu]$/ && $3 !~ /^DW[.]ref/')
  rm -f "$object"
  if [[ -n $weak ]]; then
    printf '%s.cpp leaves behind:\n%s\n' "$kernel" "$weak"
    exit 1
  fi
done
((found)) || [[ $(uname -m) != x86_64 ]] || {
  echo "no kernel was found in $library: are its files named otherwise?"
  exit 1
}
