# What the tests of the command share. BLOOMERY is the program under test.
bats_require_minimum_version 1.5.0
: "${BLOOMERY:=$BATS_TEST_DIRNAME/../../build/bloomery}"
bloomery() { "$BLOOMERY" "$@"; }

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  umask 022
}

# refuses COMMAND...: exit 2, one sentence on stderr, nothing on stdout
refuses() {
  local status=0
  "$@" >stdout.txt 2>stderr.txt || status=$?
  if [[ $status -ne 2 || -s stdout.txt || $(wc -l <stderr.txt) -ne 1 ]]; then
    printf 'status %s\n-- stdout\n%s\n-- stderr\n%s\n' "$status" "$(<stdout.txt)" "$(<stderr.txt)"
    return 1
  fi
  grep -q '^bloomery: ' stderr.txt
}

# says TEXT: the last refusal said this
says() {
  grep -qF -- "$1" stderr.txt || { cat stderr.txt; return 1; }
}

# a filter f.bloom that holds the lines given
filter_of() {
  bloomery create -n 1000 -p 1e-9 f.bloom
  printf '%s\n' "$@" | bloomery add f.bloom
}
