# Bad input: one clear sentence, exit 2, and nothing changed.
load helper

@test "rates outside (0, 1)" {
  for p in 0 1 -0.5 2 100% 0% nan x ''; do refuses bloomery create -n 10 -p "$p" f.bloom; done
  [ ! -e f.bloom ]
}

@test "no keys, and numbers that are none" {
  refuses bloomery create -n 0 f.bloom
  for n in -5 1.5 abc 1e30 18446744073709551616 ''; do
    refuses bloomery create -n "$n" f.bloom
  done
  [ ! -e f.bloom ]
}

@test "sizes that overflow or exceed the memory" {
  refuses bloomery create -n 1e19 -p 1e-9 f.bloom
  refuses bloomery create -n 1000T f.bloom
  refuses bloomery create -m 4000000000000000000 -k 3 f.bloom
  refuses bloomery create -n 10 -k 65 -p 1% f.bloom
  refuses bloomery create -n 10 -k 0 -p 1% f.bloom
  [ ! -e f.bloom ]
}

@test "too little said about a new filter, or too much" {
  refuses bloomery create f.bloom
  refuses bloomery create -p 1% f.bloom
  refuses bloomery create -n 1M -p 1% -m 1000 f.bloom
  says "give more bits or allow a higher rate"
  [ ! -e f.bloom ]
}

@test "a file that is not a filter, or is truncated" {
  echo hello >text
  for verb in info verify grep add; do refuses bloomery $verb text </dev/null; done
  refuses bloomery test --secret-file missing text a
  says "cannot open"
  refuses bloomery test text a
  says "text: not a filter (first bytes 68 65 6c 6c); name its format with --format"
  [ "$(<text)" = hello ]
  filter_of apple
  head -c 4200 f.bloom >cut.bloom
  for verb in verify add info; do refuses bloomery $verb cut.bloom </dev/null; done
  says truncated
  head -c 100 f.bloom >cut.bloom
  refuses bloomery info cut.bloom
  : >empty
  refuses bloomery info empty
  says "empty: not a filter: it is empty"
  refuses bloomery info missing.bloom
  says "cannot open missing.bloom"
  refuses bloomery info .
}

@test "unknown options and verbs" {
  refuses bloomery create --frobnicate -n 10 f.bloom
  says "--frobnicate"
  says "bloomery create --help"
  refuses bloomery frobnicate
  says '"frobnicate"'
  refuses bloomery
  refuses bloomery test
}

@test "standard input asked to be two things" {
  filter_of apple
  refuses bloomery grep - <f.bloom
  says "both the filter and the keys"
  echo apple >keys
  run -0 bash -c '"$1" grep - keys <f.bloom' _ "$BLOOMERY"
  [ "$output" = apple ]
}

@test "a missing input" {
  filter_of apple
  cp f.bloom before
  refuses bloomery add f.bloom no-such-file
  refuses bloomery add f.bloom .
  cmp f.bloom before
}

@test "an unwritable folder" {
  if [ "$(id -u)" = 0 ]; then
    # Root may write anywhere but where nobody can.
    refuses bloomery create -n 10 /proc/f.bloom
  else
    mkdir locked && chmod 555 locked
    refuses bloomery create -n 10 locked/f.bloom
  fi
  says "cannot write"
  refuses bloomery create -n 10 no/such/folder/f.bloom
}

@test "a full disk stops no add in place, and leaves a file as it was that would be replaced" {
  mkdir disk
  script='
    set -e
    mount -t tmpfs -o size=256k tmpfs disk
    "$1" create -n 10000 -p 1% disk/f.bloom
    echo apple | "$1" add disk/f.bloom
    cp disk/f.bloom before
    head -c 300k /dev/zero >disk/filler 2>/dev/null || true
    cp disk/f.bloom other.bloom
    status=0
    "$1" merge --force disk/f.bloom other.bloom -o disk/f.bloom 2>message || status=$?
    [ $status -eq 2 ]
    [ "$(wc -l <message)" -eq 1 ]
    grep -q "cannot write disk/f.bloom" message
    cmp before disk/f.bloom
    "$1" verify disk/f.bloom
    [ "$(ls disk | wc -l)" -eq 2 ]
    echo pear | "$1" add disk/f.bloom
    "$1" test -q disk/f.bloom pear
    rm disk/f.bloom
    cp --sparse=always before disk/f.bloom
    head -c 300k /dev/zero >disk/filler 2>/dev/null || true
    status=0
    echo plum | "$1" add disk/f.bloom 2>message || status=$?
    [ $status -eq 2 ]
    grep -q "cannot write disk/f.bloom" message
    "$1" test -q disk/f.bloom apple'
  # A file system of its own, in a name space of its own: nothing of the machine is touched.
  if unshare -m true 2>/dev/null; then
    unshare -m bash -c "$script" _ "$BLOOMERY"
  elif unshare -Urm true 2>/dev/null; then
    unshare -Urm bash -c "$script" _ "$BLOOMERY"
  else
    skip "needs a name space for a small file system"
  fi
}

@test "an error that cannot be told is still an error" {
  filter_of apple
  run -2 bash -c '"$1" info missing 2>&-' _ "$BLOOMERY"
  run -2 bash -c '"$1" info missing 2>/dev/full' _ "$BLOOMERY"
  bloomery create -n 10 small.bloom
  seq 100 >many
  run -0 bash -c '"$1" add small.bloom many 2>/dev/full' _ "$BLOOMERY"
  bloomery test -q small.bloom 100
}

@test "memory that cannot hold the keys" {
  refuses bloomery create -n 1M -b 8 f.bloom
  says "every answer would be maybe"
  [ ! -e f.bloom ]
  bloomery plan -n 1M -b 8
  bloomery plan -n 1 -p 1e-38
}

@test "a full output" {
  seq 100000 >lines
  filter_of apple
  run -2 bash -c '"$1" uniq lines >/dev/full' _ "$BLOOMERY"
  [[ "$output" == *"cannot write to standard output"* ]]
  run -2 bash -c '"$1" grep -v f.bloom lines >/dev/full' _ "$BLOOMERY"
  run -2 bash -c '"$1" plan -n 1M -p 1% >/dev/full' _ "$BLOOMERY"
}

@test "a damaged expansion does not make one key into gigabytes" {
  bloomery create --format redisbloom -n 300 -p 1% full
  seq 290 | bloomery add full
  printf '\002\000\000\002' | dd of=full bs=1 seek=16 conv=notrunc status=none
  cp full before
  seq 1000 1100 >"more"
  refuses bloomery add full more
  says "limit=SIZE"
  cmp full before
}

@test "an empty filter whose bits are not in its file is not believed beyond a limit" {
  printf '\003\001\025\004\005\000\000\000\051\043\000\000\000\000\000\000\360\377\377\017\000\000\000\000' >claims
  for verb in info add grep; do
    refuses bloomery $verb claims </dev/null
    says "limit=SIZE"
  done
  refuses bloomery convert --to native claims large
  [ ! -e large ]
  printf '\003\001\025\004\005\000\000\000\051\043\000\000\000\000\000\000\000\000\002\000\000\000\000\000' >claims
  bloomery info claims
  refuses bloomery info --format datasketches,limit=1k claims
  says "limit"
}

@test "rates below what digests can have" {
  refuses bloomery create -n 1M -p 1e-300 f.bloom
  says "ask for 3e-33 or more"
  refuses bloomery plan -n 1M -p 1e-300
  says "ask for 3e-33 or more"
  bloomery plan -n 1M -p 1e-30
  [ ! -e f.bloom ]
}
