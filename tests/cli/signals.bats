# SIGINT and SIGTERM end the command with the signal's status, and leave nothing incomplete behind.
load helper

# leftovers: what is in the folder besides the files that are named *.bloom, and the inputs
leftovers() { compgen -G '*.bloom.*' || true; }

# reaches CONDITION...: waits until it holds, ten seconds at most
reaches() {
  for ((i = 0; i < 1000; ++i)); do
    ! "$@" || return 0
    sleep 0.01
  done
  return 1
}

has_temporary() { compgen -G '*.bloom.*' >/dev/null; }

@test "a create that is interrupted while it writes removes its temporary file" {
  for signal in INT TERM HUP; do
    # set -m, because a shell lets its background ignore SIGINT
    (set -m; exec "$BLOOMERY" create -n 1G -p 1% big.bloom) &
    writer=$!
    reaches has_temporary
    kill -"$signal" "$writer"
    status=0
    wait "$writer" || status=$?
    [ "$status" = $((128 + $(kill -l "$signal"))) ]
    [ -z "$(leftovers)" ]
    [ ! -e big.bloom ]
  done
}

@test "an add that is interrupted seals its file, and keeps what it has read" {
  filter_of apple
  mkfifo slow
  for signal in INT TERM; do
    (set -m; exec "$BLOOMERY" add f.bloom slow) &
    adder=$!
    exec 9>slow
    echo "pear $signal" >&9
    reaches bloomery test -q f.bloom "pear $signal"
    kill -"$signal" "$adder"
    status=0
    wait "$adder" || status=$?
    exec 9>&-
    [ "$status" = $((128 + $(kill -l "$signal"))) ]
    [ "$(bloomery verify f.bloom)" = "f.bloom: ok" ]
    bloomery test -q f.bloom apple
    bloomery test -q f.bloom "pear $signal"
  done
}

@test "a uniq --state that is interrupted has remembered every line that it printed" {
  mkfifo lines
  (set -m; exec "$BLOOMERY" uniq -n 1000 -p 1e-9 --state f.bloom lines >out) &
  stream=$!
  exec 9>lines
  printf 'a\nb\n' >&9
  reaches grep -q b out
  kill -TERM "$stream"
  status=0
  wait "$stream" || status=$?
  exec 9>&-
  [ "$status" = 143 ]
  [ "$(bloomery verify f.bloom)" = "f.bloom: ok" ]
  [ "$(printf 'a\nb\nc\n' | bloomery uniq --state f.bloom)" = c ]
}

@test "signals that the command was started to ignore are ignored" {
  filter_of apple
  mkfifo slow
  (trap '' HUP; exec "$BLOOMERY" add f.bloom slow) &
  adder=$!
  exec 9>slow
  echo pear >&9
  reaches bloomery test -q f.bloom pear
  kill -HUP "$adder"
  echo plum >&9
  exec 9>&-
  wait "$adder"
  bloomery test -q f.bloom plum
}

@test "what a killed process left is removed by the next one that writes the file" {
  (set -m; exec "$BLOOMERY" create -n 1G -p 1% big.bloom) &
  writer=$!
  reaches has_temporary
  kill -KILL "$writer"
  wait "$writer" || true
  [ -n "$(leftovers)" ]
  bloomery create -n 1000 big.bloom
  [ -z "$(leftovers)" ]
  # a file that only looks like one of ours stays, and so does one that a living process has locked
  echo mine >big.bloom.2024
  echo locked >big.bloom.bloomery-1
  exec 8<big.bloom.bloomery-1
  flock 8
  bloomery create --force -n 1000 big.bloom
  exec 8<&-
  [ "$(cat big.bloom.2024 big.bloom.bloomery-1)" = "mine
locked" ]
}

# Any moment will do: nothing may be left behind, and nothing that was acknowledged may be lost.
@test "two hundred signals at random moments leave whole filters and nothing else" {
  RANDOM=1
  seq 300000 >keys
  bloomery create -n 300k -p 1% a.bloom
  bloomery create -n 300k -p 1% b.bloom
  seq 1000 >acknowledged
  bloomery add a.bloom acknowledged
  bloomery create -n 300k -p 1e-6 s.bloom
  bloomery create --format guava -n 3M -p 1% guava.bf
  ended=0
  for ((round = 0; round < 200; ++round)); do
    case $((round % 5)) in
      0) command=(create --force -n 20M new.bloom) ;;
      1) command=(merge --force a.bloom b.bloom -o union.bloom) ;;
      2) command=(convert --force --to native guava.bf other.bloom) ;;
      3) command=(add b.bloom keys) ;;
      4) command=(uniq --state s.bloom keys) ;;
    esac
    (set -m; exec "$BLOOMERY" "${command[@]}" >out."$round" 2>err) &
    process=$!
    sleep "0.$(printf '%03d' $((RANDOM % 40)))"
    kill -"$([ $((RANDOM % 2)) = 0 ] && echo INT || echo TERM)" "$process" 2>/dev/null || true
    status=0
    wait "$process" || status=$?
    [ "$status" = 0 ] || [ "$status" = 130 ] || [ "$status" = 143 ] || { echo "$status: ${command[*]}"; cat err; false; }
    [ "$status" = 0 ] || ended=$((ended + 1))
    [ -z "$(leftovers)" ] || { echo "${command[*]} left $(leftovers)"; false; }
    for file in *.bloom; do
      bloomery verify "$file" >verdict
      [[ $(<verdict) != *"left open"* ]] || { echo "${command[*]} left $file open"; false; }
    done
    [ "$(bloomery grep -c a.bloom acknowledged)" = 1000 ]
    # what uniq printed in any round, it does not print again
    if ((round % 5 == 4)); then
      cat out."$round" >>printed
      [ "$(sort printed | uniq -d | wc -l)" = 0 ]
    fi
    rm -f out."$round"
  done
  echo "$ended of $round were ended by their signal"
  [ "$ended" -gt 20 ]
  [ "$(bloomery grep -c s.bloom printed)" = "$(wc -l <printed)" ]
}
