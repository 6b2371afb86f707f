#!/usr/bin/env bash
# What does not compile says why in a few lines: a type that is not a key, and a standard before C++20.
#
# usage: refusals.sh BUILD_DIR
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
said=$(mktemp)
trap 'rm -f "$said"' EXIT

fail() {
  printf '%s\n' "$*"
  cat "$said"
  exit 1
}

# refuses CXX STANDARD LINES PROGRAM WORD...: it does not compile, for one reason, in so many lines with these words
refuses() {
  local what="$1 -std=$2: $4" word errors
  if "$1" -std="$2" -fsyntax-only -Iinclude "-I$build/include" -x c++ - <<<"$4" >"$said" 2>&1; then
    fail "$what: compiles"
  fi
  errors=$(grep -c 'error:' "$said")
  [[ $errors -le 2 ]] || fail "$what: $errors errors"
  [[ $(wc -l <"$said") -le $3 ]] || fail "$what: $(wc -l <"$said") lines, at most $3"
  for word in "${@:5}"; do
    grep -qF -- "$word" "$said" || fail "$what: does not say $word"
  done
}

key='#include <bloomery/filter/filter.hpp>
#include <vector>
int main() {
  bloomery::filter f(bloomery::items{100}, bloomery::rate{0.01});
'
for cxx in "${CXX:-g++}" clang++-19; do
  command -v "$cxx" >/dev/null || continue
  refuses "$cxx" c++20 20 "$key f.insert(3.14); }" by_bits bloomery_feed
  refuses "$cxx" c++20 20 "$key f.insert(nullptr); }" nullptr_t
  refuses "$cxx" c++20 20 "$key return f.may_contain(3.14); }" by_bits bloomery_feed
  refuses "$cxx" c++20 28 "$key f.insert_many(std::vector<double>{1.5}); }" by_bits bloomery_feed
  for header in bloomery filter/filter filter/any_filter format/file key/key plan/choose hash/xxh3 guard/guard redis/filter; do
    refuses "$cxx" gnu++17 18 "#include <bloomery/$header.hpp>" 'bloomery needs C++20' '-std=c++20'
  done
done
