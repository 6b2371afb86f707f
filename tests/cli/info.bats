# info and verify.
load helper

@test "info tells what the filter is and how full" {
  bloomery create -n 1000 -p 1% --comment "a note" f.bloom
  seq 500 | bloomery add f.bloom
  run -0 bloomery info f.bloom
  [[ "${lines[0]}" == "kind      bloom, split-8x64 layout"* ]]
  [[ "$output" == *"made for  1,000 keys at a rate of 1.000 %"* ]]
  [[ "$output" == *'comment   "a note"'* ]]
  bloomery info --json f.bloom >out
  grep -q '"item_capacity": 1000' out
  grep -q '"hash": "xxh3_64"' out
  estimate=$(sed -n 's/.*"estimated_items": \([0-9]*\).*/\1/p' out)
  [ "$estimate" -gt 480 ] && [ "$estimate" -lt 520 ]
}

# number NAME FILE: a field of its JSON
number() { bloomery info --json "$2" | sed -n "s/^ *\"$1\": *\"*\([^\",]*\)\"*,*\$/\1/p" | head -n 1; }

@test "info counts what the kind consists of, and its numbers agree with the bytes" {
  while read -r kind unit bits text; do
    rm -f f.bloom
    bloomery create --kind "$kind" -n 1000 -p 1% f.bloom
    seq 500 | bloomery add f.bloom
    [ "$(number unit f.bloom)" = "$unit" ] || { echo "$kind"; bloomery info --json f.bloom; false; }
    [ "$(number bits_per_unit f.bloom)" = "$bits" ]
    units=$(number units f.bloom) bytes=$(number bytes f.bloom)
    # whole words, and of four bits sixteen fit into one
    [ $((units * bits)) -le $((bytes * 8)) ] && [ $((units * bits + 64)) -gt $((bytes * 8)) ]
    run -0 bloomery info f.bloom
    [[ "${lines[0]}" == "kind      ${kind%%,*}, "*"$text"* ]] || { echo "$output"; false; }
    if [ "$unit" != bits ]; then
      [[ "$output" != *" layout, "* && "${lines[0]}" != *" bits ("* || "${lines[0]}" == *" of $bits bits ("* ]]
      [ "$(number bits f.bloom)" = null ] && [ "$(number bits_set f.bloom)" = null ]
    fi
  done <<'END'
bloom bits 1 bits (
scalable bits 1 bits (
counting counters 4 counters of 4 bits (
counting,layout=blocked counters 4 counters of 4 bits (
counting,bits=8 counters 8 counters of 8 bits (
spectral counters 8 counters of 8 bits (
dynamic-count counters 4 counters of 4 bits (
dleft cells 14 cells of 14 bits (
accurate blocks 512 blocks of 512 bits (
window cells 8 cells of 8 bits (
window,generations=16 cells 16 cells of 16 bits (
END
  bloomery create --kind dleft -n 1000 d.bloom
  run -0 bloomery info d.bloom
  [[ "$output" == *"% of the cells are in use"* ]]
  bloomery create --kind accurate -n 1000 a.bloom
  run -0 bloomery info a.bloom
  [[ "$output" == *"% of the first-level bits are set"* ]]
}

@test "after an intersection info does not claim a number of keys" {
  for name in a b c; do bloomery create -n 1000 -p 1% $name.bloom; done
  seq 1 600 | bloomery add a.bloom
  seq 500 1100 | bloomery add b.bloom
  bloomery intersect a.bloom b.bloom -o both.bloom
  [ "$(number estimated_items both.bloom)" = null ]
  [ "$(number standard_error both.bloom)" = null ]
  [ "$(number intersected both.bloom)" = true ]
  [ "$(number intersected a.bloom)" = false ]
  run -0 bloomery info both.bloom
  [[ "$output" == *"holds     at most about "*" keys: after an intersection the bits no longer show how many"* ]]
  [[ "$output" != *"standard error"* ]]
  bloomery verify both.bloom
  bloomery merge both.bloom c.bloom -o more.bloom # what is made of it knows it too
  [ "$(number intersected more.bloom)" = true ]
  bloomery merge c.bloom both.bloom -o - | bloomery info --json - | grep -q '"intersected": true'
  seq 5 | bloomery add both.bloom # in its place
  [ "$(number intersected both.bloom)" = true ]
  bloomery intersect a.bloom -o alone.bloom # of one is that one
  [ "$(number intersected alone.bloom)" = false ]
  bloomery merge a.bloom b.bloom -o union.bloom
  [ "$(number intersected union.bloom)" = false ]
}

@test "several filters are described one after the other" {
  bloomery create -n 1000 a.bloom
  bloomery create --kind window -n 1000 "b c.bloom"
  run -0 bloomery info a.bloom "b c.bloom"
  [ "${lines[0]}" = 'file      "a.bloom"' ]
  [[ "$output" == *$'\n\nfile      "b c.bloom"\nkind      window, '* ]]
  run -0 bloomery info --json a.bloom "b c.bloom"
  [ "${#lines[@]}" = 2 ]
  [[ "${lines[0]}" == '{"file":"a.bloom",'*'}' && "${lines[1]}" == '{"file":"b c.bloom",'*'}' ]]
  bloomery info --json - "b c.bloom" <a.bloom | grep -q '"file":"-"'
  refuses bloomery info - - <a.bloom
  says "standard input holds only one filter"
}

@test "one filter that cannot be read does not keep the others from being described" {
  bloomery create -n 1000 a.bloom
  bloomery create -n 1000 b.bloom
  echo text >bad
  local status=0
  bloomery info a.bloom missing bad b.bloom >out 2>err || status=$?
  [ $status = 2 ]
  [ "$(grep -c '^kind      bloom' out)" = 2 ]
  [ "$(grep -c '^$' out)" = 1 ]
  [ "$(wc -l <err)" = 2 ]
  grep -q '^bloomery: .*missing' err
  grep -q '^bloomery: .*bad' err
  status=0
  bloomery info --json missing b.bloom >out 2>err || status=$?
  [ $status = 2 ] && [ "$(wc -l <out)" = 1 ] && [ "$(wc -l <err)" = 1 ]
}

@test "names in the JSON of info have no blanks, and numbers are numbers" {
  for kind in bloom counting spectral dynamic-count dleft accurate scalable window; do
    bloomery create --force --kind $kind -n 1000 f.bloom
    bloomery info --json f.bloom >out
    if grep '"[^"]* [^"]*":' out; then false; fi
    # a string of digits alone is a seed
    if grep -v '"seed"' out | grep ': "[0-9][0-9]*",*$'; then false; fi
  done
  bloomery create --force --kind window -n 1000 f.bloom
  bloomery info --json f.bloom >out
  grep -q '"keys_per_generation": 143,$' out
  grep -q '"refresh": true$' out
  bloomery create --format guava -n 1000 f.guava
  bloomery info --json f.guava >out
  grep -q '"bitSize": [0-9]*,$' out
  grep -q '"expectedFpp": 0.0,*$' out
  bloomery create --format dcso -n 1000 -p 1% f.dcso
  bloomery info --json f.dcso >out
  grep -q '"Elements_present": 0,$' out
  if grep '"[^"]* [^"]*":' out; then false; fi
  bloomery create --force --seed 18446744073709551615 -n 10 f.bloom
  bloomery info --json f.bloom | grep -q '"seed": "18446744073709551615",$'
}

@test "info does not let a file repaint the terminal" {
  bloomery create -n 10 --comment $'\e[31mred\nrate now  0' f.bloom
  run -0 bloomery info f.bloom
  [[ "$output" == *'"\x1b[31mred\x0arate now  0"'* ]]
}

@test "verify finds damage and says where" {
  bloomery create -n 1M -p 1% f.bloom
  run -0 bloomery verify f.bloom
  [ "$output" = "f.bloom: ok" ]
  cp f.bloom bad.bloom
  printf X | dd of=bad.bloom bs=1 seek=200000 conv=notrunc 2>/dev/null
  refuses bloomery verify bad.bloom
  says "bad.bloom: the filter is damaged: chunk 47 of 309 (bytes 196608 to 200703 of the file)"
  for ((i = 0; i < 20; ++i)); do
    printf X | dd of=bad.bloom bs=1 seek=$((300000 + i * 4096)) conv=notrunc 2>/dev/null
  done
  refuses bloomery verify bad.bloom
  says "21 of its 309 chunks of 4096 bytes do not match their checksums: 47, 72, 73, 74, 75, 76, 77, 78, 79, 80 and 11 more"
  run -2 bloomery verify f.bloom bad.bloom
  [[ "$output" == *"f.bloom: ok"* ]]
}
