#!/usr/bin/env bash
# The command on a large file that is used in place: time and memory, interleaved, medians.
#
# usage: bench/files.sh [KEYS] [ROUNDS]      default: 1000000000 keys (1.2 GB), 11 rounds
#
# The file is in the page cache; `cold` rounds query after it was dropped from there, as far as the
# system allows a file's owner to do that. Needs room for three such files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
keys=${1:-1000000000}
rounds=${2:-11}
bloomery=$PWD/build/bloomery
measure=$PWD/build/bench/measure
work=$(mktemp -d "${TMPDIR:-/tmp}/bloomery-files.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

"$bloomery" create -n "$keys" -p 1% --layout classic classic.bloom
"$bloomery" create -n "$keys" -p 1% --layout split-8x64 split.bloom
"$bloomery" create -n $((keys / 1000)) -p 1% --layout split-8x64 small.bloom
seq 1000000 >million
for file in classic split small; do echo key | "$bloomery" add $file.bloom; done
printf 'classic.bloom %s bytes, split.bloom %s, small.bloom %s\n' \
  "$(stat -c %s classic.bloom)" "$(stat -c %s split.bloom)" "$(stat -c %s small.bloom)"

contest() {
  case $1 in
    version) "$measure" "$1" "$bloomery" --version ;;
    test-small) "$measure" "$1" "$bloomery" test small.bloom key ;;
    test-split) "$measure" "$1" "$bloomery" test split.bloom key ;;
    test-classic) "$measure" "$1" "$bloomery" test classic.bloom key ;;
    test-classic-cold)
      dd of=classic.bloom oflag=nocache conv=notrunc,fdatasync count=0 status=none
      "$measure" "$1" "$bloomery" test classic.bloom key
      ;;
    info) "$measure" "$1" "$bloomery" info classic.bloom ;;
    add-one-key) echo "key $RANDOM" | "$measure" "$1" "$bloomery" add classic.bloom ;;
    grep-a-million) "$measure" "$1" "$bloomery" grep -c split.bloom million || true ;;
    verify) "$measure" "$1" "$bloomery" verify classic.bloom ;;
    merge) "$measure" "$1" "$bloomery" merge --force split.bloom split.bloom -o merged.bloom ;;
  esac
}
names=(version test-small test-split test-classic test-classic-cold info add-one-key grep-a-million
  verify merge)

for ((round = 1; round <= rounds; ++round)); do
  for name in "${names[@]}"; do contest "$name" >/dev/null; done
done

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }
printf '%-18s %10s %10s\n' "" ms peak-MiB
for name in "${names[@]}"; do
  printf '%-18s %10.1f %10.1f\n' "$name" "$(awk '{ print $1 * 1000 }' "$name" | median)" \
    "$(awk '{ print $2 / 1024 }' "$name" | median)"
done
