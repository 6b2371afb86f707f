# Keys are bytes: of any length, with anything in them, and none is lost.
load helper

@test "a line of ten megabytes is a key, and so are the lines after it" {
  { head -c 10000000 /dev/zero | tr '\0' x; printf '\nafter\n'; } >long
  bloomery create -n 10 -p 1e-9 f.bloom
  bloomery add f.bloom long
  bloomery test -q f.bloom after
  bloomery grep f.bloom long >found
  cmp found long
  bloomery uniq long >once
  cmp once long
  head -c 9999999 long | bloomery grep -v f.bloom >absent
  [ "$(stat -c %s absent)" = 10000000 ]
}

@test "NUL bytes are data, and delimiters under -0" {
  printf 'a\0b\nc\n' >lines
  bloomery create -n 10 -p 1e-9 f.bloom
  bloomery add f.bloom lines
  printf 'a\0b\n' | bloomery grep f.bloom >found
  printf 'a\0b\n' | cmp - found
  run -1 bloomery test -q f.bloom a
  bloomery create -n 10 -p 1e-9 g.bloom
  printf 'x\ny\0z\0' | bloomery add -0 g.bloom
  bloomery test -q g.bloom z
  bloomery test -q g.bloom $'x\ny'
  printf 'q\0z\0z' | bloomery grep -0 g.bloom >found
  printf 'z\0z\0' | cmp - found
}

@test "CRLF is kept: the carriage return belongs to the key" {
  printf 'dos\r\nunix\n' >mixed
  bloomery create -n 10 -p 1e-9 f.bloom
  bloomery add f.bloom mixed
  bloomery test -q f.bloom $'dos\r'
  run -1 bloomery test -q f.bloom dos
  bloomery uniq mixed | cmp - mixed
}

@test "an empty line is a key, and a missing newline at the end loses nothing" {
  printf 'a\n\nlast' >lines
  bloomery create -n 10 -p 1e-9 f.bloom
  run -0 bloomery add -v f.bloom lines
  [[ "$output" == *"read 3 keys"* ]]
  bloomery test -q f.bloom ''
  bloomery test -q f.bloom last
  [ "$(bloomery uniq lines | wc -l)" = 3 ]
}

@test "an empty input holds no key" {
  bloomery create -n 10 f.bloom
  run -0 bloomery add -v f.bloom /dev/null
  [[ "$output" == *"read 0 keys"* ]]
  run -1 bloomery test -q f.bloom ''
  run -1 bloomery grep f.bloom /dev/null
  run -0 bloomery uniq /dev/null
  [ -z "$output" ]
}

@test "brackets are not lists" {
  filter_of '[abc]' '[a,b]' '[]' '['
  for key in '[abc]' '[a,b]' '[]' '['; do
    run -0 bloomery test f.bloom "$key"
    [ "$output" = "maybe  $key" ]
  done
  run -1 bloomery test -q f.bloom abc a b
  echo x >'[x]'
  bloomery add f.bloom '[x]'
  bloomery test -q f.bloom x
  bloomery create -n 10 --comment '[note]' '[f].bloom'
  bloomery info '[f].bloom' | grep -qF '"[note]"'
}

@test "nothing is trimmed" {
  filter_of ' a ' b
  bloomery test -q f.bloom ' a '
  run -1 bloomery test -q f.bloom a
}

@test "any delimiter does" {
  bloomery create -n 10 -p 1e-9 f.bloom
  printf 'a;b;c' | bloomery add -d ';' f.bloom
  bloomery test -q f.bloom b
  bloomery test -q f.bloom c
  refuses bloomery add -d ab f.bloom /dev/null
  says "one character"
}
