# Inputs above 4 MiB, which the command reads, splits and hashes on a separate thread: the same
# answers, in bounded memory.
load helper

setup_file() {
  cd "$BATS_FILE_TMPDIR" || exit 1
  # 16 MB: 400,000 lines, 300,000 of them distinct, with 50,000 distinct second fields
  awk 'BEGIN { for (i = 0; i < 400000; ++i) {
                 v = i * 7919 % 300000
                 printf "line %06d,%05d,abcdefghijklmnopqrstuvwx\n", v, v % 50000 } }' >big
  awk '!seen[$0]++' big >once
}

big=$BATS_FILE_TMPDIR/big
once=$BATS_FILE_TMPDIR/once

# peak_of ARGUMENT...: runs the command, with its output in the file found, and sets peak to the most
# memory it had, in KiB. Skips the test where nothing measures that: a build with sanitizers, whose
# memory is not ours.
peak_of() {
  local measure
  measure=$(dirname "$BLOOMERY")/bench/measure
  [[ -x $measure ]] || skip "there is no $measure"
  "$measure" used "$BLOOMERY" "$@" >found
  peak=$(awk '{ print $2 }' used)
  echo "$peak KiB"
}

@test "the input is large enough to be read on a thread" {
  [ "$(wc -c <"$big")" -gt $((4 << 20)) ]
  [ "$(wc -l <"$once")" = 300000 ]
}

@test "uniq agrees with awk" {
  bloomery uniq -p 1e-9 "$big" | cmp - "$once"
  bloomery uniq -p 1e-9 <"$big" | cmp - "$once"
  bloomery uniq -p 1e-9 "$once" "$big" | cmp - "$once"
}

@test "uniq --exact agrees with awk" {
  bloomery uniq --exact -p 10% "$big" | cmp - "$once"
  awk 'seen[$0]++' "$big" >again
  bloomery uniq --exact -v -p 10% "$big" | cmp - again
}

@test "uniq -v agrees with awk" {
  awk 'seen[$0]++' "$big" >again
  bloomery uniq -v -p 1e-9 "$big" | cmp - again
}

@test "uniq of a field agrees with awk" {
  awk -F , '!seen[$2]++' "$big" >expected
  [ "$(wc -l <expected)" = 50000 ]
  bloomery uniq -t , -f 2 -p 1e-9 "$big" | cmp - expected
  bloomery uniq -t , -f 2 --exact -p 10% "$big" | cmp - expected
}

@test "uniq of records that end with NUL agrees with awk" {
  tr '\n' '\0' <"$big" >zero
  tr '\n' '\0' <"$once" >expected
  bloomery uniq -0 -p 1e-9 zero | cmp - expected
  bloomery uniq -0 --exact -p 10% zero | cmp - expected
}

@test "uniq with a secret agrees with awk" {
  echo 000102030405060708090a0b0c0d0e0f >secret
  bloomery uniq --secret-file secret -p 1e-9 "$big" | cmp - "$once"
  bloomery uniq --secret-file secret --exact -p 10% "$big" | cmp - "$once"
}

@test "a last line without a newline is a line" {
  { cat "$big"; printf 'the end'; } >open
  bloomery uniq -p 1e-9 open >found
  { cat "$once"; echo 'the end'; } | cmp - found
}

@test "add misses no key, and grep answers exactly" {
  awk '{ print > (NR % 2 ? "in" : "out") }' "$once"
  bloomery create -n 150k -p 1e-9 f.bloom
  bloomery add f.bloom in
  run -1 bloomery grep -v f.bloom in
  [ -z "$output" ]
  awk 'NR == FNR { held[$0]; next } $0 in held' in "$big" >expected
  bloomery grep f.bloom "$big" | cmp - expected
  [ "$(bloomery grep -c f.bloom "$big")" = "$(wc -l <expected)" ]
  awk 'NR == FNR { held[$0]; next } !($0 in held)' in "$big" >expected
  bloomery grep -v f.bloom "$big" | cmp - expected
  [ "$(bloomery grep -vc f.bloom "$big")" = "$(wc -l <expected)" ]
  awk 'NR == FNR { held[$0]; next } $0 in held { print FNR ":" $0 }' in "$big" >expected
  bloomery grep -n f.bloom "$big" | cmp - expected
}

@test "grep -q ends at the first hit" {
  bloomery create -n 10 -p 1e-9 f.bloom
  head -n 1 "$big" | bloomery add f.bloom
  exec 8<"$big"
  bloomery grep -q f.bloom <&8
  [ "$(wc -c <&8)" -gt $((8 << 20)) ] # the open file says how much was left unread
  exec 8<&-
}

@test "uniq ends quietly when nobody reads on" {
  bash -c '"$1" uniq "$2" 2>stderr.txt | head -n 1 >first
           echo "${PIPESTATUS[0]}" >status' _ "$BLOOMERY" "$big"
  head -n 1 "$big" | cmp - first
  [ ! -s stderr.txt ]
  [ "$(<status)" = 141 ] || [ "$(<status)" = 0 ]
}

@test "uniq of a large file takes its filter and little more" {
  peak_of uniq -n 1M --bytes 8MiB "$big"
  cmp found "$once"
  [ "$peak" -lt $(((8 + 64) * 1024)) ]
}

@test "two hundred lines of 2 MB are not all in memory at once" {
  awk 'BEGIN { s = "0123456789abcdef"
               while (length(s) < 2000000) s = s s
               for (i = 0; i < 200; ++i) print i % 150 " " s }' >long
  [ "$(wc -c <long)" -gt 400000000 ]
  peak_of uniq -n 1000 long
  head -n 150 long | cmp - found
  [ "$peak" -lt 200000 ]
}
