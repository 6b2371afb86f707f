#!/usr/bin/env bash
# What the libraries export: all that programs call, and nothing that is not ours.
#
# usage: exports.sh calls BUILD_DIR LIBRARY.a...   no object of the command, the module or the examples in BUILD_DIR calls
#                                                  a hidden function of these libraries: a shared library would lack it
#        exports.sh names LIBRARY.so...            every exported name is in namespace bloomery or begins with bloomery_
set -euo pipefail
export LC_ALL=C

# Defined in the libraries, but hidden there.
hidden() {
  readelf -sW "$@" | awk '$5 != "LOCAL" && $6 == "HIDDEN" && $7 != "UND" { print $8 }' | sort -u
}

calls() {
  local build=$1 objects called
  mapfile -t objects < <(find "$build" -name '*.o' -path '*.dir/*' \
    \( -path '*/tools/*' -o -path '*/examples/*' -o -path '*/bench/*' \))
  if [[ ${#objects[@]} -eq 0 ]]; then
    echo "there are no objects of programs in $build"
    exit 1
  fi
  # A function that programs compile for themselves as well is defined in one of their objects.
  called=$(comm -12 <(hidden "${@:2}") <(nm -A --undefined-only "${objects[@]}" | awk '{ print $NF }' | sort -u) |
    comm -23 - <(nm --defined-only "${objects[@]}" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u) | c++filt)
  [[ -z $called ]] || { printf 'called by programs, but not marked BLOOMERY_EXPORT:\n%s\n' "$called"; exit 1; }
}

names() {
  local foreign
  foreign=$(nm -D --defined-only "$@" | awk 'NF == 3 { print $3 }' | c++filt |
    grep -vE '^(BLOOMERY_[0-9]|bloomery_)|\bbloomery::' || true)
  [[ -z $foreign ]] || { printf 'exported, but not ours:\n%s\n' "$foreign"; exit 1; }
}

"$@"
