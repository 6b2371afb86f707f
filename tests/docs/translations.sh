#!/usr/bin/env bash
# Every translated page follows the English page as it is now, and has the same code.
#
# usage: translations.sh [SOURCE_DIR]
#        translations.sh --update PAGE...
# The first line of a translation is <!-- follows ENGLISH_PAGE sha256:DIGITS -->, with the first 12
# digits of the SHA-256 of the English page that was translated. --update writes the digits of the
# current one: run it after you have carried the changes over.
# Code blocks may differ in comments only. So the translations need no tests of their own: those of
# the English blocks are enough.
set -euo pipefail

digits() { sha256sum <"$1" | cut -c 1-12; }

# follows PAGE: prints "ENGLISH_PAGE DIGITS" from its first line, or nothing
follows() { sed -nE '1s/^<!-- follows ([^ ]+) sha256:([0-9a-f]{12}) -->$/\1 \2/p' "$1"; }

# code PAGE: its code blocks without comments
code() {
  LC_ALL=C awk '
    /^ *```/ { inside = !inside; if (inside) language = $0; print language; next }
    !inside { next }
    language ~ /```(c|cpp)$/ { sub(/(^|[ \t]+)\/\/\/?( .*)?$/, "") }
    language !~ /```(c|cpp)$/ { sub(/(^|[ \t]+)#( .*)?$/, "") }
    { print }' "$1"
}

complain() { printf '%s: %s\n' "$1" "$2"; return 1; }

check() {
  local page=$1 english stamp now
  read -r english stamp <<<"$(follows "$page")"
  [[ -n $english ]] ||
    complain "$page" "the first line must be <!-- follows ENGLISH_PAGE sha256:000000000000 -->; then run tests/docs/translations.sh --update $page" || return
  [[ -f $english ]] || complain "$page" "follows $english, which does not exist; correct the first line" || return
  now=$(digits "$english")
  [[ $stamp == "$now" ]] || complain "$page" "$english has changed (sha256 $stamp, now $now)
  1. see what changed:  git diff \$(git log -1 --format=%h -G'^<!-- follows' -- $page) -- $english
  2. translate it in $page
  3. mark it as done:   tests/docs/translations.sh --update $page" || return
  diff -u --label "$english, code without comments" --label "$page, code without comments" <(code "$english") <(code "$page") ||
    complain "$page" "the code differs from $english as shown above; only comments may be translated"
}

update() {
  local page=$1 english stamp
  [[ -f $page ]] || complain "$page" "no such file" || return
  read -r english stamp <<<"$(follows "$page")"
  [[ -n $english ]] || complain "$page" "the first line must be <!-- follows ENGLISH_PAGE sha256:000000000000 -->" || return
  [[ -f $english ]] || complain "$page" "follows $english, which does not exist; correct the first line" || return
  sed -i "1s/sha256:$stamp/sha256:$(digits "$english")/" "$page"
}

root=$(dirname "${BASH_SOURCE[0]}")/../..
failures=0
if [[ ${1-} == --update ]]; then
  [[ $# -gt 1 ]] || { echo "usage: translations.sh --update PAGE..." >&2; exit 2; }
  pages=()
  for page in "${@:2}"; do pages+=("$(realpath --relative-to="$root" "$page")"); done
  cd "$root"
  for page in "${pages[@]}"; do update "$page" || failures=$((failures + 1)); done
else
  cd "${1:-$root}"
  for page in README.*.md docs/zh/*.md; do
    [[ ! -f $page ]] || check "$page" || failures=$((failures + 1))
  done
fi
[[ $failures -eq 0 ]]
