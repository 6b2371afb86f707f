#!/usr/bin/env bash
# The public headers are those in public_headers.txt and in docs/reference.md, no more and no fewer, and programs that we
# show include no others. With a compiler, each header also compiles on its own, those in detail/ too.
#
# usage: headers.sh SOURCE_DIR [BUILD_DIR CXX...]
set -euo pipefail
source=$(realpath "$1")
build=${2:+$(realpath "$2")}
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
cd "$source"
failures=0

fail() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}

listed=$(awk '/^[^#]/ { print "bloomery/" $1 }' "$here/public_headers.txt" | sed 's|^bloomery/bloomery\.h$|bloomery.h|')
# version.hpp is made from a template when the build is configured.
present=$({ cd include && find . -name detail -prune -o -type f -printf '%P\n' && echo bloomery/version.hpp; })
shown=$(sed -nE 's/^\| \[.(bloomery[^]]*).\]\(reference\/.*/\1/p' docs/reference.md)

# only_in WHAT LEFT RIGHT: fails for each line of LEFT that RIGHT lacks
only_in() {
  local header
  while read -r header; do
    [[ -z $header ]] || fail "$header $1"
  done < <(comm -23 <(sort <<<"$2") <(sort <<<"$3"))
}
only_in 'is in include/, but not in tests/surface/public_headers.txt: name it there, or move it to include/bloomery/detail/' "$present" "$listed"
only_in 'is in tests/surface/public_headers.txt, but not in include/' "$listed" "$present"
only_in 'is in tests/surface/public_headers.txt, but not in docs/reference.md' "$listed" "$shown"
only_in 'is in docs/reference.md, but not in tests/surface/public_headers.txt' "$shown" "$listed"
[[ $listed == "$shown" ]] || fail 'docs/reference.md has another order than tests/surface/public_headers.txt'

# What programs copy from must not include the implementation.
while IFS= read -r line; do
  fail "$line: examples must not include bloomery/detail/"
done < <(grep -rnE '^ *#include <bloomery/detail/' README.md docs examples tests/consumer || true)

inner=$(cd include && find . -path '*/detail/*.hpp' -printf '%P\n' | sort)
for cxx in "${@:3}"; do
  for header in $listed $inner; do
    flags=(-x c++ -std=c++20)
    [[ $header != *.h ]] || flags=(-x c -std=c11)
    said=$("$cxx" "${flags[@]}" -Wall -Wextra -Werror -fsyntax-only -Iinclude "-I$build/include" - \
      <<<"#include <$header>" 2>&1) || fail "$cxx: $header does not compile on its own: $said"
  done
done
[[ $failures -eq 0 ]]
