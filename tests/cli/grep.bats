# grep: the flags and the exit status of grep.
load helper

@test "prints the lines that may be in, -v those that surely are not" {
  filter_of a b c
  printf 'b\nx\nc\ny\n' >lines
  run -0 bloomery grep f.bloom lines
  [ "$output" = $'b\nc' ]
  run -0 bloomery grep -v f.bloom lines
  [ "$output" = $'x\ny' ]
}

@test "counts, numbers and keeps quiet" {
  filter_of a b c
  printf 'b\nx\nc\ny\n' >lines
  run -0 bloomery grep -c f.bloom lines
  [ "$output" = 2 ]
  run -0 bloomery grep -vc f.bloom lines
  [ "$output" = 2 ]
  run -0 bloomery grep -n f.bloom lines
  [ "$output" = $'1:b\n3:c' ]
  run -0 bloomery grep -q f.bloom lines
  [ -z "$output" ]
}

@test "exits with 1 when no line was selected" {
  filter_of a
  run -1 bloomery grep f.bloom <<<x
  run -1 bloomery grep -c f.bloom <<<x
  [ "$output" = 0 ]
  run -1 bloomery grep -v f.bloom <<<a
  run -1 bloomery grep -q f.bloom <<<x
}

@test "prints whole records when the key is a field" {
  filter_of Ada
  printf '1\tAda\tx\n2\tBob\ty\n' >table
  run -0 bloomery grep -f 2 f.bloom table
  [ "$output" = $'1\tAda\tx' ]
}

@test "ends quietly when its reader does" {
  filter_of a
  yes a | head -n 200000 >many
  run -0 bash -c '"$1" grep f.bloom many | head -n 1' _ "$BLOOMERY"
  [ "$output" = a ]
}

@test "so do the verbs that print a text" {
  filter_of a
  for verb in "info f.bloom" "plan -n 1M -p 1%" "--help"; do
    # shellcheck disable=SC2086 # a verb and its arguments
    run bash -c 'trap "" PIPE; shift; { sleep 0.1; "$0" "$@"; } | true; echo "${PIPESTATUS[0]}"' \
      "$BLOOMERY" _ $verb
    [ "$output" = 141 ] || { echo "$verb: $output"; false; }
  done
}

@test "answers a slow pipe at once" {
  filter_of a b
  mkfifo keys
  "$BLOOMERY" grep f.bloom keys >answers &
  reader=$!
  exec 9>keys
  echo a >&9
  for _ in $(seq 50); do
    [ -s answers ] && break
    sleep 0.1
  done
  [ "$(<answers)" = a ]
  echo b >&9
  exec 9>&-
  wait "$reader"
  [ "$(<answers)" = $'a\nb' ]
}

@test "handles many thousand lines in order" {
  bloomery create -n 100k -p 1e-6 f.bloom
  seq 0 2 200000 | bloomery add f.bloom
  seq 200000 | bloomery grep f.bloom >found
  seq 2 2 200000 >expected
  [ "$(comm -13 <(sort found) <(sort expected) | wc -l)" = 0 ]
  [ "$(wc -l <found)" -le 100002 ]
  sort -n -c found
}
