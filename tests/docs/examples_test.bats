#!/usr/bin/env bats
# readme_examples.sh and links.sh notice an example or a link that went stale.

setup() {
  here=$BATS_TEST_DIRNAME
  cd "$BATS_TEST_TMPDIR" || exit
  mkdir -p project/include project/docs build/include library
  echo 'int zero() { return 0; }' | c++ -x c++ -c - -o library/zero.o
  ar rc library/libzero.a library/zero.o
  printf '#!/bin/sh\necho "maybe $*"\n' >build/bloomery
  chmod +x build/bloomery
}

# page COMMENT LANGUAGE LINE...: a README.md with one block
page() {
  { printf '# Title\n\n%s\n```%s\n' "$1" "$2"; printf '%s\n' "${@:3}" '```'; } >project/README.md
}

examples() {
  run "$here/readme_examples.sh" project build library/libzero.a
  echo "$output"
}

holds() { examples; [[ $status -eq 0 && $output == *"ok: README.md:$1"* ]]; }
fails() { examples; [[ $status -ne 0 && $output == *"FAILED: README.md:$1"* ]]; }

@test "C++ with and without a main compiles and runs" {
  page '<!-- test: run -->' cpp 'int zero();' 'int main() { return zero(); }'
  holds 5
  page '<!-- test: run -->' cpp '#include <cassert>' 'int one = 1;' 'assert(one == 1);'
  holds 5
}

@test "C++ that only compiles is not run" {
  page '<!-- test: compile -->' cpp 'int main() { return 1; }'
  holds 5
}

@test "C++ that does not compile, or ends with 1, is noticed" {
  page '<!-- test: compile -->' cpp 'no such thing;'
  fails 5
  page '<!-- test: run -->' cpp 'return 1;'
  fails 5
}

@test "a shell block runs with the built command in PATH" {
  page '<!-- test: run -->' sh 'bloomery here >out' 'grep -q "maybe here" out'
  holds 5
  page '<!-- test: run -->' sh 'false' 'true'
  fails 5
}

@test "a transcript shows exactly what is printed" {
  page '<!-- test: transcript -->' console "\$ bloomery 'a key'" 'maybe a key' '$ false' '$ echo "it'"'"'s" |' '> cat' "it's"
  holds 5
  page '<!-- test: transcript -->' console '$ bloomery a' 'maybe b'
  fails 5
}

@test "a block without the comment is not run" {
  page 'Text.' sh 'false'
  examples
  [[ $status -eq 0 && -z $output ]]
}

@test "a misspelt test is noticed" {
  page '<!-- test: ruin -->' sh 'true'
  fails 5
}

@test "links: a file or a heading that is missing is noticed, others are not" {
  # shellcheck disable=SC2016 # Markdown's backticks
  printf '[a](docs/a.md#a-part-1) [b](https://x.example/y) [c](#这里c) `[d](none.md)`\n## 这里：`C`\n' >project/README.md
  printf '[up](../README.md)\n# A part\n## A [part](a.md)!\n' >project/docs/a.md
  run "$here/links.sh" project
  echo "$output"
  [[ $status -eq 0 ]]
  echo '[a](docs/a.md#a-part-2)' >>project/README.md
  run "$here/links.sh" project
  echo "$output"
  [[ $status -ne 0 && $output == "README.md:3: no such heading: docs/a.md#a-part-2" ]]
  sed -i '$d' project/README.md
  echo '![picture](none.svg)' >>project/README.md
  run "$here/links.sh" project
  echo "$output"
  [[ $status -ne 0 && $output == "README.md:3: no such file: none.svg" ]]
}
