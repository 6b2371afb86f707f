#!/usr/bin/env bash
# Installs the package with pip into a fresh environment, from a source distribution, as people do, and uses it there.
#
# usage: install.sh ROOT SCRATCH
set -euo pipefail
root=$1
scratch=$2

rm -rf "$scratch"
mkdir -p "$scratch"
python3 -m venv "$scratch/environment"
pip=("$scratch/environment/bin/pip" --quiet --disable-pip-version-check)
"${pip[@]}" install build

# What git tracks, as in a clone: nothing that only this folder has may be needed.
mkdir "$scratch/clone"
git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$scratch/clone" -xf -
cd "$scratch"
environment/bin/python -m build --sdist --outdir . clone >/dev/null

# Not optimised, because this tests the packaging, and takes a third of the time.
"${pip[@]}" install --config-settings=cmake.build-type=Debug bloomery-*.tar.gz
environment/bin/python - <<'END'
import pickle

import bloomery

assert bloomery.__version__ and "site-packages" in bloomery.__file__, bloomery.__file__
seen = bloomery.Filter(1000, 0.01)
seen.update(range(1000))
assert all(key in seen for key in range(1000))
assert bytes(seen.contains_many([1, 10**9])) == b"\1\0"  # without numpy
assert pickle.loads(pickle.dumps(seen)) == seen
END
# Nothing but the package, and none of its sources.
"${pip[@]}" show -f bloomery | sed -n 's/^  //p' | grep -vE '^bloomery(-[0-9.]+\.dist-info)?/' &&
  { echo "files outside of the package are installed"; exit 1; }
echo "installed: $(du -sh environment/lib/python3*/site-packages/bloomery | cut -f1)"
