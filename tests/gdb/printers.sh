#!/usr/bin/env bash
# gdb prints our types as people read them.
#
# usage: printers.sh SOURCE_DIR BUILD_DIR LIBRARY CXX     LIBRARY is the static library; skipped (77) without gdb
set -euo pipefail
source=$(realpath "$1")
build=$(realpath "$2")
library=$(realpath "$3")
if ! command -v gdb >/dev/null; then
  echo 'there is no gdb here'
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$4" -std=c++20 -g -O0 "-I$source/include" "-I$build/include" "$source/tests/gdb/subject.cpp" "$library" -lz -pthread -o "$work/subject"

names=(plain classic line counting scalable handle maybe n p wide narrow)
commands=(-ex 'break stop' -ex run -ex up)
for name in "${names[@]}"; do
  commands+=(-ex "echo $name:" -ex "output $name" -ex 'echo \n')
done
said=$(gdb -nx -batch -ex "source $source/tools/gdb/bloomery-gdb.py" "${commands[@]}" "$work/subject" 2>&1)

failures=0
# prints NAME REGEX
prints() {
  grep -qE "^$1:$2\$" <<<"$said" && return
  printf '%s does not print as %s\n' "$1" "$2"
  failures=$((failures + 1))
}
made='made for 1,000 keys at 0.01'
prints plain 'filter: [-a-z0-9]+, 1,024 bits, 4 hashes, 0\.[0-9]+ % full'
prints classic "filter: classic, 9,[0-9]+ bits, [67] hashes, 0 % full, $made"
prints line "filter: split-8x64, [0-9,]+ bits, 8 hashes, 0 % full, $made"
counting="counting_filter: [0-9,]+ bytes, [0-9,]+ counters of 4 bits, 0\.0[0-9]+ % full, [0-9]+ hashes, $made"
prints counting "$counting"
prints scalable "scalable_filter: .*$made"
prints handle "any_filter: $counting"
prints maybe 'bitmap: 3 bits, [0-3] set'
prints n '1,000,000 items'
prints p '0\.001 \(rate\)'
prints wide '0x00000000000000ab0000000000000001'
prints narrow '0x00000000000000ff'
[[ $failures -eq 0 ]] || { printf '%s\n' "$said" | tail -30; exit 1; }
