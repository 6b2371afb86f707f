#!/usr/bin/env bash
# One program with files that are compiled for different processors, and the library: the same bits,
# no key lost, and no function of ours that one file could take from another.
#
# usage: two_march.sh BUILD LIBRARY [LINK_OPTION...]
#
# A function with linkage that several files compile is one function to the linker, which keeps any
# of the copies. If they are compiled for different processors, a file for baseline x86-64 may get
# code for the newest processors, and crash; and if the code computes different bits too, keys are
# lost. So every function of ours that two files share must need only baseline x86-64: other functions
# are inlined, or have the compiler's instructions in their names (detail/own_copy.hpp). We cannot
# rename templates of std::, so they and their instantiations are not checked.
set -euo pipefail
build=$(realpath "$1")
library=$(realpath "$2")
options=("${@:3}")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
[[ $(uname -m) == x86_64 ]] || exit 77
compiler=${CXX:-g++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile() { # NAME MARCH SOURCE [OPTION...]
  "$compiler" -std=c++20 -O2 -march="$2" -I"$here/../../include" -I"$build/include" "${@:4}" \
    -c "$here/$3.cpp" -o "$work/$1.o"
}
compile first x86-64 two_march_part -DPART=first &
compile second x86-64-v3 two_march_part -DPART=second
wait $!
compile widest x86-64-v4 two_march_part -DPART=second &
compile main x86-64 two_march_main -O1
wait $!

# Weak functions of ours that need more than every x86-64 has, of the files named.
wide() {
  objdump -d --no-show-raw-insn "$@" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/^<|>:$|\.cold>:$/, "", name); next }
    /%[yz]mm|\t(v[a-z0-9]+|pdep|pext|mulx|rorx|s[ah][lr]x|andn|bls[rim]s?k?|popcnt|[tl]zcnt) / { found[name] = 1 }
    END { for (name in found) print name }' | sort -u
}
weak() { nm --defined-only "$@" | awk '$2 == "W" { print $3 }' | sort -u; }

check() { # NAME: what an object shares with another or with the library must be for all processors
  local shared
  shared=$(comm -12 <(weak "$work/$1.o") <(weak "$work/first.o" "$library"))
  comm -12 <(wide "$work/$1.o") - <<<"$shared" | c++filt |
    grep -Ev '^([^<(]* )?(std|__gnu_cxx)::' >"$work/bad" || true
  if [[ -s $work/bad ]]; then
    printf '%s.o has code for some processors in functions that others share:\n' "$1"
    cat "$work/bad"
    return 1
  fi
  # Not grep -q, which ends at the first match: what writes into its pipe would fail.
  weak "$work/$1.o" | grep -E 'B9avx2_bmi2|B11avx512_bmi2' >/dev/null || {
    echo "no function of $1.o has its instructions in its name: is anything compiled in it?"
    return 1
  }
}
check second
check widest

run() { # OBJECT...: in this order
  "$compiler" -o "$work/program" "${@/%/.o}" "$library" "${options[@]}" -pthread
  "$work/program" || { echo "linked as: $*"; return 1; }
}
cd "$work"
has() { local flag; for flag; do grep -qw -m 1 "$flag" /proc/cpuinfo || return 1; done; }
if has avx2 bmi2 fma; then
  run main first second
  run main second first
fi
if has avx512f avx512vl avx512bw avx512dq; then
  run main first widest
  run main widest first
fi
