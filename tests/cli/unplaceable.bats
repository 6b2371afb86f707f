# Keys that have no position in a filter of another system: all others are processed, and the command reports it.
load helper

hutool=(--format 'hutool-default,bits=127') # 31 of its 127 places are behind the last whole word

# keys.txt, and of it placed.txt and placeless.txt, as single tests tell them apart
setup_file() {
  cd "$BATS_FILE_TMPDIR" || exit 1
  seq 1 200 >keys.txt
  bloomery create "${hutool[@]}" empty.bin
  while read -r key; do
    cp empty.bin one.bin
    if bloomery add "${hutool[@]}" one.bin <<<"$key" 2>>told.txt; then echo "$key" >>placed.txt; else echo "$key" >>placeless.txt; fi
  done <keys.txt
}

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  cp "$BATS_FILE_TMPDIR"/{keys,placed,placeless}.txt "$BATS_FILE_TMPDIR/empty.bin" .
  cp empty.bin f.bin
}

@test "there are keys with a place and without" {
  [ "$(wc -l <placed.txt)" -gt 100 ]
  [ "$(wc -l <placeless.txt)" -gt 20 ]
  [ "$(wc -l <"$BATS_FILE_TMPDIR/told.txt")" = "$(wc -l <placeless.txt)" ]
}

@test "add puts in all others, says how many were left out, and exits with 2" {
  status=0
  bloomery add "${hutool[@]}" f.bin keys.txt >stdout.txt 2>stderr.txt || status=$?
  [ "$status" = 2 ]
  [ ! -s stdout.txt ]
  [ "$(wc -l <stderr.txt)" = 1 ]
  first=$(head -n 1 placeless.txt)
  grep -q "^bloomery: f.bin: $(wc -l <placeless.txt) keys cannot be stored in this filter's format and were skipped, such as \"$first\" (record $first): the key's bit" stderr.txt
  [ "$(bloomery grep -c "${hutool[@]}" f.bin placed.txt)" = "$(wc -l <placed.txt)" ]
  cp empty.bin only.bin
  bloomery add "${hutool[@]}" only.bin placed.txt
  cmp f.bin only.bin
}

@test "a skip that was asked for is not an error" {
  run -0 --separate-stderr bloomery add --skip-unplaceable "${hutool[@]}" f.bin keys.txt
  [ -z "$stderr" ]
  run -0 --separate-stderr bloomery grep -c --skip-unplaceable "${hutool[@]}" f.bin keys.txt
  [ "$output" = "$(wc -l <placed.txt)" ]
  [ -z "$stderr" ]
  run -1 --separate-stderr bloomery grep --skip-unplaceable "${hutool[@]}" f.bin placeless.txt
  [ -z "$output$stderr" ]
  run -1 --separate-stderr bloomery grep -v --skip-unplaceable "${hutool[@]}" f.bin keys.txt
  [ -z "$output$stderr" ]
}

@test "grep answers for all others, in order, and selects such a key neither way" {
  bloomery add "${hutool[@]}" f.bin placed.txt
  run -2 --separate-stderr bloomery grep "${hutool[@]}" f.bin keys.txt
  [ "$output" = "$(cat placed.txt)" ]
  [[ "$stderr" == *"keys cannot be stored in this filter's format and were skipped, such as "* ]]
  run -2 --separate-stderr bloomery grep -v "${hutool[@]}" empty.bin keys.txt
  [ "$output" = "$(cat placed.txt)" ]
  run -2 --separate-stderr bloomery grep -vn "${hutool[@]}" empty.bin keys.txt
  [ "$output" = "$(sed 's/.*/&:&/' placed.txt)" ]
  run -2 --separate-stderr bloomery grep -vc "${hutool[@]}" empty.bin keys.txt
  [ "$output" = "$(wc -l <placed.txt)" ]
}

@test "grep -q stops at the first that is found, as grep does" {
  bloomery add "${hutool[@]}" f.bin placed.txt
  bloomery grep -q "${hutool[@]}" f.bin keys.txt
  run -2 bloomery grep -q "${hutool[@]}" f.bin placeless.txt
}

