#!/usr/bin/env bash
# Which targets to build for the tests that a pattern names, so that `./dev test PATTERN` builds no more.
#
# usage: targets.sh PRESET PATTERN     ends with 1 if no folder of tests has such a name
#
# A test's name begins with its folder in tests/. A pattern without one (a suite, say) is looked for in the sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
preset=$1
pattern=$2

# The targets behind the tests of one folder.
targets_of() {
  case $1 in
    redis_module) echo test_redis_module bloomery_module ;;
    cli | live | web) echo tools ;;
    python) echo bloomery_python bloomery_command ;;
    sqlite) echo test_sqlite bloomery_sqlite bloomery_command ;;
    postgres) echo bloomery_mutate bloomery_postgres bloomery_command ;;
    build | consumer) echo bloomery ;;
    all | docs | examples | layers) echo all ;;
    lint) echo bloomery_descriptions ;;
    *) echo "test_$1" ;;
  esac
}

# The folder that the pattern begins with, or those whose sources have a test with its first word in the name.
folders() {
  local word=${pattern%%[^A-Za-z0-9_]*}
  if [[ -z $word || $pattern = *'|'* ]]; then # any test may match
    echo all
  elif compgen -G "$word/*.cpp" >/dev/null || compgen -G "$word/*.bats" >/dev/null || compgen -G "$word/*.sh" >/dev/null ||
    [[ $word = examples || $word = python || $word = web ]]; then
    echo "$word"
  else
    grep -lrE --include='*.cpp' -e "(TEST|PROP)[A-Z_]*\\([^)]*\\b$word" -- */ | cut -d/ -f1 | sort -u
    compgen -G "*/$word.bats" | cut -d/ -f1
  fi || true
}

case $preset in
  thread) echo test_threads ;;
  fuzz)
    word=${pattern%%[^a-z_]*}
    [[ -n $word ]] || { echo all && exit; }
    [[ -e fuzz/$word.cpp ]] || exit 1
    echo "fuzz_$word"
    ;;
  *)
    found=$(folders)
    [[ -n $found ]] || exit 1
    for folder in $found; do targets_of "$folder"; done | tr ' ' '\n' | sort -u | tr '\n' ' '
    ;;
esac
