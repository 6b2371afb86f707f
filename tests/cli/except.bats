# Keys that are known to be absent: denied from then on, kept in the file, and no key in the filter is ever denied for
# it.
load helper

# A filter that errs often, with keys 1 to 100 in it: wrong.txt has the absent keys that it claims.
setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  umask 022
  seq 1 100 >in.txt
  seq 1001 1300 >absent.txt
  bloomery create -n 100 -p 30% f.bloom
  bloomery add f.bloom in.txt
  bloomery grep f.bloom absent.txt >wrong.txt
  [ "$(wc -l <wrong.txt)" -gt 20 ]
}

@test "what is listed is denied, by every verb that asks" {
  run -0 bloomery except -v f.bloom absent.txt
  [ "$output" = "bloomery: listed $(wc -l <wrong.txt) keys in f.bloom; $((300 - $(wc -l <wrong.txt))) are definitely absent anyway" ]
  run -1 bloomery grep f.bloom absent.txt
  [ "$(bloomery grep -vc f.bloom absent.txt)" = 300 ]
  [ "$(bloomery grep -c f.bloom in.txt)" = 100 ]
  first=$(head -n 1 wrong.txt)
  run -1 bloomery test f.bloom "$first"
  [ "$output" = "no     $first" ]
  cat f.bloom | bloomery grep -q - in.txt
  run -1 bloomery test - "$first" <f.bloom
  bloomery verify f.bloom
}

@test "info tells how many exceptions there are" {
  head -n 3 wrong.txt | bloomery except f.bloom
  bloomery info f.bloom | grep -qx 'detail    exceptions: 3'
  bloomery info f.bloom | grep -qx 'detail    filter inside: bloom'
  bloomery info --json f.bloom | grep -q '"exceptions": 3'
  bloomery info --json f.bloom | grep -q '"kind": "excepted"'
  bloomery info - <f.bloom | grep -qx 'detail    exceptions: 3'
}

@test "a key that is added leaves the list, and is never denied" {
  bloomery except f.bloom wrong.txt
  head -n 5 wrong.txt >now.txt
  run -0 bloomery add -v f.bloom now.txt
  [[ "$output" == "bloomery: read 5 keys, 5 of them definitely new to f.bloom"* ]]
  [ "$(bloomery grep -c f.bloom now.txt)" = 5 ]
  bloomery info f.bloom | grep -qx "detail    exceptions: $(($(wc -l <wrong.txt) - 5))"
  [ "$(bloomery grep -c f.bloom in.txt)" = 100 ]
}

@test "--remove takes keys off the list, and the last one leaves a plain filter" {
  cp f.bloom plain.bloom
  bloomery except f.bloom wrong.txt
  first=$(head -n 1 wrong.txt)
  run -0 bloomery except --remove -v f.bloom <<<"$first"
  [ "$output" = "bloomery: removed 1 key from the list of f.bloom; 0 were not on it" ]
  bloomery test -q f.bloom "$first"
  run -1 bloomery except --remove f.bloom <<<"$first"
  bloomery except --remove f.bloom wrong.txt
  bloomery info f.bloom | grep -q '^kind      bloom,'
  [ "$(bloomery grep f.bloom absent.txt)" = "$(cat wrong.txt)" ]
  cmp <(tail -c +4097 f.bloom) <(tail -c +4097 plain.bloom)
}

@test "a filter that has nothing to list stays as it is" {
  bloomery grep -v f.bloom absent.txt >denied.txt
  run -1 bloomery except f.bloom denied.txt
  [ -z "$output" ]
  bloomery info f.bloom | grep -q '^kind      bloom,'
}

@test "keys are cut and read as everywhere" {
  bloomery create --bits 8 -k 1 tiny.bloom
  seq 1 50 | bloomery add --key int tiny.bloom 2>/dev/null # every bit is set
  bloomery except --key int tiny.bloom <<<1007
  run -1 bloomery test --key int tiny.bloom 1007 01007
  bloomery test -q --key int tiny.bloom 1008
  bloomery test -q tiny.bloom 1007 # the text is another key than the number
  printf 'x,a b\0y,c\0' | bloomery except -0 -t , -f 2 tiny.bloom
  run -1 bloomery test tiny.bloom 'a b' c
}