@test "test calls it an error" {
  with=$(head -n 1 placed.txt)
  without=$(head -n 1 placeless.txt)
  bloomery add "${hutool[@]}" f.bin <<<"$with"
  run -2 --separate-stderr bloomery test "${hutool[@]}" f.bin "$without" "$with"
  [ "$output" = "error  $without"$'\n'"maybe  $with" ]
  [[ "$stderr" == "bloomery: f.bin: 1 key cannot be stored in this filter's format and was skipped, such as \"$without\" (record 1): "* ]]
  run -0 --separate-stderr bloomery test --skip-unplaceable --json "${hutool[@]}" f.bin "$without" "$with"
  [ "$output" = "{\"key\":\"$without\",\"maybe\":null}"$'\n'"{\"key\":\"$with\",\"maybe\":true}" ]
  run -1 bloomery test --skip-unplaceable "${hutool[@]}" f.bin "$without"
}

@test "counts and removals go on too" {
  bloomery create --format hadoop-counting --bits 1000 -k 3 c.bin
  printf 'a\n\nb\na\n' >some.txt
  run -2 --separate-stderr bloomery add --format hadoop-counting c.bin some.txt
  [[ "$stderr" == "bloomery: c.bin: 1 key cannot be stored in this filter's format and was skipped, such as \"\" (record 2): a Hadoop filter does not accept an empty key"* ]]
  run -2 --separate-stderr bloomery count --format hadoop-counting c.bin some.txt
  [ "$output" = $'2\ta\n1\tb\n2\ta' ] # and not twice as many: no key goes in again
  run -0 --separate-stderr bloomery count --skip-unplaceable --format hadoop-counting c.bin some.txt
  [ -z "$stderr" ]
  run -2 --separate-stderr bloomery remove --format hadoop-counting c.bin some.txt
  [[ "$stderr" == 'bloomery: c.bin: 1 key cannot be stored'* ]]
  run -1 bloomery test --format hadoop-counting c.bin a b
}

bits_in() { bloomery info --json --format hash-code-6 "$1" | sed -n 's/^ *"bits_set": \([0-9]*\),$/\1/p'; }

@test "the half of all keys that hash-code-6 throws for leaves its first bits behind, as in the original" {
  seq -f 'a longer key, number %.0f' 1 20 >some.txt
  bloomery create --format hash-code-6 all.bin
  run -2 bloomery add --format hash-code-6 all.bin some.txt
  bloomery create --format hash-code-6 single.bin
  : >placed.txt
  while read -r key; do
    if bloomery add --format hash-code-6 single.bin <<<"$key" 2>/dev/null; then echo "$key" >>placed.txt; fi
  done <some.txt
  cmp all.bin single.bin
  bloomery create --format hash-code-6 placed.bin
  bloomery add --format hash-code-6 placed.bin placed.txt
  more=$(bits_in all.bin)
  [ "$more" -gt "$(bits_in placed.bin)" ]
  [ "$more" -le $(($(bits_in placed.bin) + 20 - $(wc -l <placed.txt))) ] # one for each of the others
  [ "$(wc -l <placed.txt)" -gt 3 ]
  [ "$(wc -l <placed.txt)" -lt 17 ]
  run bloomery grep --skip-unplaceable --format hash-code-6 all.bin some.txt
  [ "$output" = "$(cat placed.txt)" ]
}

@test "long inputs on a thread of their own are answered as well" {
  seq -f 'a key that is long enough to make the file a large one: %.0f' 1 100000 >many.txt
  run -2 --separate-stderr bloomery grep -c "${hutool[@]}" empty.bin many.txt
  absent=$(bloomery grep -vc --skip-unplaceable "${hutool[@]}" empty.bin many.txt)
  [ "$absent" -gt 70000 ]
  [ "$absent" -lt 80000 ]
  [[ "$stderr" == *" keys cannot be stored in this filter's format"* ]]
}
