#!/usr/bin/env bash
# The shared library exports the functions of bloomery.h under their version, and nothing else, also nothing of the C++
# inside; and these are the ones that tests/c/symbols.txt lists: none is lost, and a new one is added on purpose.
#
# usage: symbols.sh SOURCE_DIR LIBRARY
set -euo pipefail
export LC_ALL=C
source=$1
library=$2
listed=$(grep -v '^#' "$source/tests/c/symbols.txt")
declared=$(sed -n '/^BLOOMERY_C_\(API\|EXPORT\) /,/;/p' "$source/include/bloomery.h" |
  grep -oE '\bbloomery_[a-z0-9_]+\(' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $NF }') # A: the version itself
expected=$(awk '{ print $1 "@@BLOOMERY_0" }' <<<"$declared")

failed=0
# same WHAT LEFT RIGHT
same() {
  diff -u <(sort <<<"$2") <(sort <<<"$3") || { printf 'FAILED: %s\n' "$1" && failed=1; }
}
same 'tests/c/symbols.txt and the functions of bloomery.h differ' "$listed" "$declared"
same 'the functions of bloomery.h and the symbols of the library differ' "$expected" "$exported"
exit "$failed"
