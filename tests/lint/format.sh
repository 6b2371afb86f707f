#!/usr/bin/env bash
# Checks that our C++ files are formatted according to .clang-format; with --fix, formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mode=(--dry-run -Werror)
[[ ${1:-} != --fix ]] || mode=(-i)

for folder in include src tools tests bench examples; do
  [[ ! -d $folder ]] || find "$folder" -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' \) -print0
done | xargs -0 -r "${CLANG_FORMAT:-clang-format-19}" "${mode[@]}" --
