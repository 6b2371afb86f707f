# What --key turns a text into: the bytes that another system would hash.
load helper

# makes KIND TEXT HEX: as a key of this kind, the text is these bytes
makes() {
  rm -f made.bloom
  bloomery create -n 10 -p 1e-9 made.bloom
  printf '%s\n' "$3" | bloomery add --key hex made.bloom
  [ "$(bloomery test --key "$1" made.bloom "$2")" = "maybe  $2" ] || { echo "$1 $2 is not $3"; return 1; }
}

# same KIND TEXT INTEGER: as a key of this kind, the text is this integer
same() {
  rm -f made.bloom
  bloomery create -n 10 -p 1e-9 made.bloom
  printf '%s\n' "$3" | bloomery add --key int made.bloom
  bloomery test -q --key "$1" made.bloom "$2"
}

high=$'\xed\xa0\xbd' # U+D83D, the first half of U+1F600
low=$'\xed\xb8\x80'  # U+DE00, the second
face=$'\xf0\x9f\x98\x80'

@test "hexadecimal digits are the bytes that they spell" {
  filter_of abc
  bloomery test -q --key hex f.bloom 616263
  makes hex 00fF 00ff
  makes bytes '' ''
  refuses bloomery test --key hex f.bloom 61 6
  says 'record 2 is not an even number of hexadecimal digits, as --key hex requires: "6"'
  refuses bloomery test --key hex f.bloom 6g
}

@test "text as Java encodes it" {
  makes utf8 '' ''
  makes utf8 abc 616263
  makes utf8 "é$face" c3a9f09f9880
  makes utf8 "a$high" 613f
  makes utf8 "$low$high" 3f3f
  makes utf8 "$high$low" f09f9880
  makes utf16le 'aé' 6100e900
  makes utf16le "$face" 3dd800de
  makes utf16le "$high" 3dd8
  makes utf16le-text "$high" fdff
  makes utf16le-text "$face$low" 3dd800defdff
  makes latin1 'aé字' 61e93f
  makes latin1 "$face!" 3f21
}

@test "invalid text is refused, with its record and byte" {
  filter_of a
  printf 'fine\na\xffb\n' >bad
  local kind
  for kind in utf8 utf16le utf16le-text latin1 kryo5; do
    refuses bloomery grep --key "$kind" f.bloom bad
    says "record 2 is not valid text, as --key $kind requires: the text is not valid UTF-8"
    says 'byte 1 '
  done
}

@test "numbers of a fixed width" {
  makes i32le 1 01000000
  makes i32le -2147483648 00000080
  makes i32be 258 00000102
  makes i32be -1 ffffffff
  makes u32be 4294967295 ffffffff
  makes u32be 007 00000007
  makes i64le -2 feffffffffffffff
  makes i64be 9223372036854775807 7fffffffffffffff
  makes f32le 0.1 cdcccc3d
  makes f32le -0 00000080
  makes f64le 0.1 9a9999999999b93f
  makes f64le 1e300 9c7500883ce4377e
  makes f64le inf 000000000000f07f
  makes f64le nan 000000000000f87f
  [ "$(printf -- '-nan\n-inf\n' | bloomery grep --key f64le made.bloom)" = -nan ]
}

@test "numbers out of range, and what is not a number, are refused" {
  filter_of a
  # rejects KIND TEXT WHAT
  rejects() {
    refuses bloomery test --key "$1" f.bloom "$2"
    says "record 1 is not $3, as --key $1 requires: \"$2\""
  }
  rejects i32le 2147483648 'a 32-bit integer'
  rejects i32be -2147483649 'a 32-bit integer'
  rejects u32be -1 'an unsigned 32-bit integer'
  rejects u32be 4294967296 'an unsigned 32-bit integer'
  rejects i64le 9223372036854775808 'a 64-bit integer'
  rejects i64be ' 1' 'a 64-bit integer'
  rejects f32le 1e39 'a 32-bit float'
  rejects f64le 1e309 'a 64-bit float'
  rejects f64le 1x 'a 64-bit float'
  rejects f64le '' 'a 64-bit float'
  rejects kryo5-int 2147483648 'a 32-bit integer'
  rejects kryo5-long 1.0 'a 64-bit integer'
  rejects java-int 2147483648 'a 32-bit integer'
  rejects java-long 9223372036854775808 'a 64-bit integer'
  refuses bloomery test --key text f.bloom a
  says 'there is no kind of key "text"; choose one of: bytes, int, '
}

@test "what Kryo makes of texts and numbers" {
  makes kryo5 '' 0381
  makes kryo5 a 038261
  makes kryo5 abc 036162e3
  makes kryo5 张学友 0384e5bca0e5ada6e58f8b
  makes kryo5 "$face" 0383eda0bdedb880
  makes kryo5-int -2147483648 02ffffffff0f
  makes kryo5-long 4294967296 098080808020
}

@test "Java's hash codes of numbers are integers" {
  same java-int -5 -5
  same java-long 7 7
  same java-long -1 0
  same java-long 4294967296 1
  same java-long 2147483648 -2147483648
}

@test "keys that are equal once encoded are equal for uniq, exact or not" {
  printf '7\n007\n8\n-0\n0\n' >numbers
  [ "$(bloomery uniq --key i32le numbers | tr '\n' ' ')" = '7 8 -0 ' ]
  [ "$(bloomery uniq --exact --key i64be numbers | tr '\n' ' ')" = '7 8 -0 ' ]
  [ "$(bloomery uniq --exact numbers | wc -l)" = 5 ]
  printf '%s\n' "$face" "$high$low" "$high" "?" plain >texts
  bloomery uniq --exact --key utf8 texts >once
  printf '%s\n' "$face" "$high" plain | cmp - once
}

@test "a large file is encoded as a small one is" {
  seq 1 600000 >numbers
  bloomery create -n 600000 -p 1e-6 f.bloom
  bloomery add --key kryo5-int f.bloom numbers
  [ "$(bloomery grep -c --key kryo5-int f.bloom numbers)" = 600000 ]
  [ "$(seq 1 600000 | bloomery grep -c --key kryo5-int f.bloom)" = 600000 ]
  [ "$(bloomery grep -c f.bloom numbers || :)" -lt 10 ]
  sed 's/$/é/' numbers >texts
  bloomery create -n 600000 -p 1e-6 g.bloom
  bloomery add g.bloom texts
  [ "$(bloomery grep -c --key utf8 g.bloom texts)" = 600000 ]
}

@test "the field that is the key is encoded, and the whole record printed" {
  bloomery create -n 10 -p 1e-9 f.bloom
  printf '01000000\n' | bloomery add --key hex f.bloom
  run -0 bloomery grep -t , -f 2 --key i32le f.bloom - <<<$'a,2\nb,1'
  [ "$output" = b,1 ]
}
