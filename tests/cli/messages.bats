# Text for people: numbers with their nouns, readable sizes, columns that stay separate.
load helper

@test "one key is a key, and one hash is a hash" {
  bloomery create -n 1 -m 64 -k 1 one.bloom
  run -0 bloomery info one.bloom
  [[ $output == *'64 bits (8 B), 1 hash per key'* && $output == *'made for  1 key'* ]] || { echo "$output"; false; }
  [[ $output == *'holds     about 0 keys'* ]]
  run -0 bloomery plan -n 1 -p 50%
  [[ ${lines[0]} == '1 key at a rate of 50.00 % (1 in 2)' ]]
  bloomery create -n 10 --kind counting c.bloom
  echo a | bloomery add c.bloom
  run -0 bloomery remove -v c.bloom < <(echo a)
  [ "$output" = 'bloomery: removed 1 key from c.bloom' ]
  run -0 bloomery plan -n 1 -p 1% --redis
  [[ $output == *'in Redis: 1 bitmap of '*', 3 keys, about'* ]] || { echo "$output"; false; }
}

@test "memory that the system refuses is told in sizes" {
  refuses bloomery create -n 1e15 big.bloom
  says 'the system cannot provide 1.12 PiB of memory for the filter; plan a smaller one or free some memory'
}

@test "what is advised is not what was asked for already" {
  refuses bloomery plan -n 1e18 -p 1e-9
  says 'a filter of the layout classic would need more than 2^63 bits for this rate'
  run -1 grep 'use the classic layout' stderr.txt
  refuses bloomery plan -n 2e17 -p 1e-9 --layout split-8x32
  says 'or use the classic layout, which needs fewer bits'
}

@test "columns stay apart, whatever the numbers" {
  bloomery plan -n 1e18 -p 50% >out
  grep -Eq '^  split-16x32  +5,116,986,067,342,163,456  +16  +568' out
  bloomery plan -n 1 -b 1000PiB >out
  grep -Eq '  1000 PiB  +9007199254740992000.000  5.4e-20$' out
}
