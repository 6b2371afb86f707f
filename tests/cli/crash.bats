# kill -9 gives a process no chance to clean up. Verbs that add in place lose nothing that they have added, and
# verbs that replace a file leave the old one or the new one.
load helper

temporaries() { compgen -G 'f.bloom.*'; }

# end PROCESS: kill it and wait for it
end() {
  kill -9 "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

@test "adds that are killed at any moment leave a readable file that has lost nothing" {
  bloomery create -n 10M -p 0.1% f.bloom
  left_open=0
  for ((round = 0; round < 60; ++round)); do
    { seq "${round}000001" "${round}200000"; : >"fed.$round"; sleep 1; } | "$BLOOMERY" add f.bloom 2>/dev/null &
    adder=$!
    if ((round % 4 == 0)); then # when it has read nearly all, and is sure to have the file open
      for ((i = 0; i < 500; ++i)); do [[ ! -e fed.$round ]] || break; sleep 0.02; done
    else
      sleep "0.$(printf '%03d' $((round * 37 % 60)))"
    fi
    end "$adder"
    run -0 bloomery verify f.bloom
    [[ "$output" != *"left open"* ]] || left_open=$((left_open + 1))
    echo "done $round" | bloomery add f.bloom 2>/dev/null
    echo "done $round" >>acknowledged
    [ "$(bloomery grep -c f.bloom acknowledged)" = $((round + 1)) ]
  done
  echo "$left_open of $round left the file open"
  [ "$left_open" -gt 0 ]
}

@test "an add that is killed while it reads keeps what it has read" {
  filter_of apple
  mkfifo slow
  "$BLOOMERY" add f.bloom slow &
  adder=$!
  exec 9>slow
  echo pear >&9
  for ((i = 0; i < 100; ++i)); do ! bloomery test -q f.bloom pear || break; sleep 0.02; done
  end "$adder"
  exec 9>&-
  bloomery test -q f.bloom pear
  run -0 bloomery info f.bloom
  [[ "$output" == *"state     open"* ]]
  run -0 bloomery verify f.bloom
  [[ "$output" == "f.bloom: ok, but left open by a writer that died: "* ]]
  run -0 bloomery verify --recover f.bloom
  [[ "$output" == *"sealed again"*"f.bloom: ok" ]]
  [ "$(bloomery info --json f.bloom | grep sealed)" = '  "sealed": true,' ]
}

@test "a uniq that is killed prints no line less" {
  mkfifo lines
  "$BLOOMERY" uniq -n 1000 -p 1e-9 --state f.bloom lines >out &
  stream=$!
  exec 9>lines
  printf 'a\nb\n' >&9
  for ((i = 0; i < 100; ++i)); do [[ ! -e f.bloom ]] || ! bloomery test -q f.bloom b || break; sleep 0.02; done
  end "$stream"
  exec 9>&-
  printf 'a\nb\n' | cmp - out
  printf 'b\nc\n' | bloomery uniq --state f.bloom 2>/dev/null | cmp - <(echo c)
}

@test "a merge that is killed while it writes leaves the old file or the new one" {
  bloomery create -b 64MiB -n 50M f.bloom
  echo first | bloomery add f.bloom
  bloomery create -b 64MiB -n 50M other.bloom
  killed_writing=0
  SECONDS=0
  for ((round = 0; round < 20 && (round < 4 || SECONDS < 10); ++round)); do
    echo "key $round" | bloomery add other.bloom
    cp f.bloom before.bloom
    "$BLOOMERY" merge --force f.bloom other.bloom -o f.bloom &
    merger=$!
    while kill -0 "$merger" 2>/dev/null && ! temporaries >/dev/null; do sleep 0.002; done
    sleep "0.$(printf '%03d' $((round * 17 % 80)))"
    end "$merger"
    if temporaries >/dev/null; then
      killed_writing=$((killed_writing + 1))
      rm -f f.bloom.*
    fi
    bloomery verify -q f.bloom
    cmp -s f.bloom before.bloom || bloomery test -q f.bloom "key $round"
    bloomery test -q f.bloom first
  done
  echo "$killed_writing of $round were killed while they wrote"
  [ "$killed_writing" -gt 0 ]
}
