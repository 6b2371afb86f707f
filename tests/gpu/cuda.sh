#!/usr/bin/env bash
# Builds the library for GPUs with nvcc, and its tests, which need no GPU: they run on the processor, and check what a
# machine without a GPU is told by CUDA itself. Then a program uses the installed library, without a CUDA compiler.
#
# usage: cuda.sh SOURCE_DIR BUILD_DIR     ends with 77 if there is no nvcc
set -euo pipefail
source=$(realpath "$1")
build=$2
consumer=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/consumer
nvcc=$(command -v nvcc || echo "$source/.cache/cuda/nvidia/cu13/bin/nvcc") # ./dev test --full installs it there
if [[ ! -x $nvcc ]]; then
  echo "there is no nvcc"
  exit 77
fi
mkdir -p "$build"
build=$(realpath "$build")

# quietly COMMAND...: its output only if it fails
quietly() { "$@" >"$build/log" 2>&1 || { cat "$build/log"; echo "FAILED: $*"; exit 1; }; }

launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
quietly cmake -S "$source" -B "$build/library" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}" \
  -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=90 -DBLOOMERY_GPU=ON -DBLOOMERY_BUILD_TESTS=ON \
  -DBLOOMERY_STRICT=ON
quietly cmake --build "$build/library" --target bloomery bloomery_gpu test_gpu
echo "ok: built with $("$nvcc" --version | sed -n 's/.*release //p')"
quietly "$build/library/tests/test_gpu"
sed -n 's/^\[  PASSED  \]/ok: passed/p' "$build/log"

# Only the library: its tests need more.
rm -rf "$build/prefix" "$build/consumer"
quietly cmake -S "$source" -B "$build/library" -DBLOOMERY_BUILD_TESTS=OFF -DBLOOMERY_BUILD_TOOLS=OFF \
  -DBLOOMERY_REDIS=OFF -DBLOOMERY_GUARD=OFF -DBLOOMERY_C=OFF -DBLOOMERY_SQLITE=OFF -DCMAKE_INSTALL_PREFIX="$build/prefix"
quietly cmake --build "$build/library"
quietly cmake --install "$build/library"
quietly cmake -S "$consumer" -B "$build/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$build/prefix"
quietly cmake --build "$build/consumer"
quietly "$build/consumer/consumer"
printf 'ok: a program with the installed library says: %s\n' "$(<"$build/log")"
