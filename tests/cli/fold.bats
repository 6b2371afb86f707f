# fold, create --max-n and --seal.
load helper

size() { stat -c %s "$1"; }
bits() { tail -c +4097 "$1"; } # all but the header

@test "a filter with few keys shrinks to fit, bit for bit as if it had been made so" {
  seq 20000 >keys
  bloomery create --max-n 1M -p 1% f
  bloomery add f keys
  before=$(size f)
  bloomery fold f
  [ "$(size f)" -lt $((before / 20)) ]
  bloomery grep -c f keys | grep -qx 20000
  bloomery info --json f >facts
  shape=$(jq -r '"--layout \(.layout) --bits \(.bits) -k \(.hashes)"' facts)
  # shellcheck disable=SC2086
  bloomery create $shape g
  bloomery add g keys
  cmp <(bits f) <(bits g)
  jq -e '.expected_rate <= 0.01 and .target_rate == 0.01 and .item_capacity >= 19800' facts
  [ "$(bloomery verify f 2>&1 >/dev/null)" = "" ]
}

@test "another rate, another file, and what is said of it" {
  seq 1000 | bloomery create --max-n 100k f -
  cp f untouched
  bloomery fold -p 0.1% f -o g --json >facts
  cmp f untouched
  jq -e '.output == "g" and .bytes_before > 10 * .bytes and .expected_rate <= 0.001' facts
  refuses bloomery fold f -o g
  says "exists"
  bloomery fold -p 0.1% f -o - | cmp - g
  bloomery fold -p 0.1% - -o - <f | cmp - g
  refuses bloomery fold -
  says "give -o"
}

@test "--seal folds what create and add have filled" {
  seq 5000 | bloomery create --max-n 1M --seal f -
  [ "$(size f)" -lt 20000 ]
  bloomery create --max-n 1M g
  seq 5000 | bloomery add --seal g
  cmp <(bits f) <(bits g)
  # Also of a filter whose size is counted, or made by add.
  seq 5000 >keys
  seq 50 | bloomery create -n 100k --seal few -
  [ "$(size few)" -lt 6000 ]
  bloomery add -n 100k --seal new keys
  [ "$(size new)" -lt 20000 ]
  bloomery grep -c new keys | grep -qx 5000
  # One that is overfilled is left alone, and the user is told.
  bloomery create -n 100 h
  cp h i
  seq 1000 | bloomery add i 2>/dev/null
  seq 1000 | bloomery add --seal h 2>warning
  grep -q "was made for 100" warning
  cmp <(bits h) <(bits i)
  run -3 bloomery add --strict --seal h </dev/null
}

@test "what cannot be folded is refused and left alone" {
  bloomery create -n 100 f
  seq 100 | bloomery add f
  cp f before
  refuses bloomery fold -p 1e-9 f
  says "above"
  refuses bloomery fold -p 0 f
  cmp f before
  bloomery create --bits 1000 -k 7 unplanned
  refuses bloomery fold unplanned
  says "fold -p"
  bloomery create --kind counting -n 100 counting
  refuses bloomery fold counting
  says "counting"
  bloomery create --format guava -n 100 -p 1% guava
  refuses bloomery fold guava
  says "another system"
  refuses bloomery create --max-n 100 --kind counting x
  refuses bloomery create --max-n 100 --format guava x
  refuses bloomery create --max-n 100 -n 100 x
  refuses bloomery create --max-n 100 --bytes 1MiB x
  refuses bloomery create --max-n 100 --bits 1000 -k 3 x
  refuses bloomery add --seal unplanned </dev/null
  says "fold -p"
  refuses bloomery fold -p 1% f -o ""
  refuses bloomery fold -p 1% f --force
  bloomery convert --to native guava native
  refuses bloomery fold -p 1% native
  says "another system"
  refuses bloomery fold - -o x <native
  says "standard input"
  printf '3\n' | bloomery except f
  refuses bloomery fold f
  says "Bloom filters"
  refuses bloomery create -n 100 --seal x
  refuses bloomery add --seal counting </dev/null
  refuses bloomery add --seal guava </dev/null
  [ ! -e x ]
}

@test "comment, secret and intersection stay with the filter" {
  head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' >secret
  bloomery create --max-n 10k --secret-file secret --keep-secret --comment "mine" f
  seq 100 | bloomery add f
  bloomery fold f -o g
  bloomery fold f
  for each in f g; do
    bloomery info --json "$each" >facts
    jq -e '.comment == "mine"' facts
    bloomery grep -c "$each" <(seq 100) | grep -qx 100
  done
  cmp f g
  bloomery create --max-n 10k a
  seq 100 | bloomery add a
  bloomery intersect a a -o b
  bloomery fold b
  bloomery info --json b | jq -e '.intersected'
}

@test "a full filter stays as it is, without an error" {
  seq 5000 | bloomery create --max-n 5000 f -
  seq 5001 5200 | bloomery add f 2>/dev/null
  cp f before
  bloomery fold f 2>warning
  grep -q "is full" warning
  cmp <(bits f) <(bits before)
}

@test "a disk that is full leaves the filter as it was" {
  [ -w /dev/full ] || skip "needs /dev/full"
  seq 100 | bloomery create --max-n 10k f -
  cp f before
  run -2 bash -c '"$1" fold f -o - >/dev/full' _ "$BLOOMERY"
  cmp f before
}

@test "adding while another folds loses no key" {
  bloomery create --max-n 100k f
  seq 1000 | bloomery add f
  for i in 1 2 3 4; do
    seq $((i * 1000)) $((i * 1000 + 999)) | bloomery add f &
    bloomery fold -p 5% f -o f --force || true &
  done
  wait
  seq 4999 >keys
  bloomery grep -c f keys | grep -qx 4999
}
