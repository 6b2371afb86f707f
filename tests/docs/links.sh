#!/usr/bin/env bash
# Every relative link of our pages points to a file that exists, and its #fragment to a heading there.
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

# Prints the fragment of each heading as GitHub makes it: lower case, no punctuation, hyphens for spaces, -1 for a
# repeated one. Bytes above 127 are letters, except the punctuation of Chinese.
fragments() {
  LC_ALL=C awk '
    /^ *```/ { inside = !inside; next }
    inside || !/^#+ / { next }
    {
      sub(/^#+ +/, ""); gsub(/\]\([^)]*\)/, ""); gsub(/，|。|、|：|；|？|！|（|）|“|”|《|》|…|—|×/, "")
      gsub(/[^A-Za-z0-9 _\200-\377-]/, ""); gsub(/ /, "-"); name = tolower($0)
      print name (seen[name] ? "-" seen[name] : ""); seen[name]++
    }' "$1"
}

declare -A known # the fragments of a page, each on a line
# inspect PAGE TARGET: sets complaint to what is wrong with the link, or to nothing
inspect() {
  local file=$1 fragment=
  complaint=
  [[ $2 == \#* ]] || file=${1%"${1##*/}"}${2%%#*}
  [[ -e $file ]] || { complaint="no such file: $2"; return; }
  [[ $2 != *\#* || $file != *.md ]] || fragment=${2#*#}
  [[ -n $fragment ]] || return 0
  [[ -v known[$file] ]] || known[$file]=$'\n'$(fragments "$file")$'\n'
  [[ ${known[$file]} == *$'\n'"$fragment"$'\n'* ]] || complaint="no such heading: $2"
}

failures=0
for page in *.md docs/*.md docs/formats/*.md docs/zh/*.md docs/reference/*.md docs/reference/*/*.md; do
  [[ -f $page ]] || continue
  while read -r line target; do
    [[ $target =~ ^[a-z]+: ]] && continue
    inspect "$page" "$target"
    [[ -n $complaint ]] || continue
    printf '%s:%d: %s\n' "$page" "$line" "$complaint"
    failures=$((failures + 1))
  done < <(links "$page")
done
[[ $failures -eq 0 ]]
