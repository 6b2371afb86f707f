#!/usr/bin/env bash
# Checks that only the kernels contain code for one kind of processor, and that a kernel exports no
# function that other code could be linked to.
#
# usage: symbols.sh LIBRARY
#
# An inline function with linkage, compiled for AVX-512 in one file and for every x86-64 in another,
# is one function to the linker, which keeps either: a program could crash on an instruction that
# its processor does not have. So the kernels' files must not define weak symbols.
set -euo pipefail
library=$1
grep -q elf64-x86-64 <(objdump -f "$library") || exit 0 # one kernel for all others

# The members with instructions that not every x86-64 has: wide vectors, VEX and BMI.
wide=$(objdump -d --no-show-raw-insn "$library" | awk '
  /file format/ { member = $1; sub(/:$/, "", member); next }
  /%[yz]mm|\t(v[a-z0-9]+|pdep|pext|mulx|rorx|s[ah][lr]x|andn|blsr|popcnt) / { found[member] = 1 }
  END { for (member in found) print member }' | sort)
expected=$(printf '%s.cpp.o\n' avx2 avx2_accurate avx512 avx512_vbmi | sort)
if grep -qx scalar.cpp.o <<<"$wide"; then
  : # the whole library is compiled for processors that have them
elif [[ $wide != "$expected" ]]; then
  printf 'objects with instructions that not every x86-64 has:\n%s\nthe kernels are:\n%s\n' "$wide" "$expected"
  exit 1
fi

object=$(mktemp)
trap 'rm -f "$object"' EXIT
for member in $expected; do
  ar p "$library" "$member" >"$object"
  weak=$(nm -C --defined-only "$object" | awk '$2 ~ /^[WVu]$/ && $3 !~ /^DW[.]ref/')
  if [[ -n $weak ]]; then
    printf '%s leaves behind:\n%s\n' "$member" "$weak"
    exit 1
  fi
done
