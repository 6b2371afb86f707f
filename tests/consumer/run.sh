#!/usr/bin/env bash
# Uses the library as its consumers do: installed (static and shared) through find_package and
# through pkg-config, and as a folder of a bigger project. None of these builds tests or tools.
#
# usage: run.sh SOURCE_DIR [WORK_DIR]     WORK_DIR is emptied first; the default is a temporary one
set -euo pipefail
source_dir=$(realpath "$1")
consumer=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=${2:-}
if [[ -z $work ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
# A sibling of the release build, and with its flags, so that ccache has the objects.
library=$source_dir/build-consumer
rm -rf "$work" "$library"
mkdir -p "$work" "$library"
work=$(realpath "$work")
version=$(sed -n 's/^project(bloomery VERSION \([0-9.]*\).*/\1/p' "$source_dir/CMakeLists.txt")

options=(-G Ninja -DCMAKE_BUILD_TYPE=Release --log-level=WARNING)
! command -v ccache >/dev/null || options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

# configure_and_build SOURCE BUILD OPTION...
configure_and_build() {
  if ! { cmake -S "$1" -B "$2" "${options[@]}" "${@:3}" && cmake --build "$2"; } >"$2.log" 2>&1; then
    cat "$2.log"
    fail "the build in $2"
  fi
}

# expect_version WHAT PROGRAM: it runs, finds its key, and says the version of this source
expect_version() {
  local said
  said=$(timeout 60 "$2") || fail "$1: the program ended with $?"
  [[ $said == "$version" ]] || fail "$1: expected version $version, got '$said'"
  printf 'ok: %s\n' "$1"
}

# expect_programs BUILD NAME...: the build made these executables and no other
expect_programs() {
  local made
  made=$(find "$1" -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name '*.so*' -printf '%f\n' | sort | xargs)
  [[ $made == "${*:2}" ]] || fail "$1 made these programs: '$made', expected '${*:2}'"
}

# installed NAME SHARED: installs the library, then uses it through CMake and through pkg-config. Static and shared are
# built in one folder, because they are made of the same objects.
installed() {
  local prefix=$work/$1-prefix
  configure_and_build "$source_dir" "$library" -DBUILD_SHARED_LIBS="$2" -DBLOOMERY_STRICT=ON \
    -DBLOOMERY_BUILD_TOOLS=OFF -DCMAKE_INSTALL_PREFIX="$prefix"
  expect_programs "$library"
  cmake --install "$library" >"$work/$1-install.log"
  if [[ $2 == ON ]]; then
    "$source_dir/tests/surface/exports.sh" names "$prefix"/lib/libbloomery*.so
    printf 'ok: the shared libraries export nothing that is not theirs\n'
  fi

  configure_and_build "$consumer" "$work/$1-package" -DCMAKE_PREFIX_PATH="$prefix"
  expect_version "$1 library through find_package" "$work/$1-package/use_filter"
  expect_version "$1 library for Redis through find_package" "$work/$1-package/use_redis"
  expect_version "$1 library of guards through find_package" "$work/$1-package/use_guard"

  "$source_dir/tests/c/symbols.sh" "$source_dir" "$prefix/lib/libbloomery.so.0"
  printf 'ok: %s build: the library for C exports its functions and nothing else\n' "$1"
  configure_and_build "$consumer/c" "$work/$1-c-package" -DCMAKE_PREFIX_PATH="$prefix"
  expect_version "$1 build: C through find_package" "$work/$1-c-package/use_c"
  c_through_pkg_config "$1"
  through_pkg_config "$1" bloomery use_filter
  through_pkg_config "$1" bloomery-redis use_redis
  through_pkg_config "$1" bloomery-guard use_guard
}

# c_through_pkg_config NAME: with a compiler for C alone, which links no C++ runtime
c_through_pkg_config() {
  local prefix=$work/$1-prefix flags
  read -ra flags < <(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs bloomery-c)
  "${CC:-gcc}" -std=c99 -pedantic -Wall -Wextra -Werror "$consumer/c/use_c.c" -o "$work/$1-use_c" "${flags[@]}"
  readelf -d "$work/$1-use_c" | grep 'NEEDED.*libbloomery\.so\.0' >/dev/null || fail "$1: C does not use libbloomery.so.0"
  LD_LIBRARY_PATH=$prefix/lib expect_version "$1 build: C through pkg-config" "$work/$1-use_c"
}

# through_pkg_config NAME PACKAGE PROGRAM
through_pkg_config() {
  local prefix=$work/$1-prefix flags
  read -ra flags < <(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs "$2")
  "${CXX:-g++}" -std=c++20 -O1 "$consumer/$3.cpp" -o "$work/$1-$3" "${flags[@]}"
  LD_LIBRARY_PATH=$prefix/lib expect_version "$1 library through pkg-config, $2" "$work/$1-$3"
}

as_a_folder() {
  # Here each source is compiled on its own, which shows that it includes what it uses. Not optimised, because that takes
  # long enough.
  configure_and_build "$consumer" "$work/folder" -DBLOOMERY_FOLDER="$source_dir" -DBLOOMERY_UNITY=OFF \
    -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON
  expect_programs "$work/folder" use_filter use_guard use_redis
  expect_version "library through add_subdirectory" "$work/folder/use_filter"
  expect_version "library for Redis through add_subdirectory" "$work/folder/use_redis"
  expect_version "library of guards through add_subdirectory" "$work/folder/use_guard"
}

installed static OFF
installed shared ON
as_a_folder
