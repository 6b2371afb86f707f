# Making a filter and filling it in one step.
load helper

@test "create counts the keys of files, and fills the filter" {
  seq 1000 >keys
  seq 1001 1500 >"more"
  bloomery create f.bloom keys more
  [ "$(bloomery info --json f.bloom | jq .item_capacity)" = 1500 ]
  [ "$(bloomery grep -c f.bloom keys)" = 1000 ]
  bloomery create -n 5000 -p 1e-6 g.bloom keys
  [ "$(bloomery info --json g.bloom | jq -c '[.item_capacity, .target_rate]')" = '[5000,1e-06]' ]
  [ "$(bloomery grep -c g.bloom keys)" = 1000 ]
  cat more | bloomery create -n 500 h.bloom -
  [ "$(bloomery grep -c h.bloom more)" = 500 ]
}

@test "every kind and format can be made so" {
  seq 1000 >keys
  for kind in counting spectral dynamic-count dleft accurate scalable window; do
    bloomery create --kind "$kind" "$kind.bloom" keys
    [ "$(bloomery grep -c "$kind.bloom" keys)" = 1000 ]
  done
  for format in guava go redisbloom; do
    bloomery create --format "$format" -n 1000 -p 1% "$format.bf" keys
    [ "$(bloomery grep -c --format "$format" "$format.bf" keys)" = 1000 ]
  done
  bloomery create --split -n 1000 split.bloom keys
  [ "$(bloomery grep -c split.bloom keys)" = 1000 ]
}

@test "create reads nothing if it is given no input" {
  bloomery create -n 1000 f.bloom <&-
  [ "$(bloomery info --json f.bloom | jq .bits_set)" = 0 ]
}

@test "a create that fails leaves no file" {
  refuses bloomery create -n 1000 f.bloom missing
  [ ! -e f.bloom ]
  seq 10 >keys
  refuses bash -c "cat keys | '$BLOOMERY' create f.bloom -"
  says "give -n"
  [ ! -e f.bloom ]
  bloomery create f.bloom keys
  cp f.bloom before
  refuses bloomery create f.bloom keys
  says "already exists"
  cmp f.bloom before
}

@test "create says so if more keys come than it is for" {
  seq 300 >keys
  run -3 bloomery create --strict -n 100 f.bloom keys
  [[ "$output" == *"was made for 100"* ]]
  [ "$(bloomery grep -c f.bloom keys)" = 300 ]
}

@test "add -n makes the file if there is none, and leaves it as it is if there is" {
  seq 1000 | bloomery add -n 1000 -p 0.1% f.bloom
  [ "$(bloomery info --json f.bloom | jq -c '[.item_capacity, .target_rate]')" = '[1000,0.001]' ]
  seq 1001 1010 | bloomery add -n 1000 f.bloom
  [ "$(seq 1010 | bloomery grep -c f.bloom)" = 1010 ]
  run -0 bash -c "echo x | '$BLOOMERY' add -n 5000 f.bloom"
  [[ "$output" == *"was made for 1,000 keys, and -n does not change that"* ]]
  refuses bloomery add missing.bloom /dev/null
  refuses bloomery add -p 1% missing.bloom /dev/null
  [ ! -e missing.bloom ]
}
