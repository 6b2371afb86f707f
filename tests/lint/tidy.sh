#!/usr/bin/env bash
# clang-tidy over every compiled source outside tests/, and over all public headers in one piece.
#
# usage: tidy.sh [headers]
# With "headers", it checks only these: all sources take a quarter of an hour.
# A file that was clean is not checked again until it, a header of ours that it includes, its
# flags, .clang-tidy or clang-tidy itself changes: .cache/tidy/ holds one empty file per clean state.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tidy=${CLANG_TIDY:-clang-tidy-19}
# The preset that compiles each source by itself says how.
cmake --preset debug --log-level=WARNING >/dev/null
build=$PWD/build-debug
# What GCC has compiled of headers beforehand, clang cannot read.
commands=.cache/tidy-commands
sources='^(src|tools|bench|examples)/'
[[ ${1:-} != headers ]] || sources='^$'
export tidy build commands
mkdir -p .cache/tidy "$commands"
sed 's/ -Winvalid-pch//; s/ -include [^ ]*cmake_pch\.hxx//' "$build/compile_commands.json" \
  >"$commands/compile_commands.json"

header_flags() { printf '%s\n' -x c++ -std=c++20 -Iinclude "-I$build/include" -Wno-pragma-once-outside-header; }

# A digest of everything that decides what clang-tidy says about a file.
state_of() {
  {
    "$tidy" --version
    cat .clang-tidy
    grep -F -- "$1" "$commands/compile_commands.json" || true
    # shellcheck disable=SC2046 # make's list of names: no name of ours has a space
    cat $(c++ -std=c++20 -MM -MG -Iinclude "-I$build/include" -x c++ "$1" |
      sed -e 's/^[^:]*://' -e 's/\\$//') 2>/dev/null || true
  } | sha256sum | cut -c1-40
}

check() {
  local file=$1 clean arguments log
  clean=.cache/tidy/$(state_of "$file")
  [[ ! -e $clean ]] || return 0
  if [[ $file == "$all_headers" ]]; then
    mapfile -t arguments < <(printf '%s\n' "--header-filter=$PWD/include/.*" "$file" -- && header_flags)
  else
    arguments=(-p "$commands" --extra-arg=-Wno-unknown-warning-option "$file")
    # The analyzer's paths through the parser of options take a third of the time, and find nothing.
    [[ $file == src/* ]] || arguments=("--checks=-clang-analyzer-*" "${arguments[@]}")
  fi
  if log=$("$tidy" --quiet "${arguments[@]}" 2>&1); then
    : >"$clean"
    printf 'clang-tidy: clean: %s\n' "$file"
  else
    printf 'clang-tidy: %s\n%s\n' "$file" "$log"
    return 1
  fi
}
export -f check state_of header_flags

all_headers=.cache/all_headers.cpp
export all_headers
find include -name '*.hpp' | sort | sed 's|^include/\(.*\)|#include <\1>|' >"$all_headers"

# shellcheck disable=SC2016 # $1 is the inner shell's
{
  sed -n "s|^ *\"file\": \"$PWD/\(.*\)\",\{0,1\}\$|\1|p" "$build/compile_commands.json" |
    grep -E "$sources" || true
  echo "$all_headers"
} | sort -u | xargs -r -n 1 -P "$(nproc)" bash -c 'check "$1"' _
