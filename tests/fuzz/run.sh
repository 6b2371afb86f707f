#!/usr/bin/env bash
# Runs one fuzz target on its corpus, on every input that ever crashed it, and then on new inputs.
#
# usage: run.sh BINARY SECONDS [LIBFUZZER_OPTION...]
#
# New inputs that reach new code go to .cache/fuzz/TARGET; an input that crashes is kept under
# tests/fuzz/crashes/TARGET, where it stays, as a test, once the crash is mended.
set -euo pipefail
binary=$(realpath "$1")
seconds=$2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=${binary##*/}
new=.cache/fuzz/$target
corpus=tests/fuzz/corpus/$target
crashes=tests/fuzz/crashes/$target
mkdir -p "$new" "$crashes"
trap 'rmdir --ignore-fail-on-non-empty -p "$crashes"' EXIT

inputs=("$new" "$crashes")
[[ ! -d $corpus ]] || inputs+=("$corpus")
"$binary" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=128 -verbosity=0 \
  -print_final_stats=1 -artifact_prefix="$crashes/" "${@:3}" "${inputs[@]}"
