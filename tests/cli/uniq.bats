# uniq: each line once, in order.
load helper

@test "keeps the first of equal lines and the order" {
  printf 'b\na\nb\nc\na\n' >lines
  run -0 bloomery uniq lines
  [ "$output" = $'b\na\nc' ]
  run -0 bloomery uniq <lines
  [ "$output" = $'b\na\nc' ]
  run -0 bash -c 'cat lines | "$1" uniq' _ "$BLOOMERY"
  [ "$output" = $'b\na\nc' ]
  run -0 bloomery uniq -v lines
  [ "$output" = $'b\na' ]
}

@test "agrees with awk on a hundred thousand lines" {
  seq 100000 | awk '{ print ($1 * 7919) % 60000 }' >lines
  awk '!seen[$0]++' lines >expected
  bloomery uniq -p 1e-9 lines | cmp - expected
  bloomery uniq --exact -p 50% lines | cmp - expected
}

@test "--exact loses nothing, however small the filter" {
  seq 50000 | awk '{ print "line " ($1 % 30000) }' >lines
  awk '!seen[$0]++' lines >expected
  [ "$(bloomery uniq --strict -n 1000 -p 10% lines 2>/dev/null | wc -l)" -lt 20000 ]
  bloomery uniq --exact -n 1000 -p 10% lines | cmp - expected
  bloomery uniq --exact -n 1000 -p 10% <lines | cmp - expected
  awk 'seen[$0]++' lines >expected
  bloomery uniq --exact -v -n 1000 -p 10% lines | cmp - expected
}

@test "--exact works over several files and on fields" {
  printf 'x\t1\ny\t2\n' >one
  printf 'z\t1\nw\t3\n' >two
  run -0 bloomery uniq --exact -p 50% -f 2 one two
  [ "$output" = $'x\t1\ny\t2\nw\t3' ]
}

@test "--exact needs an input that can be read twice" {
  run -2 bash -c 'echo a | "$1" uniq --exact' _ "$BLOOMERY"
  [[ "$output" == *"save it to a file first"* ]]
}

@test "--state remembers from run to run" {
  printf 'a\nb\n' | bloomery uniq -n 100 -p 1e-9 --state seen.bloom >first
  printf 'b\nc\n' | bloomery uniq -n 100 -p 1e-9 --state seen.bloom >second
  [ "$(<first)" = $'a\nb' ]
  [ "$(<second)" = c ]
  bloomery test -q seen.bloom a
  bloomery info seen.bloom | grep -q 'made for  100 keys'
  refuses bloomery uniq --exact --state seen.bloom /dev/null
}

@test "--state prints each line once, also within a batch, and as awk does" {
  printf 'a\na\nb\na\n' | bloomery uniq -n 100 -p 1e-9 --state small.bloom | cmp - <(printf 'a\nb\n')
  seq 300000 | awk '{ print ($1 * 7919) % 100003 }' >lines
  awk '!seen[$0]++' lines >expected
  bloomery uniq -n 100k -p 1e-9 --state large.bloom lines | cmp - expected
  [ "$(bloomery uniq --state large.bloom lines | wc -l)" = 0 ]
  [ "$(bloomery uniq -v --state large.bloom lines | wc -l)" = 300000 ]
}

@test "--state must know its size, and is not overfilled by what it has seen" {
  seq 2000 >lines
  refuses bloomery uniq --state seen.bloom lines
  says "give -n"
  [ ! -e seen.bloom ]
  bloomery uniq --strict -n 2000 --state seen.bloom lines >/dev/null
  for _ in 1 2 3; do
    run -0 bloomery uniq --strict --state seen.bloom lines
    [ -z "$output" ]
  done
}

@test "--state is not advanced when the output fails" {
  printf 'a\n' | bloomery uniq -n 100 --state seen.bloom >/dev/null
  cp seen.bloom before.bloom
  run -2 bash -c 'seq 100000 | "$1" uniq --state seen.bloom >/dev/full' _ "$BLOOMERY"
  [[ "$output" == *"cannot write to standard output"* ]]
  cmp seen.bloom before.bloom
}

@test "warns once past its capacity, and --strict exits with 3" {
  run -0 bash -c 'seq 5000 | "$1" uniq -n 1000 2>&1 >/dev/null' _ "$BLOOMERY"
  [ "${#lines[@]}" = 1 ]
  [[ "$output" == *"more than 1,000 distinct lines"* ]]
  run -3 bash -c 'seq 5000 | "$1" uniq --strict -n 1000 2>/dev/null >/dev/null' _ "$BLOOMERY"
}

@test "counts the lines of a file by itself" {
  seq 3000 >lines
  run -0 bash -c '"$1" uniq lines 2>&1 >/dev/null' _ "$BLOOMERY"
  [ -z "$output" ]
}

@test "lives in the memory it was given" {
  measure=$(dirname "$BLOOMERY")/bench/measure
  [[ -x $measure ]] || skip "there is no $measure"
  seq 1000000 >lines
  for mib in 1 8 64; do
    rm -f used
    "$measure" used "$BLOOMERY" uniq --bytes "${mib}MiB" -n 1M <lines >once
    peak=$(awk '{ print $2 }' used)
    echo "$mib MiB: peak $peak KiB, $(wc -l <once) lines"
    [ "$peak" -lt $(((mib + 16) * 1024)) ]
  done
  cmp once lines # with 64 MiB none is lost
}

@test "--bytes and -n make a filter as good as the memory allows" {
  seq 100000 >lines
  [ "$(bloomery uniq -n 100k --bytes 1MiB lines | wc -l)" -gt 99900 ]
}