@test "kinds that let keys go and that count keep a list too" {
  for kind in counting spectral dynamic-count dleft accurate scalable; do
    bloomery create --kind "$kind" -n 100 -p 20% k.bloom --force
    bloomery add k.bloom in.txt
    bloomery grep k.bloom absent.txt >errs.txt
    bloomery except k.bloom errs.txt
    run -1 bloomery grep k.bloom absent.txt
    [ "$(bloomery grep -c k.bloom in.txt)" = 100 ]
    bloomery verify k.bloom
    bloomery info k.bloom | grep -qx "detail    filter inside: $kind"
  done
  bloomery create --kind counting -n 100 -p 20% k.bloom --force
  bloomery add k.bloom in.txt
  bloomery grep k.bloom absent.txt | bloomery except k.bloom
  before=$(bloomery grep -c k.bloom in.txt)
  run -1 bloomery remove k.bloom absent.txt # what is listed is not in: nothing is taken from others
  [ "$(bloomery grep -c k.bloom in.txt)" = "$before" ]
  run -1 bloomery count --at-least 1 k.bloom absent.txt
  bloomery remove k.bloom in.txt
}

@test "a scalable filter with a list grows without a warning" {
  bloomery create --kind scalable -n 100 -p 20% k.bloom
  bloomery add k.bloom in.txt
  bloomery grep k.bloom absent.txt | bloomery except k.bloom
  run -0 bloomery add --strict k.bloom <<<"$(seq 5000 9000)"
  [ -z "$output" ]
}

@test "a union denies only what is surely in neither" {
  cp f.bloom g.bloom
  seq 2001 2100 | bloomery add g.bloom 2>/dev/null
  bloomery except f.bloom wrong.txt
  seq 1001 1300 | bloomery grep -v g.bloom >clear_in_g.txt || true
  head -n 2 wrong.txt | bloomery add g.bloom
  bloomery merge f.bloom g.bloom -o u.bloom
  bloomery merge g.bloom f.bloom -o v.bloom
  for union in u.bloom v.bloom; do
    [ "$(cat in.txt <(seq 2001 2100) <(head -n 2 wrong.txt) | bloomery grep -c "$union")" = 202 ]
    bloomery verify "$union"
  done
  # Both list a key that neither has: it stays listed.
  tail -n 1 wrong.txt >last.txt
  bloomery except g.bloom last.txt
  bloomery merge f.bloom g.bloom -o w.bloom
  run -1 bloomery grep w.bloom last.txt
  # What one lists and the other denies by itself is denied by both together.
  bloomery create -n 100 -p 30% empty.bloom
  bloomery merge f.bloom empty.bloom -o x.bloom
  run -1 bloomery grep x.bloom absent.txt
  [ "$(bloomery grep -c x.bloom in.txt)" = 100 ]
  # In its own place, the comment included.
  bloomery merge f.bloom g.bloom -o f.bloom --force
  [ "$(cat in.txt <(seq 2001 2100) | bloomery grep -c f.bloom)" = 200 ]
}

@test "uniq --state takes an excepted line for a new one" {
  bloomery except f.bloom wrong.txt
  head -n 2 wrong.txt >lines.txt
  echo 1 >>lines.txt # which was seen
  [ "$(cat lines.txt lines.txt | bloomery uniq --state f.bloom)" = "$(head -n 2 wrong.txt)" ]
  run -0 bloomery uniq --state f.bloom lines.txt
  [ -z "$output" ]
  bloomery info f.bloom | grep -qx "detail    exceptions: $(($(wc -l <wrong.txt) - 2))"
  [ "$(bloomery grep -c f.bloom in.txt)" = 100 ]
}

