# The command on files that are used in place: writers that take turns, concurrent readers, little memory.
load helper

# resident ARGUMENT...: runs the command; `peak` then tells the most memory that it had, in KiB. The
# build with sanitizers, which take memory of their own, has no such program.
resident() {
  measure=$(dirname "$BLOOMERY")/bench/measure
  [[ -x $measure ]] || skip "there is no $measure"
  rm -f used
  "$measure" used "$BLOOMERY" "$@"
}
peak() { awk '{ print $2 }' used; }

@test "eight adds at once of 100,000 keys each lose none" {
  bloomery create -n 800k -p 1e-9 f.bloom
  for i in $(seq 0 7); do
    seq "$i"000001 "$i"100000 >"keys$i"
    bloomery add f.bloom "keys$i" 2>/dev/null &
  done
  wait
  [ "$(cat keys? | bloomery grep -c f.bloom)" = 800000 ]
  bloomery verify f.bloom
}

@test "an add waits for another one, and says so; a reader does not wait" {
  filter_of apple
  mkfifo slow
  "$BLOOMERY" add f.bloom slow &
  exec 9>slow
  echo pear >&9
  for ((i = 0; i < 100; ++i)); do ! bloomery test -q f.bloom pear || break; sleep 0.02; done
  echo plum | "$BLOOMERY" add f.bloom 2>message 9>&- &
  for ((i = 0; i < 100; ++i)); do [[ ! -s message ]] || break; sleep 0.02; done
  grep -q "f.bloom is being written by another process; waiting" message
  bloomery test -q f.bloom pear
  run -0 bloomery verify f.bloom
  [[ "$output" == "f.bloom: ok, but being written"* ]]
  run -1 bloomery test -q f.bloom plum
  exec 9>&-
  wait
  bloomery test -q f.bloom plum
  [ "$(bloomery verify f.bloom)" = "f.bloom: ok" ]
}

@test "one key of a file of 1.2 GB costs little memory, and so does merging such files" {
  resident --version >/dev/null
  least=$(peak)
  free=$(df -k --output=avail . | tail -1)
  [ "$free" -gt 3000000 ] || skip "needs 3 GB of disk"
  bloomery create -n 1G -p 1% --layout classic a.bloom
  [ "$(stat -c %s a.bloom)" -gt 1200000000 ]
  echo apple | bloomery add a.bloom
  resident test -q a.bloom apple
  echo "$(peak) KiB, and $least without a file"
  [ "$(peak)" -lt $((least + 10 * 1024)) ]
  resident info a.bloom
  [ "$(peak)" -lt $((least + 10 * 1024)) ]
  resident merge a.bloom a.bloom -o b.bloom
  echo "merge: $(peak) KiB"
  [ "$(peak)" -lt $((least + 20 * 1024)) ]
  bloomery test -q b.bloom apple
}

@test "a filter goes through a pipe, and what follows it is refused" {
  filter_of apple pear
  bloomery test -q - apple <f.bloom
  # shellcheck disable=SC2002 # the point is the pipe
  cat f.bloom | bloomery verify -
  bloomery merge f.bloom -o - | bloomery grep -c - <(printf 'apple\nplum\n') | cmp - <(echo 1)
  bloomery create -n 1000 -p 1e-9 - | bloomery merge f.bloom - -o both.bloom
  bloomery test -q both.bloom pear
  refuses bloomery test - apple < <(cat f.bloom; echo)
  says "standard input: there is data after"
  refuses bloomery test - apple < <(head -c 5000 f.bloom)
  says "standard input: the filter is truncated"
  refuses bloomery test - apple < <(yes)
  says "standard input: this is not a bloomery filter"
}

@test "a header alone, of six bytes or one that promises much, takes no memory" {
  resident --version >/dev/null
  least=$(peak)
  bloomery create -b 1GiB -n 100M big.bloom
  head -c 4096 big.bloom >promise
  rm big.bloom
  head -c 6 promise >six
  for file in promise six; do
    for verb in info verify test; do
      [[ $verb == test ]] && key=(x) || key=()
      refuses bloomery $verb "$file" "${key[@]}"
      status=0
      resident $verb - "${key[@]}" <"$file" 2>message >/dev/null || status=$?
      [ "$(peak)" -lt $((least + 10 * 1024)) ]
      [[ $verb == info && $file == promise ]] || [ "$status" = 2 ]
    done
  done
}

@test "a secret is in the file only if asked" {
  echo 0123456789abcdeffedcba9876543210 >secret
  bloomery create -n 100 --secret-file secret f.bloom
  refuses bloomery test f.bloom x
  bloomery create -n 100 --secret-file secret --keep-secret g.bloom
  echo x | bloomery add g.bloom
  bloomery test -q g.bloom x
  run -0 bloomery info g.bloom
  [[ "$output" == *"secret    kept in the file"* ]]
  refuses bloomery create -n 100 --keep-secret h.bloom
  [ ! -e h.bloom ]
}

@test "what is not a regular file is neither read nor replaced by a filter" {
  filter_of apple
  mkfifo pipe
  refuses bloomery create --force -n 10 pipe
  says "not a regular file"
  [ -p pipe ]
  refuses bloomery test <(cat f.bloom) apple
  says "use standard input (-)"
  refuses bloomery merge - - -o g.bloom <f.bloom
  says "only one filter can come from standard input"
  refuses bloomery uniq --state - -n 10 /dev/null
  says "--state needs a file"
}

@test "a merge keeps the secret that its target kept, and no other" {
  echo 0123456789abcdeffedcba9876543210 >secret
  bloomery create -n 100 --secret-file secret --keep-secret kept.bloom
  bloomery create -n 100 --secret-file secret plain.bloom
  bloomery merge kept.bloom plain.bloom -o new.bloom
  refuses bloomery test new.bloom x
  bloomery merge --force plain.bloom kept.bloom -o kept.bloom
  run -1 bloomery test -q kept.bloom x
  echo 00000000000000000000000000000000 >wrong
  refuses bloomery merge --secret-file wrong plain.bloom -o other.bloom
  says "the secret given is not the one"
  bloomery verify plain.bloom # which needs no secret
}
