#!/usr/bin/env bash
# Installs the package with pip into a fresh environment, from a source distribution, as people do, and uses it there.
#
# usage: install.sh ROOT SCRATCH
set -euo pipefail
root=$1
scratch=$(realpath -m "$2")

rm -rf "$scratch"
mkdir -p "$scratch/clone"
python3 -m venv "$scratch/environment"
pip=("$scratch/environment/bin/pip" --quiet --disable-pip-version-check)
"${pip[@]}" install build scikit-build-core

# What git tracks, as in a clone: nothing that only this folder has may be needed.
git -C "$root" ls-files -z | tar -C "$root" --null -T - -cf - | tar -C "$scratch/clone" -xf -
cd "$scratch"
environment/bin/python -m build --no-isolation --sdist --outdir . clone >/dev/null
mkdir sources
tar -xzf bloomery-*.tar.gz --strip-components=1 -C sources

# Compiled in sources/build with the flags of ./dev, so that ccache finds what ./dev has compiled: this tests the
# packaging, and compiling all of the library once more would only take time.
options=(--no-build-isolation --config-settings=build-dir=build --config-settings=cmake.define.BLOOMERY_STRICT=ON)
export CXX=c++ # by the name that CMake uses
if command -v ccache >/dev/null; then
  options+=(--config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  export CCACHE_BASEDIR=$scratch/sources CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi
"${pip[@]}" install "${options[@]}" ./sources
cd /
"$scratch/environment/bin/python" - <<'END'
import pickle

import bloomery

assert bloomery.__version__ and "site-packages" in bloomery.__file__, bloomery.__file__
seen = bloomery.Filter(1000, 0.01)
seen.update(range(1000))
assert all(key in seen for key in range(1000))
assert bytes(seen.contains_many([1, 10**9])) == b"\1\0"  # without numpy
assert pickle.loads(pickle.dumps(seen)) == seen
END
"$scratch/environment/bin/python" -m bloomery plan -n 1M -p 1% >/dev/null
# Nothing but the package, and none of its sources.
"${pip[@]}" show -f bloomery | sed -n 's/^  //p' | grep -vE '^bloomery(-[0-9.]+\.dist-info)?/' &&
  { echo "files outside of the package are installed"; exit 1; }
echo "installed: $(du -sh "$scratch"/environment/lib/python3*/site-packages/bloomery | cut -f1)"
