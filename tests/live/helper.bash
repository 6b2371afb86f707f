# What the live tests share: a test here asks the original itself, with keys that nobody has seen.
# BLOOMERY is the command under test. A failure prints the seed that repeats it.
load ../cli/helper
: "${BLOOMERY_LIVE_SEED:=$((RANDOM * 32768 + RANDOM))}"
export LC_ALL=C

# BLOOMERY_LIVE=newest: not the originals that Debian packages, but the newest, by the names of their packages
newest() { [[ ${BLOOMERY_LIVE-} = newest ]]; }

# A test file says which `packages` bring the original, how to see that it is there (`original`), and
# how to `build` a program around it.
setup_file() {
  ! original >/dev/null 2>&1 || build
}

setup() {
  original >/dev/null 2>&1 || skip "needs $(packages): ./dev test --live installs what is missing"
  cd "$BATS_TEST_TMPDIR" || exit 1
  umask 022
  printf 'to repeat: BLOOMERY_LIVE_SEED=%s bats tests/live/%s\n' "$BLOOMERY_LIVE_SEED" "${BATS_TEST_FILENAME##*/}"
}

# has_header HEADER: the compiler finds it
has_header() { printf '#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++17 -E -x c++ -; }

# keys KIND COUNT SALT: random keys one a line, others for another salt; keys.awk lists the kinds
keys() {
  awk -v kind="$1" -v count="$2" -v seed="$((BLOOMERY_LIVE_SEED + $3))" -f "$BATS_TEST_DIRNAME/keys.awk"
}

# draw KIND COUNT [SALT]: COUNT keys into the file `present`; these and a thousand more than as many
# others into `asked`
draw() {
  keys "$1" "$2" "${3:-0}" >present
  { cat present; keys "$1" "$(($2 + 1000))" $((${3:-0} + 1)); } >asked
}

# same_answers FILE OPTION... -- ORIGINAL...: of the keys in `asked`, ours finds in FILE, with these
# options, those that the original finds, and all of `present`
same_answers() {
  local file=$1 options=()
  shift
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  "$@" <asked >theirs.found
  bloomery grep "${options[@]}" "$file" asked >ours.found || [[ $? -eq 1 ]]
  diff theirs.found ours.found >differences || {
    printf '%s: answers differ; < is the original, > ours\n' "$file"
    head -n 20 differences
    return 1
  }
  head -n "$(wc -l <present)" ours.found | cmp - present
}

# same_bytes THEIRS OURS
same_bytes() {
  cmp "$1" "$2" || {
    paste <(od -An -tx1 -v "$1" | head -n 40) <(od -An -tx1 -v "$2" | head -n 40)
    return 1
  }
}

# told NAME COMMAND...: what the JSON that ours prints says under this name
told() {
  local name=$1
  shift
  bloomery "$@" | sed -n 's/^ *"'"$name"'": "\{0,1\}\([^",]*\)"\{0,1\},\{0,1\}$/\1/p' | head -n 1
}

# same_number A B: as doubles, however they are written. Java's Math.pow may be one unit in the last place off, by its own
# specification, and sometimes is.
same_number() {
  awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; m = b < 0 ? -b : b; exit !((d < 0 ? -d : d) <= m * 2.3e-16) }' ||
    { printf '%s is not %s\n' "$1" "$2"; return 1; }
}
