# Filters of other kinds: created, added to, removed from, counted, described, merged and saved like all others.
load helper

kinds=(counting 'counting,layout=blocked' 'counting,bits=8' spectral 'spectral,policy=minimal-increase'
  'spectral,policy=recurring-minimum' dynamic-count dleft accurate 'accurate,block-bits=2048' scalable
  window 'window,span=7d' 'window,generations=16' 'dleft,bits=4' 'dynamic-count,mean-count=30')
erasing=(counting 'counting,layout=blocked' spectral dynamic-count dleft accurate)

@test "every kind is made, added to and asked, and survives its file" {
  seq 1 1000 >keys
  seq 1000001 1001000 >others
  for kind in "${kinds[@]}"; do
    bloomery create --kind "$kind" -n 2000 f.bloom --force
    bloomery add f.bloom keys
    [ "$(bloomery grep -c f.bloom keys)" = 1000 ]
    [ "$(bloomery grep -c f.bloom others || true)" -lt 60 ]
    bloomery verify f.bloom
    bloomery info f.bloom >told
    grep -q "^kind      ${kind%%,*}," told
    bloomery info --json f.bloom | grep -q "\"kind\": \"${kind%%,*}\""
    cat f.bloom | bloomery test -q - 500
    [ "$(bloomery info - <f.bloom)" = "$(cat told)" ]
  done
}

@test "kinds that let keys go do, and only those" {
  seq 1 1000 >keys
  seq 1 500 >gone
  seq 501 1000 >staying
  for kind in "${erasing[@]}"; do
    bloomery create --kind "$kind" -n 2000 -p 0.1% f.bloom --force
    bloomery add f.bloom keys
    bloomery remove f.bloom gone
    [ "$(bloomery grep -c f.bloom staying)" = 500 ]
    [ "$(bloomery grep -c f.bloom gone || true)" -lt 20 ]
  done
  for kind in bloom scalable window spectral,policy=minimal-increase; do
    bloomery create --kind "$kind" -n 2000 f.bloom --force
    bloomery add f.bloom keys
    before=$(cksum <f.bloom)
    run -2 bloomery remove f.bloom gone
    [[ "$output" == *"cannot remove keys; create one that can"* ]]
    [ "$(cksum <f.bloom)" = "$before" ]
  done
}

@test "what surely is not in is not taken out, and is told" {
  bloomery create --kind counting -n 100 -p 1in1M f.bloom
  printf 'a\nb\n' | bloomery add f.bloom
  before=$(cksum <f.bloom)
  run -1 bloomery remove f.bloom <<<c
  [ "$output" = "bloomery: 1 of 1 key was not in f.bloom and changed nothing" ]
  run -0 bloomery remove f.bloom < <(printf 'c\na\n')
  [ "$output" = "bloomery: 1 of 2 keys was not in f.bloom and changed nothing" ]
  run -1 bloomery test f.bloom a
  echo a | bloomery add f.bloom
  bloomery test -q f.bloom a
  [ "$(cksum <f.bloom)" = "$before" ] # taking out and putting back leaves no trace
}

@test "counts are those of the stream" {
  for kind in spectral spectral,policy=minimal-increase dynamic-count; do
    bloomery create --kind "$kind" -n 100 -p 1in1M f.bloom --force
    for ((i = 0; i < 300; ++i)); do echo often; done | bloomery add f.bloom
    printf 'twice\ntwice\nonce\n' | bloomery add f.bloom
    run -0 bloomery count f.bloom < <(printf 'often\ntwice\nonce\nnever\n')
    [ "$output" = $'300\toften\n2\ttwice\n1\tonce\n0\tnever' ]
    run -0 bloomery count --at-least 2 f.bloom < <(printf 'often\ntwice\nonce\nnever\n')
    [ "$output" = $'often\ntwice' ]
  done
  run -1 bloomery count f.bloom <<<never
  bloomery create -n 100 plain.bloom
  run -2 bloomery count plain.bloom <<<often
  [[ "$output" == *"does not count its keys; make one that does: bloomery create --kind spectral" ]]
}

@test "a scalable filter grows, and its rate holds" {
  bloomery create --kind scalable -n 1000 -p 1% f.bloom
  seq 1 20000 | bloomery add --strict f.bloom
  [ "$(seq 1 20000 | bloomery grep -c f.bloom)" = 20000 ]
  [ "$(seq 1000001 1100000 | bloomery grep -c f.bloom)" -lt 1100 ]
  run -0 bloomery info f.bloom
  [[ "$output" == *"layers: 5"* ]]
}

@test "a filter that is full says so, and nothing is added" {
  bloomery create --kind scalable,most-layers=1 -n 1000 f.bloom
  before=$(cksum <f.bloom)
  run -2 bloomery add f.bloom < <(seq 1 5000)
  [[ "$output" == "bloomery: f.bloom: the filter is full"*"nothing was added" ]]
  [ "$(cksum <f.bloom)" = "$before" ]
}

