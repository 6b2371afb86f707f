#!/usr/bin/env bash
# Every script of ours passes shellcheck.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

{
  for script in dev .ci/run bench/run bench/plot bench/bars; do
    [[ ! -f $script ]] || printf '%s\0' "$script"
  done
  for folder in tests examples bench tools packaging; do
    [[ ! -d $folder ]] || find "$folder" -type f \( -name '*.sh' -o -name '*.bash' -o -name '*.bats' \) -print0
  done
} | xargs -0 -r -n 4 -P "$(nproc)" shellcheck --severity=warning --external-sources --source-path=SCRIPTDIR
