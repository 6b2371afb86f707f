#!/usr/bin/env bash
# Checks all our man pages with mandoc, including those that the build creates; a warning is a failure.
#
# usage: man.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for folder in docs tools packaging "${1:-build}/share/man"; do
  [[ ! -d $folder ]] || find "$folder" -type f -name '*.[1-8]' -print0
done | xargs -0 -r mandoc -Tlint -Wwarning
