#!/usr/bin/env bash
# The library's tests on another processor: cross-compiled, and run by qemu.
#
# usage: cross.sh ARCHITECTURE     for which there is a cmake/ARCHITECTURE.cmake
#
# Everything is made in build-ARCHITECTURE/, with as many jobs as JOBS says or there are processors.
set -euo pipefail
architecture=${1:?usage: cross.sh ARCHITECTURE}
jobs=${JOBS:-$(nproc)}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build-$architecture

# Of this machine's headers the cross-compiler may see only those that are the same everywhere.
mkdir -p "$build/headers"
cp /usr/include/xxhash.h /usr/include/xxh3.h "$build/headers/"
cp -r /usr/include/nlohmann "$build/headers/"

cmake -S . -B "$build" -G Ninja --log-level=WARNING \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/$architecture.cmake" \
  -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
  -DBLOOMERY_STRICT=ON \
  -DBLOOMERY_BUILD_TOOLS=OFF \
  -DBLOOMERY_BUILD_TESTS=ON \
  -DBLOOMERY_XXHASH_INCLUDE_DIR="$PWD/$build/headers" >/dev/null
cmake --build "$build" --parallel "$jobs"
ctest --test-dir "$build" --output-on-failure --no-label-summary --no-tests=error --parallel "$jobs"
