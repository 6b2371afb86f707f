#!/usr/bin/env bash
# examples/dedup.c: words stay whole where a batch ends, and a filter that cannot be read is not replaced.
#
# usage: dedup.sh PROGRAM
set -euo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

# expect TEXT WORDS: that many words, one of them new
expect() {
  local said
  rm -f "$work/seen.bloom"
  said=$("$program" "$1" "$work/seen.bloom")
  [[ $said == "$2 words, 1 of them new;"* ]] || fail "expected $2 words, one of them new; got: $said"
}
for size in 3 19 255 256; do
  word=$(printf 'x%.0s' $(seq "$size"))
  awk -v word="$word" 'BEGIN { for (i = 0; i < 5000; ++i) print word }' >"$work/text"
  expect "$work/text" 5000
done
printf 'x%.0s' $(seq 100000) >"$work/text" # longer than a batch
expect "$work/text" 1

ln -s loop.bloom "$work/loop.bloom" # cannot be read, but a new file could be put there
if "$program" "$work/text" "$work/loop.bloom" 2>"$work/errors"; then fail 'a filter that cannot be read was accepted'; fi
[[ -L $work/loop.bloom ]] || fail 'a filter that cannot be read was replaced'
grep -q 'cannot open the filter' "$work/errors" || fail "the error is: $(cat "$work/errors")"
