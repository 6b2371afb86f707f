#!/usr/bin/env bash
# bloomery uniq compared with awk and sort -u on a crawl of URLs, interleaved, medians of the ratios.
#
# usage: bench/uniq.sh [LINES] [ROUNDS]      default: 5000000 lines, 5 rounds
# All read the same file from the page cache and write to /dev/null, so that the disk does not matter.
# sort runs in the locale of the caller and in C, where it is fastest. Each round runs all, in turn.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lines=${1:-5000000}
rounds=${2:-5}
bloomery=$PWD/build/bloomery
measure=$PWD/build/bench/measure
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "making $lines URLs, 30 % of them seen before"
build/bench/make_urls "$lines" 30 >"$work/urls"
cat "$work/urls" >/dev/null
locale=${LC_ALL:-${LANG:-C}}

# name, then the command
contest() {
  case $1 in
    bloomery) "$measure" "$work/$1" "$bloomery" uniq -n "$lines" "$work/urls" ;;
    bloomery-0.1%) "$measure" "$work/$1" "$bloomery" uniq -n "$lines" -p 0.1% "$work/urls" ;;
    bloomery-exact) "$measure" "$work/$1" "$bloomery" uniq --exact -n "$lines" "$work/urls" ;;
    mawk) "$measure" "$work/$1" mawk '!seen[$0]++' "$work/urls" ;;
    sort-u) "$measure" "$work/$1" sort -u "$work/urls" ;;
    sort-u-C) LC_ALL=C "$measure" "$work/$1" sort -u "$work/urls" ;;
  esac
}
names=(bloomery bloomery-0.1% bloomery-exact mawk sort-u sort-u-C)

for ((round = 1; round <= rounds; ++round)); do
  for name in "${names[@]}"; do contest "$name" >/dev/null; done
  echo "round $round of $rounds done"
done

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'; }
# ratio NAME OTHER: the median over the rounds of OTHER's time over NAME's
ratio() { paste "$work/$1" "$work/$2" | awk '{ print $3 / $1 }' | median; }

printf '\nlocale %s; times of the others over those of the row:\n' "$locale"
printf '%-16s %10s %10s %10s %10s %10s\n' "" seconds peak-MiB mawk "sort -u" "in C"
for name in "${names[@]}"; do
  seconds=$(awk '{ print $1 }' "$work/$name" | median)
  peak=$(awk '{ print $2 / 1024 }' "$work/$name" | median)
  printf '%-16s %10.3f %10.1f %8.1f x %8.1f x %8.1f x\n' "$name" "$seconds" "$peak" \
    "$(ratio "$name" mawk)" "$(ratio "$name" sort-u)" "$(ratio "$name" sort-u-C)"
done

exact=$(sort -u "$work/urls" | wc -l)
for option in "" "-p 0.1%" --exact; do
  # shellcheck disable=SC2086 # an option and its value
  printed=$("$bloomery" uniq -n "$lines" $option "$work/urls" | wc -l)
  echo "uniq $option printed $printed of $exact distinct lines"
done