@test "an intersection denies what either lists" {
  cp f.bloom g.bloom
  bloomery except f.bloom wrong.txt
  bloomery intersect f.bloom g.bloom -o i.bloom
  run -1 bloomery grep i.bloom wrong.txt
  [ "$(bloomery grep -c i.bloom in.txt)" = 100 ]
}

@test "a format of another system has no room for a list" {
  bloomery except f.bloom wrong.txt
  refuses bloomery convert --to guava f.bloom f.guava
  [ ! -e f.guava ]
  bloomery create --format guava -n 100 g.guava
  refuses bloomery except g.guava wrong.txt
  says 'g.guava: a filter of another system cannot store a list of exceptions'
  bloomery convert --to native g.guava g.bloom
  refuses bloomery except g.bloom wrong.txt
  bloomery create --kind window -n 100 w.bloom
  refuses bloomery except w.bloom wrong.txt
  says 'a window forgets keys by itself'
  bloomery convert --to native f.bloom again.bloom
  run -1 bloomery grep again.bloom wrong.txt
}

@test "a list that is full says which keys are missing, and keeps what it has" {
  status=0
  bloomery except --most 5 f.bloom wrong.txt 2>stderr.txt || status=$?
  [ "$status" = 2 ]
  says "f.bloom: the list is full, and $(($(wc -l <wrong.txt) - 5)) keys are not on it"
  [ "$(bloomery grep -c f.bloom wrong.txt)" = $(($(wc -l <wrong.txt) - 5)) ]
  refuses bloomery except --most 50 f.bloom wrong.txt
  says 'its list was made for 5 keys, and --most does not change that'
  bloomery except --most 5 f.bloom < <(head -n 2 wrong.txt)
}

@test "a comment, a secret and the file's mode stay" {
  printf '0123456789abcdef0123456789abcdef\n' >secret
  bloomery create -n 20 -p 50% --comment 'of mine' --secret-file secret --keep-secret s.bloom
  bloomery add s.bloom in.txt 2>/dev/null
  chmod 640 s.bloom
  bloomery except s.bloom absent.txt
  run -1 bloomery grep s.bloom absent.txt
  bloomery info s.bloom | grep -qx 'comment   "of mine"'
  [ "$(stat -c %a s.bloom)" = 640 ]
  bloomery create -n 20 -p 50% --secret-file secret t.bloom
  refuses bloomery except t.bloom absent.txt
}

@test "a bad key changes nothing" {
  before=$(cksum <f.bloom)
  refuses bloomery except --key int f.bloom < <(printf '5\nfive\n')
  [ "$(cksum <f.bloom)" = "$before" ]
  refuses bloomery except missing.bloom wrong.txt
}

@test "a disk that is full leaves the file as it was, and nothing beside it" {
  bloomery create -n 100k -p 30% big.bloom
  bloomery add big.bloom in.txt
  before=$(cksum <big.bloom)
  files=$(ls)
  status=0
  (ulimit -f 16 && bloomery except --remove big.bloom wrong.txt) 2>/dev/null || status=$?
  [ "$status" = 2 ]
  [ "$(cksum <big.bloom)" = "$before" ]
  [ "$(ls)" = "$files" ]
}

@test "except waits for the writers before it, and none loses a key" {
  for i in {1..8}; do
    seq "$((i * 10000))" "$((i * 10000 + 99))" | bloomery add f.bloom 2>/dev/null &
    bloomery except f.bloom <(sed -n "$((i * 2)),$((i * 2 + 1))p" wrong.txt) 2>/dev/null &
  done
  wait
  for i in {1..8}; do
    [ "$(seq "$((i * 10000))" "$((i * 10000 + 99))" | bloomery grep -c f.bloom)" = 100 ]
  done
  [ "$(bloomery grep -c f.bloom in.txt)" = 100 ]
  run -1 bloomery grep f.bloom < <(sed -n 2,17p wrong.txt)
}

@test "a damaged list is refused" {
  bloomery except f.bloom wrong.txt
  printf '\xff' | dd of=f.bloom bs=1 seek=4096 conv=notrunc status=none
  refuses bloomery test f.bloom 1
  run -2 bloomery verify f.bloom
}
