#!/usr/bin/env bash
# Every relative link of our pages points to a file that exists.
#
# usage: links.sh [SOURCE_DIR]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# Prints LINE TARGET for each link outside code: [text](target), [name]: target, src= and href=.
links() {
  awk '
    /^ *```/ { inside = !inside; next }
    inside { next }
    {
      gsub(/`[^`]*`/, "")
      if (match($0, /^\[[^\]]+\]: +[^ ]+/)) { target = $0; sub(/^\[[^\]]+\]: +/, "", target); sub(/ .*/, "", target); print NR, target }
      for (text = $0; match(text, /\]\([^) ]+/); text = substr(text, RSTART + RLENGTH)) print NR, substr(text, RSTART + 2, RLENGTH - 2)
      for (text = $0; match(text, /(src|href)="[^"]+/); text = substr(text, RSTART + RLENGTH)) {
        target = substr(text, RSTART, RLENGTH); sub(/^[a-z]+="/, "", target); print NR, target
      }
    }' "$1"
}

failures=0
for page in *.md docs/*.md docs/formats/*.md docs/reference/*.md docs/reference/*/*.md; do
  [[ -f $page ]] || continue
  while read -r line target; do
    [[ $target =~ ^([a-z]+:|#) ]] && continue
    [[ -e $(dirname "$page")/${target%%#*} ]] && continue
    printf '%s:%d: no such file: %s\n' "$page" "$line" "$target"
    failures=$((failures + 1))
  done < <(links "$page")
done
[[ $failures -eq 0 ]]
