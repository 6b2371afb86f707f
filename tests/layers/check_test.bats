#!/usr/bin/env bats
# The layer check passes on this tree, and notices one planted violation of each rule.

setup() {
  here=$BATS_TEST_DIRNAME
  tree=$BATS_TEST_TMPDIR/tree
  mkdir -p "$tree"
  for folder in include src tools; do
    [[ ! -d $here/../../$folder ]] || cp -r "$here/../../$folder" "$tree/"
  done
}

# plant FILE LINE...: a file of the given lines
plant() {
  mkdir -p "$(dirname "$tree/$1")"
  printf '%s\n' "${@:2}" >"$tree/$1"
}

# The check fails and tells exactly this.
tells() {
  run "$here/check.sh" "$tree"
  echo "$output"
  [[ $status -ne 0 ]]
  grep -qxF -- "$1" <<<"$output"
}

passes() {
  run "$here/check.sh" "$tree"
  echo "$output"
  [[ $status -eq 0 ]]
}

@test "the tree as it is passes" {
  passes
}

@test "a header that includes a folder to its right" {
  plant include/bloomery/key/planted.hpp '#pragma once' '#include <bloomery/layout/planted.hpp>'
  tells "include/bloomery/key/planted.hpp:2: key must not include layout, which is to its right: bloomery/layout/planted.hpp"
}

@test "a source that includes a folder to its right" {
  plant src/hash/planted.cpp '#include <bloomery/filter/planted.hpp>'
  tells "src/hash/planted.cpp:1: hash must not include filter, which is to its right: bloomery/filter/planted.hpp"
}

@test "a source that includes a private header to its right" {
  plant src/layout/planted.cpp '#include "../format/planted.hpp"'
  tells "src/layout/planted.cpp:1: layout must not include format, which is to its right: ../format/planted.hpp"
}

@test "a source that includes a private header to its left" {
  plant src/guard/planted.cpp '#include "../format/posix_file.hpp"'
  tells "src/guard/planted.cpp:1: private headers stay in their folder (use include/bloomery/detail/): ../format/posix_file.hpp"
}

@test "a header in detail/ counts as its folder" {
  plant src/layout/planted.cpp '#include <bloomery/detail/storage/planted.hpp>'
  tells "src/layout/planted.cpp:1: layout must not include storage, which is to its right: bloomery/detail/storage/planted.hpp"
  plant src/layout/planted.cpp ''
  plant include/bloomery/detail/hash/planted.hpp '#include <bloomery/filter/planted.hpp>'
  tells "include/bloomery/detail/hash/planted.hpp:1: hash must not include filter, which is to its right: bloomery/filter/planted.hpp"
}

@test "folders to its right, and tools, may include a header in detail/" {
  plant include/bloomery/detail/filter/planted.hpp '#pragma once'
  for folder in src/filter src/format src/guard tools/cli; do
    plant "$folder/planted.cpp" '#include <bloomery/detail/filter/planted.hpp>'
  done
  passes
}

@test "a source in a folder that includes a private header of another, whichever way" {
  plant src/filter/planted.hpp '#pragma once'
  for path in ../filter/planted.hpp filter/planted.hpp src/filter/planted.hpp; do
    plant src/redis/planted.cpp "#include \"$path\""
    tells "src/redis/planted.cpp:1: private headers stay in their folder (use include/bloomery/detail/): $path"
  done
}

@test "the kernels count as layout" {
  plant src/kernel/planted.cpp '#include <bloomery/storage/planted.hpp>'
  tells "src/kernel/planted.cpp:1: layout must not include storage, which is to its right: bloomery/storage/planted.hpp"
}

@test "a folder that includes the header that gathers all" {
  plant include/bloomery/guard/planted.hpp '#include <bloomery/bloomery.hpp>'
  tells "include/bloomery/guard/planted.hpp:1: guard must not include a header that gathers folders: bloomery/bloomery.hpp"
}

