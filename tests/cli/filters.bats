# create, add, test: the life of a filter.
load helper

@test "what was added is found, what was not is not" {
  filter_of apple pear
  run -0 bloomery test f.bloom apple
  [ "$output" = "maybe  apple" ]
  run -1 bloomery test f.bloom plum
  [ "$output" = "no     plum" ]
  run -0 bloomery test f.bloom plum pear
  [ "${lines[1]}" = "maybe  pear" ]
  run -1 bloomery test -q f.bloom plum
  [ -z "$output" ]
}

@test "test speaks JSON" {
  filter_of apple
  run -0 bloomery test --json f.bloom apple 'qu"ote'
  [ "${lines[0]}" = '{"key":"apple","maybe":true}' ]
  [ "${lines[1]}" = '{"key":"qu\"ote","maybe":false}' ]
}

@test "create refuses to overwrite, and --force does not" {
  filter_of apple
  refuses bloomery create -n 10 f.bloom
  says "f.bloom already exists"
  bloomery test -q f.bloom apple
  bloomery create --force -n 10 f.bloom
  run -1 bloomery test -q f.bloom apple
}

@test "add reads several files and says how many were new" {
  printf 'a\nb\n' >one
  printf 'b\nc' >two
  bloomery create -n 100 -p 1e-9 f.bloom
  run -0 bloomery add -v f.bloom one two
  [ "$output" = "bloomery: read 4 keys, 3 of them definitely new to f.bloom" ]
  bloomery test -q f.bloom c
}

@test "a filter passes through a pipe" {
  bloomery create -n 10 -p 1e-6 - >piped.bloom
  echo apple | bloomery add piped.bloom
  bloomery test - apple <piped.bloom
  bloomery info - <piped.bloom
  bloomery verify - <piped.bloom
}

@test "integers are the integers of C++ when told so" {
  bloomery create -n 10 -p 1e-9 f.bloom
  printf '7\n-1\n' | bloomery add --key int f.bloom
  bloomery test -q --key int f.bloom 7
  bloomery test -q --key int f.bloom 007
  bloomery test -q --key int f.bloom 18446744073709551615
  run -1 bloomery test -q f.bloom 7
  printf '12\nx1\n' >bad
  refuses bloomery add --key int f.bloom bad
  says 'record 2 is not a 64-bit integer: "x1"'
}

@test "the key may be a field" {
  bloomery create -n 10 -p 1e-9 f.bloom
  printf 'id\tname\n1\tAda\n2\n' | bloomery add -f 2 f.bloom
  bloomery test -q f.bloom Ada
  bloomery test -q f.bloom name
  bloomery test -q f.bloom ''
  run -1 bloomery test -q f.bloom 2
  printf 'a,b,c\n' | bloomery add -t , -f 3 f.bloom
  bloomery test -q f.bloom c
}

@test "a keyed filter opens with its secret only" {
  od -An -N16 -tx8 /dev/urandom | tr -d ' ' >secret
  bloomery create -n 10 --secret-file secret f.bloom
  echo apple | bloomery add --secret-file secret f.bloom
  bloomery test -q --secret-file secret f.bloom apple
  refuses bloomery test f.bloom apple
  says "give the secret"
  echo 00000000000000000000000000000000 >other
  refuses bloomery test --secret-file other f.bloom apple
  says "not the one"
  echo short >other
  refuses bloomery test --secret-file other f.bloom apple
  says "32 hexadecimal digits"
  bloomery info f.bloom | grep -q siphash13_64
}

@test "overfilling is told, and --strict exits with 3" {
  bloomery create -n 100 -p 1% f.bloom
  seq 300 >many
  run -0 bloomery add f.bloom many
  [[ "$output" == *"f.bloom holds about"*"was made for 100"* ]]
  run -3 bloomery add --strict f.bloom many
  bloomery test -q f.bloom 300
}

@test "a filter with every bit set says that it is full" {
  bloomery create -m 64 -k 8 f.bloom
  seq 1000 >many
  run -0 bloomery add f.bloom many
  [[ "$output" == *"f.bloom is full: every bit is set"* ]]
  bloomery info f.bloom | grep -q "every bit is set"
}

@test "a filter filled to its capacity is not overfilled" {
  bloomery create -n 1000 -p 1% f.bloom
  seq 1000 >many
  run -0 bloomery add --strict f.bloom many
  [ -z "$output" ]
}

@test "parallel adds lose nothing" {
  bloomery create -n 1000 -p 1e-6 f.bloom
  for i in $(seq 8); do
    echo "key $i" | bloomery add f.bloom &
  done
  wait
  for i in $(seq 8); do bloomery test -q f.bloom "key $i"; done
}
