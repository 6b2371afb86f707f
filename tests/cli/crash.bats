# A crash leaves the old filter or the new one, whatever the add was doing. A kill -9 gives the
# process no chance to tidy up, so its temporary file f.bloom.NUMBER may stay.
load helper

temporaries() { compgen -G 'f.bloom.*'; }

# start_add KEY: an add in the background, caught when its temporary file appears, when f.bloom is
# no longer the file old.bloom, or when it has ended
start_add() {
  echo "$1" >key
  "$BLOOMERY" add f.bloom key &
  adder=$!
  while kill -0 "$adder" 2>/dev/null && [[ f.bloom -ef old.bloom ]] && ! temporaries >/dev/null; do
    sleep 0.002
  done
}

crash_add() {
  kill -9 "$adder" 2>/dev/null || true
  wait "$adder" 2>/dev/null || true
}

@test "an add that is killed while it writes leaves the old file or the new one" {
  bloomery create -b 64MiB -n 50M f.bloom
  echo first | bloomery add f.bloom
  killed_writing=0
  SECONDS=0
  for ((round = 0; round < 20 && (round < 4 || SECONDS < 10); ++round)); do
    ln -f f.bloom old.bloom
    [[ -s before.bloom ]] || cp f.bloom before.bloom
    start_add "key $round"
    sleep "0.$(printf '%03d' $((round * 37 % 200)))"
    crash_add
    if temporaries >/dev/null; then
      killed_writing=$((killed_writing + 1))
      rm -f f.bloom.*
    fi
    bloomery verify f.bloom
    if ! cmp -s f.bloom before.bloom; then
      bloomery test -q f.bloom "key $round"
      bloomery test -q f.bloom first
      rm before.bloom
    fi
  done
  echo "$killed_writing of $round were killed while they wrote"
  [ "$killed_writing" -gt 0 ]
}

@test "what a killed add left behind does not disturb the next" {
  bloomery create -b 64MiB -n 50M f.bloom
  for ((attempt = 0; attempt < 10; ++attempt)); do
    ln -f f.bloom old.bloom
    start_add "key $attempt"
    crash_add
    ! temporaries >/dev/null || break
  done
  left=$(temporaries)
  cksum "$left" >before
  echo next | bloomery add f.bloom
  bloomery verify f.bloom
  bloomery test -q f.bloom next
  cksum "$left" | cmp - before
  [ "$(temporaries)" = "$left" ]
}

@test "an add that is killed while it reads leaves the old file and nothing else" {
  filter_of apple
  cp f.bloom before.bloom
  mkfifo slow
  "$BLOOMERY" add f.bloom slow &
  adder=$!
  exec 9>slow
  echo pear >&9
  sleep 0.1
  crash_add
  exec 9>&-
  cmp f.bloom before.bloom
  ! temporaries
}