@test "plan that includes something else than itself and the errors" {
  plant include/bloomery/plan/planted.hpp '#include <bloomery/hash/planted.hpp>'
  tells "include/bloomery/plan/planted.hpp:1: plan includes nothing but itself and error.hpp, version.hpp: bloomery/hash/planted.hpp"
}

@test "plan, error.hpp and version.hpp are open to everyone" {
  for layer in plan key redis; do
    plant "include/bloomery/$layer/planted.hpp" '#include <bloomery/error.hpp>' \
      '#include <bloomery/plan/quantity.hpp>' '#include <bloomery/version.hpp>'
  done
  passes
}

@test "a folder that the table does not know" {
  plant src/attic/planted.cpp 'int planted;'
  tells "src/attic/planted.cpp:1: the folder attic is not in the table of layers"
}

@test "a tool that includes another tool" {
  plant tools/cli/planted.cpp '#include "../redis-module/planted.hpp"'
  tells "tools/cli/planted.cpp:1: tools never include each other: ../redis-module/planted.hpp"
}

@test "a tool that includes the library's sources" {
  plant tools/cli/planted.cpp '#include "../../src/kernel/planted.hpp"'
  tells "tools/cli/planted.cpp:1: tools never include src/: ../../src/kernel/planted.hpp"
}

@test "a library file that includes what only tools may" {
  for header in iostream fmt/core.h CLI/CLI.hpp nlohmann/json.hpp; do
    plant src/filter/planted.cpp "#include <$header>"
    tells "src/filter/planted.cpp:1: only tools may include <$header>"
  done
}

@test "a library file that prints" {
  for call in 'printf("x");' 'std::fprintf(stderr, "x");' 'puts("x");' 'std::cout << 1;'; do
    plant src/filter/planted.cpp '' "void planted() { $call }"
    tells "src/filter/planted.cpp:2: only tools may print"
  done
}

@test "snprintf, a comment and a text about printing do not count as printing" {
  plant src/filter/planted.cpp '// printf("x")' '/* std::cout' 'printf("x") */' \
    'auto text = "call printf(x)";' 'int n = std::snprintf(nullptr, 0, "x");'
  passes
}

@test "a library file that reads the environment" {
  plant src/filter/planted.cpp 'auto planted = std::getenv("HOME");'
  tells "src/filter/planted.cpp:1: only src/kernel and tools may read the environment"
}

@test "the kernel switch may read the environment" {
  plant src/kernel/planted.cpp 'auto planted = std::getenv("BLOOMERY_KERNEL");'
  passes
}

@test "a network left of redis" {
  plant src/format/planted.cpp '#include <sys/socket.h>'
  tells "src/format/planted.cpp:1: nothing left of redis knows a network: <sys/socket.h>"
  plant src/format/planted.cpp ''
  plant src/guard/planted.cpp '#include <sys/socket.h>'
  plant src/redis/planted.cpp '#include <sys/socket.h>'
  passes
}

@test "a public header that includes with quotes" {
  plant include/bloomery/key/planted.hpp '#include "other.hpp"'
  tells "include/bloomery/key/planted.hpp:1: public headers include as <bloomery/...>, not \"other.hpp\""
}

@test "headers that include each other" {
  plant include/bloomery/key/planted_a.hpp '#include <bloomery/key/planted_b.hpp>'
  plant include/bloomery/key/planted_b.hpp '#include <bloomery/key/planted_a.hpp>'
  run "$here/check.sh" "$tree"
  echo "$output"
  [[ $status -ne 0 ]]
  [[ $output == *"headers include each other in a circle: "*planted_a.hpp*planted_b.hpp*planted_a.hpp* ]]
}

@test "a long file gets a warning only" {
  mapfile -t lines < <(yes '// a line' | head -n 401)
  plant src/filter/planted.cpp "${lines[@]}"
  passes
  [[ $output == *"warning: src/filter/planted.cpp has 401 lines (aim for at most 400)"* ]]
}
