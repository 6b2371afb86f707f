#!/usr/bin/env bash
# Checks the include rules, and that the library neither prints nor reads the environment.
#
# usage: check.sh [ROOT]     ROOT holds include/, src/ and tools/; the default is this repository
#
# Prints FILE:LINE: RULE for each violation and fails when there is one. Long files get a warning.
set -euo pipefail
rules=$(realpath "$(dirname "${BASH_SOURCE[0]}")/rules.awk")
root=${1:-$(dirname "${BASH_SOURCE[0]}")/../..}
cd "$root"

# A folder includes only folders to its left; everyone may include those of `free`.
order="text key hash layout storage filter format c redis guard gpu tools"
free="plan cxx20.hpp export.hpp error.hpp version.hpp own_copy.hpp zero_when_moved.hpp connection_pool.hpp"
# folder=the folder it counts as
aliases="kernel=layout"
line_limit=400

# The C++ and C files under the given folders.
sources() {
  local folder
  for folder; do
    [[ ! -d $folder ]] || find "$folder" -type f \( -name '*.[ch]' -o -name '*.[ch]pp' \)
  done | sort
}

sources include src tools tests bench examples | while read -r file; do
  lines=$(wc -l <"$file")
  ((lines <= line_limit)) || printf 'warning: %s has %d lines (aim for at most %d)\n' "$file" "$lines" "$line_limit"
done

sources include/bloomery src tools |
  awk -v order="$order" -v free="$free" -v aliases="$aliases" -f "$rules"
