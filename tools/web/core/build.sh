#!/usr/bin/env bash
# Builds the WebAssembly modules and the npm package from them, into build-web/package.
#
# usage: tools/web/core/build.sh
#
# Needs clang-19, lld-19, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32, wasi-libc,
# ninja-build and ccache (Debian), and the npm packages of tools/web/package.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
jobs=${JOBS:-2}

die() {
  printf 'build.sh: %s\n' "$1" >&2
  exit 1
}
[[ -e /usr/lib/wasm32-wasi/libc.a ]] || die "wasi-libc is missing: install what is listed at the top of $0"
[[ -d tools/web/node_modules/binaryen ]] ||
  die "the npm packages are missing: run npm install --no-package-lock in tools/web"

build="build-web/wasm"
if [[ ! -e $build/build.ninja ]]; then
  cmake -S tools/web/core -B "$build" -G Ninja --log-level=WARNING -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/wasm32.cmake" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
fi
CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros NINJA_STATUS='[%f/%t] ' \
  cmake --build "$build" --parallel "$jobs"

# wasm-opt makes them a quarter smaller. Only what changed.
features=(--mvp-features)
for each in bulk-memory bulk-memory-opt exception-handling multivalue mutable-globals nontrapping-float-to-int \
  reference-types sign-ext simd; do
  features+=("--enable-$each")
done
mkdir -p build-web/modules
for each in "$build"/*.wasm; do
  to=build-web/modules/${each##*/}
  if [[ $each -nt $to ]]; then
    printf 'wasm-opt %s\n' "${each##*/}"
    tools/web/node_modules/.bin/wasm-opt ${WASM_OPT:--Oz} "${features[@]}" --strip-debug --strip-producers "$each" -o "$to"
  fi
done

version=$(sed -n 's/^project(bloomery VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
node tools/web/package/build.mjs build-web/modules build-web/package "$version"
