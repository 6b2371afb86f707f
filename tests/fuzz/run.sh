#!/usr/bin/env bash
# Runs one fuzz target on its corpus, on every input that ever crashed it, and then on new inputs.
#
# usage: run.sh BINARY check RUNS        a test: the same inputs each time; only crashes are kept
#        run.sh BINARY explore SECONDS   a search: new inputs each time; those that reach new code go to .cache/fuzz/TARGET
#
# An input that crashes is kept under tests/fuzz/crashes/TARGET: commit it with the fix, and it is a test from then on.
set -euo pipefail
binary=$(realpath "$1")
mode=$2
amount=$3
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=${binary##*/}
corpus=tests/fuzz/corpus/$target
crashes=tests/fuzz/crashes/$target
mkdir -p "$crashes"
trap 'rmdir --ignore-fail-on-non-empty -p "$crashes"' EXIT

case $mode in
  check)
    found=$(mktemp -d)
    trap 'rm -rf "$found"; rmdir --ignore-fail-on-non-empty -p "$crashes"' EXIT
    how=(-seed=1 "-runs=$amount")
    ;;
  explore)
    found=.cache/fuzz/$target
    mkdir -p "$found"
    how=("-max_total_time=$amount")
    ;;
  *) echo "run.sh: check or explore, not '$mode'" >&2 && exit 2 ;;
esac
inputs=("$found" "$crashes")
[[ ! -d $corpus ]] || inputs+=("$corpus")
"$binary" "${how[@]}" -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=128 -verbosity=0 -print_final_stats=1 \
  -artifact_prefix="$crashes/" "${inputs[@]}"