@test "kinds merge where they can" {
  for kind in counting counting,layout=blocked spectral dleft; do
    for part in a b; do
      bloomery create --kind "$kind" -n 2000 "$part.bloom" --force
    done
    seq 1 500 | bloomery add a.bloom
    seq 501 1000 | bloomery add b.bloom
    bloomery merge a.bloom b.bloom -o both.bloom --force
    [ "$(seq 1 1000 | bloomery grep -c both.bloom)" = 1000 ]
    bloomery merge a.bloom b.bloom -o a.bloom --force # in its place
    [ "$(seq 1 1000 | bloomery grep -c a.bloom)" = 1000 ]
    run -2 bloomery intersect a.bloom b.bloom -o c.bloom
    [[ "$output" == *"cannot be intersected" ]]
  done
  bloomery create --kind window -n 100 w.bloom
  run -2 bloomery merge w.bloom w.bloom -o x.bloom
  [[ "$output" == *"a filter of the kind window cannot be combined with another" ]]
  bloomery create -n 2000 plain.bloom
  run -2 bloomery merge plain.bloom a.bloom -o x.bloom
  [[ "$output" == *"they are of different kinds" ]]
  [ ! -e x.bloom ]
}

@test "uniq --window forgets what is old" {
  # 1 comes again after 100 lines, which is within the window, and after 10,000, which is not
  { echo 1; seq 1001 1100; echo 1; seq 2001 12000; echo 1; } >stream
  bloomery uniq --window 1000 -p 1in1M stream >out
  [ "$(grep -cx 1 out)" = 2 ]
  [ "$(wc -l <out)" = 10102 ]
  bloomery uniq --window 20000 -p 1in1M stream | grep -cx 1 | grep -qx 1
  bloomery uniq --window 24h -n 20000 -p 1in1M stream | grep -cx 1 | grep -qx 1
  run -3 bash -c '"$0" uniq --strict --window 1h -n 1000 stream 2>&1 >/dev/null' "$BLOOMERY"
  [[ "$output" == *"lines came faster than 1,000 in 1h, and some were forgotten too early"* ]]
  seq 1000 | bloomery uniq --strict --window 1h -n 1000 >/dev/null # all at once is not too many
  for wrong in 0 -1 10q 1.5h h; do
    run -2 bloomery uniq --window "$wrong" stream
    [[ "$output" == "bloomery: "* ]]
  done
  run -2 bloomery uniq --window 1000 --state f.bloom stream
  [[ "$output" == *"--window goes with -n and -p, not with --exact, --state or --bytes"* ]]
}

@test "what a kind does not take is refused in one sentence" {
  refused() { run -2 bloomery create "$@" f.bloom; [ "${#lines[@]}" -eq 1 ]; [ ! -e f.bloom ]; }
  refused --kind counting -n 10 --bits 100
  refused --kind counting
  refused --kind cuckoo -n 10
  [[ "$output" == *"there is no kind \"cuckoo\"; choose one of: bloom, counting"* ]]
  refused --kind counting,bots=4 -n 10
  [[ "$output" == *"the kind counting has no parameter \"bots\"; did you mean bits=?"* ]]
  refused --kind counting,bits=5000000000 -n 10
  refused --kind counting,bits=99 -n 10
  refused --kind window,span=24 -n 10
  refused --kind window,generations=7 -n 10
  refused --kind scalable,growth=1 -n 10
  refused --kind accurate,block-bits=100 -n 10
  refused --kind dleft,bits=1 -n 10
  refused --kind spectral,policy=best -n 10
  refused --kind counting --format guava -n 10
}

@test "plan sizes every kind, as create makes it" {
  for kind in "${kinds[@]}"; do
    run -0 bloomery plan --kind "$kind" -n 100k -p 1%
    [[ "$output" == *"kind      ${kind%%,*}"* ]]
    planned=$(bloomery plan --json --kind "$kind" -n 100k -p 1% | sed -n 's/^  "bytes": \([0-9]*\),/\1/p')
    bloomery create --kind "$kind" -n 100k -p 1% f.bloom --force
    made=$(bloomery info --json f.bloom | sed -n 's/^  "bytes": \([0-9]*\),/\1/p')
    [ "$made" -ge $((planned * 95 / 100)) ] && [ "$made" -le $((planned * 105 / 100)) ]
  done
  run -2 bloomery plan --kind counting -n 100k --bytes 1MiB
}

@test "plan refuses what create refuses, and heeds what it heeds" {
  for kind in counting,bits=1 counting,bits=64 spectral,bits=5 dleft,bits=9 dleft,stash=9000 \
    accurate,block-bits=1024 window,generations=3 window,overfill=yes scalable,most-layers=0 \
    dynamic-count,fixed-bits=17 dynamic-count,mean-count=0.5 dynamic-count,mean-count=inf; do
    run -2 bloomery create --kind "$kind" -n 100 f.bloom
    said=$output
    run -2 bloomery plan --kind "$kind" -n 100
    [ "$output" = "$said" ]
  done
  for kind in dynamic-count,fixed-bits=16 dynamic-count,mean-count=1e9 accurate; do
    planned=$(bloomery plan --json --kind "$kind" -n 100 | sed -n 's/^  "bytes": \([0-9]*\),/\1/p')
    bloomery create --kind "$kind" -n 100 f.bloom --force
    [ "$(bloomery info --json f.bloom | sed -n 's/^  "bytes": \([0-9]*\),/\1/p')" = "$planned" ]
  done
  run -0 bloomery plan --kind dynamic-count -n 9007199254740993
  run -0 bloomery plan --kind scalable -n 1000 -p 1e-17
  run -0 bloomery plan --kind scalable,most-layers=1 -n 1000
  [[ "$output" == *"at ten times the keys: its limits forbid growing that far"* ]]
}
