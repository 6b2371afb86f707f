#!/usr/bin/env bash
# Builds the library and the examples with another compiler or other flags, and runs what can be run: the unit tests
# too, unless the standard library differs from that of the test libraries.
#
# usage: compiler.sh CXX [FLAG...]     such as: compiler.sh clang++-19 -stdlib=libc++
set -euo pipefail
cxx=$1
flags=${*:2}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build="build-compiler"
jobs=$(nproc)

tests=ON
[[ $flags != *libc++* ]] || tests=OFF
rm -rf "$build"
cmake -S . -B "$build" -G Ninja --log-level=WARNING -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_CXX_FLAGS="$flags" -DBLOOMERY_STRICT=ON -DBLOOMERY_UNITY=OFF \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBLOOMERY_BUILD_TOOLS=OFF \
  -DBLOOMERY_BUILD_TESTS=$tests >/dev/null
if [[ $tests = ON ]]; then
  parts=(key hash plan kernel layout storage filter format foreign)
  cmake --build "$build" --parallel "$jobs" --target "${parts[@]/#/test_}"
  ctest --test-dir "$build" --output-on-failure --no-label-summary --no-tests=error --parallel "$jobs" \
    -R "^($(IFS='|' && echo "${parts[*]}"))\\."
else
  cmake --build "$build" --parallel "$jobs" --target bloomery
  for example in crawl spell parallel; do
    # shellcheck disable=SC2086 # a list of flags
    "$cxx" $flags -std=c++20 -O2 -Iinclude "-I$build/include" "examples/$example.cpp" "$build/libbloomery.a" -lz -pthread \
      -o "$build/$example"
  done
  "$build/crawl" && "$build/spell" LICENSE && "$build/parallel"
fi
