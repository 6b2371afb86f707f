# Keys may be compressed with gzip or zstd, whatever their file is called.
load helper

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  seq 300000 >plain
  gzip -c plain >keys.gz
  zstd -q -c plain >keys.zst
  printf 'apple\npear\n' | gzip -c >fruit.gz
}

@test "add, grep, uniq and create unpack files" {
  for keys in keys.gz keys.zst; do
    bloomery create -n 300k -p 1e-9 f.bloom
    bloomery add f.bloom "$keys"
    [ "$(bloomery grep -c f.bloom plain)" = 300000 ]
    bloomery grep f.bloom "$keys" | cmp - plain
    bloomery uniq -p 1e-9 "$keys" | cmp - plain
    bloomery uniq --exact "$keys" "$keys" | cmp - plain
    bloomery create --force -p 1e-9 f.bloom "$keys" # which counts them first
    [ "$(bloomery info --json f.bloom | jq .item_capacity)" = 300000 ]
    rm f.bloom
  done
}

@test "a name says nothing: plain text in a file called .gz, and compressed text without" {
  filter_of apple
  printf 'apple\n' >text.gz
  mv fruit.gz fruit
  [ "$(bloomery grep f.bloom text.gz)" = apple ]
  [ "$(bloomery grep f.bloom fruit)" = apple ]
  : >empty.gz
  run -1 bloomery grep f.bloom empty.gz
}

@test "a pipe is unpacked too, also where its bytes come one by one" {
  bloomery uniq -p 1e-9 <keys.gz | cmp - plain
  cat keys.zst | bloomery uniq -p 1e-9 | cmp - plain
  filter_of apple '(' '(x'
  for byte in 1 2 3 4; do
    [ "$( (head -c "$byte" fruit.gz; sleep 0.1; tail -c +$((byte + 1)) fruit.gz) | bloomery grep f.bloom)" = apple ]
  done
  # what begins as zstd does is text if it goes on otherwise
  [ "$( (printf '('; sleep 0.1; printf 'x\n') | bloomery grep f.bloom)" = "(x" ]
  [ "$(printf '(' | bloomery grep f.bloom)" = "(" ]
}

@test "several compressed files in a row are one" {
  cat fruit.gz fruit.gz >two.gz
  [ "$(bloomery uniq -c two.gz | tr -s ' \n' ' ')" = " 2 apple 2 pear " ]
  cat keys.zst keys.zst >two.zst
  bloomery uniq -p 1e-9 two.zst | cmp - plain
}

@test "--as-is takes the bytes as they are" {
  filter_of apple
  run -1 bloomery grep --as-is f.bloom fruit.gz
}

@test "what is damaged or cut short is refused, and changes no filter" {
  bloomery create -n 300k -p 1e-9 --kind counting c.bloom
  cp c.bloom before
  for keys in keys.gz keys.zst; do
    half=$(($(wc -c <"$keys") / 2))
    head -c "$half" "$keys" >short
    refuses bloomery add c.bloom short
    says 'the compressed data in "short" ends early'
    { head -c "$half" "$keys"; yes nonsense | head -c 1000; tail -c +$((half + 1001)) "$keys"; } >bad
    refuses bloomery add c.bloom bad
    says 'the compressed data in "bad" is damaged'
    cmp c.bloom before
  done
}
