#!/usr/bin/env bash
# Each program here must not compile, and the compiler must say why in a few lines. A program states in comments:
#   // says: REGEX       a line of the message matches this (several: each of them)
#   // clang says: ...   the same for clang alone; so `gcc says:`
#   // lines: N          the message has at most N lines (default 20), without those that name including files
#   // errors: N         the compiler reports at most N errors (default 1)
#   // flags: ...        instead of -std=c++20
# all.hpp is what they include; it is compiled once.
#
# usage: run.sh SOURCE_DIR BUILD_DIR CXX...
set -euo pipefail
export LC_ALL=C
source=$(realpath "$1")
build=$(realpath "$2")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# wants FILE WORD: what follows // WORD in the comments of a program
wants() { sed -n "s|^// $2: ||p" "$1"; }

# wrong CXX FILE REASON
wrong() {
  printf '%s, %s: %s\n' "$1" "$(basename "$2")" "$3"
  sed 's/^/    /' "$work/said" | head -40
  failures=$((failures + 1))
}

# refuses CXX FAMILY FILE
refuses() {
  local flags lines errors pattern
  flags=$(wants "$3" flags)
  lines=$(wants "$3" lines)
  errors=$(wants "$3" errors)
  # shellcheck disable=SC2086 # several flags
  if "$1" ${flags:--std=c++20 -include "$work/all.hpp"} -fsyntax-only "-I$source/include" "-I$build/include" "$3" >"$work/said" 2>&1; then
    wrong "$1" "$3" 'it compiles'
    return
  fi
  sed -i -E '/^(In file included from| +from) /d' "$work/said"
  [[ $(grep -c 'error:' "$work/said") -le ${errors:-1} ]] || wrong "$1" "$3" "$(grep -c 'error:' "$work/said") errors"
  [[ $(wc -l <"$work/said") -le ${lines:-20} ]] || wrong "$1" "$3" "$(wc -l <"$work/said") lines, at most ${lines:-20}"
  while IFS= read -r pattern; do
    [[ -z $pattern ]] || grep -qE -- "$pattern" "$work/said" || wrong "$1" "$3" "nothing matches: $pattern"
  done < <(wants "$3" says; wants "$3" "$2 says")
}

for cxx in "${@:3}"; do
  family=gcc
  compiled=gch
  if "$cxx" --version | grep clang >/dev/null; then
    family=clang
    compiled=pch
  fi
  rm -f "$work"/all.hpp*
  cp "$here/all.hpp" "$work"
  "$cxx" -std=c++20 "-I$source/include" "-I$build/include" \
    -x c++-header "$work/all.hpp" -o "$work/all.hpp.$compiled"
  for program in "$here"/*.cpp; do
    refuses "$cxx" "$family" "$program"
  done
done
[[ $failures -eq 0 ]]
