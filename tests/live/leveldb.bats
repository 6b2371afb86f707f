# LevelDB from its library: the filters of its built-in policy.
load helper
packages() { echo libleveldb-dev; }
original() { has_header leveldb/filter_policy.h; }
build() {
  "${CXX:-c++}" -std=c++17 -O1 -o "$BATS_FILE_TMPDIR/leveldb" "$BATS_TEST_DIRNAME/leveldb.cpp" -lleveldb
}

leveldb() { "$BATS_FILE_TMPDIR/leveldb" "$@"; }

# both_ways KEYS BITS_PER_KEY
both_ways() {
  draw hex "$1" "$1"
  leveldb make theirs "$2" <present
  bloomery create --force --format "leveldb,bits-per-key=$2" -n "$1" ours
  bloomery add --format leveldb --key hex ours present
  same_bytes theirs ours
  same_answers theirs --format leveldb --key hex -- leveldb ask ours
}

@test "the same filter and answers as LevelDB's" {
  both_ways 1 10
  both_ways 6 10
  both_ways 7 10
  both_ways 1000 10
  both_ways 3000 7
}

@test "the fewest and the most bits for each key" {
  both_ways 100 1
  both_ways 65 2
  both_ways 200 43
  both_ways 200 44
  both_ways 50 100
}

@test "LevelDB reads filters of sizes that it does not make" {
  local m
  for m in 8 72 1000; do
    draw hex $((m / 20 + 1)) "$m"
    bloomery create --force --format leveldb --bits "$m" -k 5 ours
    bloomery add --format leveldb --key hex ours present
    same_answers ours --format leveldb --key hex -- leveldb ask ours
  done
}
