#!/usr/bin/env bash
# Shows what bloomery does: a crawl without duplicates, a spelling dictionary, a database under attack.
# `./dev demo` builds first and runs this.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bloomery=$root/build/bloomery
words=/usr/share/dict/american-english
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export LC_ALL=C

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[[ -t 1 ]] || say() { printf '\n%s\n' "$*"; }
show() { printf '  %-34s %s\n' "$1" "$2"; }
# took COMMAND...: runs it and records its seconds and peak memory
took() { rm -f took; "$root/build/bench/measure" took "$@"; }
seconds() { awk '{ printf "%.2f s", $1 }' took; }
peak() { awk '{ printf "%.0f MiB", $2 / 1024 }' took; }

say "1. A crawl of a million URLs, 30 % of them seen before"
"$root/build/bench/make_urls" 1000000 30 >crawl
show "lines" "$(wc -l <crawl)"

took awk '!seen[$0]++' crawl >exact
show "distinct lines (awk, exact)" "$(wc -l <exact)   in $(seconds), $(peak)"

took "$bloomery" uniq -n 1M crawl >once
show "bloomery uniq, 1 in a million lost" "$(wc -l <once)   in $(seconds), $(peak)"
show "  unique lines lost" "$(($(wc -l <exact) - $(wc -l <once)))"

took "$bloomery" uniq --exact crawl >once
show "bloomery uniq --exact" "$(wc -l <once)   in $(seconds), $(peak)"
cmp -s exact once && show "  same lines as awk" "yes, in the same order"

say "2. A spelling dictionary: $words"
"$bloomery" create -n "$(wc -l <"$words")" -p 0.1% words.bloom
took "$bloomery" add words.bloom "$words"
show "words added" "$(wc -l <"$words")   in $(seconds)"
show "size: list / filter" "$(stat -c %s "$words") bytes / $(stat -c %s words.bloom) bytes"
show "words of the list not found" "$("$bloomery" grep -vc words.bloom "$words" || true)   (no false negatives)"

# Swap two letters of every word of five or more letters, as in typical typos.
awk 'length($0) > 4 && $0 ~ /^[a-z]+$/ { print substr($0, 1, 2) substr($0, 4, 1) substr($0, 3, 1) substr($0, 5) }' \
  "$words" >typos
exact=$(awk 'NR == FNR { word[$0]; next } !($0 in word)' "$words" typos | wc -l)
took "$bloomery" grep -vc words.bloom typos >caught
show "words with two letters swapped" "$(wc -l <typos)"
show "misspelt (exact)" "$exact   (the others happen to be words)"
show "misspelt, according to the filter" "$(<caught)   in $(seconds)"
show "misspellings missed" "$((exact - $(<caught))) of $exact; 0.1 % would be $((exact / 1000))"
for word in bloom blomo; do "$bloomery" test words.bloom "$word" | sed 's/^/  bloomery test: /' || true; done

say "3. What bloomery info shows about the filter"
"$bloomery" info words.bloom | sed 's/^/  /'

say "4. Sizing a filter for a million keys at 1 %"
"$bloomery" plan -n 1M -p 1% | sed 's/^/  /'

say "5. Requests for keys that do not exist, to a database without and with a filter in front of it"
"$bloomery" guard demo --rows 200k --requests 100k --seconds 1 | sed 's/^/  /'
