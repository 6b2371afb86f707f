#!/usr/bin/env bash
# `./dev demo` builds only what it shows: a limited number of objects, and none of the tests or of the module.
#
# usage: demo_objects.sh BUILD_DIR
set -euo pipefail
build=$1
most=50

# The commands that ninja would run for the target from nothing.
objects=$(ninja -C "$build" -t commands demo | grep -oE ' -o [^ ]+\.(o|gch) ' | sort -u)
count=$(wc -l <<<"$objects")
printf 'the demo builds %d objects, at most %d\n' "$count" "$most"
[[ $count -gt 20 && $count -le $most ]]
! grep -E ' tests/|redis-module|/bench_' <<<"$objects"
