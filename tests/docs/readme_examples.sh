#!/usr/bin/env bash
# Compiles and runs the examples of README.md, docs/*.md and docs/formats/*.md, so that none of them
# goes stale.
#
# usage: readme_examples.sh SOURCE_DIR BUILD_DIR LIBRARY_FILE
# A code block is tested if one of these comments is on the line before it:
#   <!-- test: compile -->      C++: compiles against the library
#   <!-- test: run -->          C++, C: compiles and ends with 0; sh: every command ends with 0
#   <!-- test: transcript -->   lines "$ COMMAND" are run; what they print is what the block shows
# C++ without a main becomes the body of one. The blocks of one page run in one empty folder, in
# order, with the built command first in PATH: a block may use the files of the blocks before it.
set -euo pipefail
source_dir=$(realpath "$1")
build_dir=$(realpath "$2")
library=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# SQLite finds its extension like any library.
export PATH="$build_dir:$PATH" LD_LIBRARY_PATH="$build_dir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" LC_ALL=C.UTF-8
# Libraries beside it, in the order in which they need each other.
beside=()
[[ ! -e $build_dir/libbloomery_guard.a ]] || beside+=("$build_dir/libbloomery_guard.a" -lsqlite3 -lpq)
[[ ! -e $build_dir/libbloomery_redis.a ]] || beside+=("$build_dir/libbloomery_redis.a" -lhiredis)
if [[ -e $build_dir/libbloomery_gpu.a ]]; then
  beside+=("$build_dir/libbloomery_gpu.a")
  # With CUDA, its runtime is in the program, too.
  ! nm -C "$build_dir/libbloomery_gpu.a" 2>/dev/null | grep -F ' U cudaMalloc' >/dev/null ||
    beside+=(-L"$(dirname "$(command -v nvcc)")/../lib64" -lcudart_static -ldl -lrt -pthread)
fi

# extract PAGE FOLDER: writes each marked block to FOLDER/LINE.MODE.LANGUAGE
extract() {
  awk -v folder="$2" '
    /^ *```/ && inside { inside = 0; if (out) close(out); out = ""; next }
    /^ *```/ {
      inside = 1
      language = $0; gsub(/[ `]/, "", language); sub(/[^a-z+].*/, "", language)
      if (mode) { out = sprintf("%s/%05d.%s.%s", folder, NR + 1, mode, language); printf "" > out }
      mode = ""; next
    }
    inside { if (out) print > out; next }
    /^<!-- test: [a-z]+ -->$/ { mode = $3; next }
    NF { mode = "" }' "$1"
}

# Gives C++ without a main one, below its includes.
with_main() {
  if grep -qE '^(int|auto) main\(' "$1"; then
    cat "$1"
  else
    awk '/^#include/ { print; next } { body = body $0 "\n" }
         END { printf "int main() {\n%s}\n", body }' "$1"
  fi
}

compile() {
  with_main "$1" >"$1.cpp"
  "${CXX:-c++}" -std=c++20 -O0 -I"$source_dir/include" -I"$build_dir/include" "$1.cpp" -o "$1.program" \
    "${beside[@]}" "$library" -lz -Wl,-rpath,"$(dirname "$library")"
}

# A program in C, as strict as the header promises to be.
compile_c() {
  cp "$1" "$1.c"
  "${CC:-cc}" -std=c99 -pedantic -Wall -Wextra -Werror -O0 -I"$source_dir/include" "$1.c" -o "$1.program" \
    "$library" -lstdc++ -lm -lz -pthread -Wl,-rpath,"$(dirname "$library")"
}

# Runs the "$ " lines of a transcript in one shell ("> " continues a command) and shows them with
# what they print.
replay() {
  timeout 60 bash -c "$(awk '/^\$ / { if (command) run(); shown = $0; command = substr($0, 3); next }
       command && /^> / { shown = shown "\n" $0; command = command "\n" substr($0, 3); next }
       command { run() }
       END { if (command) run() }
       function quoted(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }
       function run() { print "printf \047%s\\n\047 " quoted(shown); print command; command = "" }' "$1")" 2>&1 </dev/null
}

# check_block BLOCK: in the current folder
check_block() {
  case $1 in
    *.compile.cpp) compile "$1" ;;
    *.run.cpp) compile "$1" && timeout 60 "$1.program" ;;
    *.run.c) compile_c "$1" && timeout 60 "$1.program" ;;
    *.run.sh) timeout 60 bash -e -o pipefail "$1" </dev/null ;;
    *.transcript.*) diff -u --label shown --label printed "$1" <(replay "$1" || true) ;;
    *) echo "no such test of such a block: ${1#*.}" && return 1 ;;
  esac
}

# check_page PAGE: prints a line for each block; ends with 1 if one failed
check_page() {
  local page=${1#"$source_dir"/} blocks block line mode language log failures=0
  blocks=$work/$page.blocks
  mkdir -p "$blocks" "$work/$page"
  cd "$work/$page"
  extract "$1" "$blocks"
  for block in "$blocks"/*; do
    [[ -e $block ]] || continue
    IFS=. read -r line mode language <<<"${block##*/}"
    if log=$(check_block "$block" 2>&1); then
      echo "ok: $page:$((10#$line)) $mode $language"
    else
      printf 'FAILED: %s:%d %s %s\n%s\n' "$page" "$((10#$line))" "$mode" "$language" "$log"
      failures=$((failures + 1))
    fi
  done
  [[ $failures -eq 0 ]]
}

# A page per processor at a time: they do not share a folder.
pids=()
for page in "$source_dir"/README.md "$source_dir"/docs/*.md "$source_dir"/docs/formats/*.md; do
  [[ -f $page ]] || continue
  while [[ $(jobs -rp | wc -l) -ge $(nproc) ]]; do sleep 0.05; done
  check_page "$page" &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
[[ $failed -eq 0 ]]
