# Text files of other systems: carriage returns and byte order marks are bytes of the key, unless
# --crlf is given; a warning suggests it.
load helper

@test "--crlf leaves carriage returns and a byte order mark out of keys" {
  filter_of apple pear
  printf '\xef\xbb\xbfapple\r\npear\r\nplum\r\n' >windows
  run -1 bloomery grep f.bloom windows
  [ "$(bloomery grep --crlf f.bloom windows)" = "$(printf '\xef\xbb\xbfapple\r\npear\r')" ]
  bloomery create -n 10 -p 1e-9 g.bloom
  bloomery add --crlf g.bloom windows
  bloomery test -q g.bloom plum
  bloomery test -q g.bloom apple
  printf 'apple\r\napple\n' | bloomery uniq --crlf | cmp - <(printf 'apple\r\n')
  printf 'x,apple\r\n' | bloomery grep -q --crlf -t , -f 2 f.bloom
}

# on_terminal COMMAND: its output, both kinds, as on a terminal
on_terminal() { script -qec "$1" /dev/null </dev/null; }

@test "somebody at a terminal is told once of what looks odd" {
  filter_of apple
  printf 'apple\r\npear\r\n' >windows
  printf '\xef\xbb\xbfapple\npear\n' >marked
  printf 'apple\r\npear\n' >mixed
  run on_terminal "'$BLOOMERY' grep f.bloom windows windows"
  [ "$(grep -c 'end with a carriage return.*--crlf' <<<"$output")" = 1 ]
  run on_terminal "'$BLOOMERY' grep f.bloom marked"
  [[ "$output" == *"begin with a byte order mark"*"--crlf"* ]]
  for quiet in "mixed" "--crlf windows"; do
    run on_terminal "'$BLOOMERY' grep f.bloom $quiet"
    [[ "$output" != *"--crlf"* ]]
  done
}

@test "a script is not" {
  filter_of apple
  printf 'apple\r\n' | run -1 bloomery grep f.bloom
  [ -z "$output" ]
}
