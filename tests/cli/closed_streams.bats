# A process may be started without standard input, output or error. The next file that is opened
# would take their place, and a warning would be written into a filter.
load helper

# with_closed SET COMMAND...: runs it with the streams closed whose bits are in SET (1, 2 and 4)
with_closed() {
  local set=$1
  shift
  (
    ((set & 1)) && exec <&-
    ((set & 2)) && exec >&-
    ((set & 4)) && exec 2>&-
    exec "$@"
  )
}

# two filters for a thousand keys, the first one full, and more keys than fit into it
two_filters() {
  rm -f ./*
  bloomery create -n 1000 -p 1% f.bloom
  bloomery create -n 1000 -p 1% g.bloom
  seq 1000 >held
  seq 1001 5000 >"more"
  bloomery add f.bloom held
}

# whole FILE KEYS: a sound filter that holds all of them
whole() {
  bloomery verify "$1" >/dev/null
  [ "$(bloomery grep -c "$1" "$2")" = "$(wc -l <"$2")" ]
}

# survives SET FILE KEYS COMMAND...: the command succeeds, its filter holds the keys, and the other
# one is what it was
survives() {
  local set=$1 file=$2 keys=$3 status=0
  shift 3
  with_closed "$set" "$BLOOMERY" "$@" >out 2>err || status=$?
  if [ "$status" != 0 ] || ! whole "$file" "$keys" || ! whole f.bloom held; then
    echo "streams $set closed, status $status: bloomery $*"
    cat err
    return 1
  fi
}

@test "create, add, merge, intersect and convert keep their filters whole without any standard stream" {
  for set in 1 2 3 4 5 6 7; do
    two_filters
    : >nothing
    survives "$set" new.bloom nothing create -n 1000 new.bloom
    survives "$set" f.bloom more add f.bloom more
    survives "$set" union.bloom more merge f.bloom g.bloom -o union.bloom
    survives "$set" both.bloom held intersect f.bloom f.bloom -o both.bloom
    survives "$set" copy.bloom held convert f.bloom copy.bloom --to native
  done
}

@test "remove, cascade, except, verify --recover and uniq --state keep their filters whole without any standard stream" {
  for set in 1 2 3 4 5 6 7; do
    two_filters
    bloomery create --kind counting -n 1000 c.bloom
    bloomery add c.bloom held
    echo 1 >one
    seq 2 1000 >others
    survives "$set" c.bloom others remove c.bloom one
    survives "$set" cascade.bloom held cascade held more cascade.bloom
    survives "$set" f.bloom held except f.bloom more
    # these two fail where they cannot print
    with_closed "$set" "$BLOOMERY" verify --recover f.bloom >/dev/null || [ $? = 2 ]
    whole f.bloom held
    with_closed "$set" "$BLOOMERY" uniq --state f.bloom more >/dev/null || [ $? = 2 ]
    whole f.bloom held
  done
}

@test "who needs a closed stream is told so" {
  two_filters
  run -2 with_closed 1 "$BLOOMERY" add f.bloom
  [[ "$output" == *"cannot read standard input"* ]]
  run -2 with_closed 1 "$BLOOMERY" grep f.bloom
  [[ "$output" == *"cannot read standard input"* ]]
  run -2 with_closed 2 "$BLOOMERY" grep f.bloom held
  [[ "$output" == *"cannot write to standard output"* ]]
  run -2 with_closed 2 "$BLOOMERY" info f.bloom
  run -2 with_closed 7 "$BLOOMERY" uniq --state s.bloom -n 1000
  [ -z "$output" ]
  whole f.bloom held
}
