# RocksDB from its library: full filters before format version 5 and since. Its headers offer no
# filter alone; rocksdb.cpp explains how it is made and queried nevertheless.
load helper
packages() { echo librocksdb-dev; }
original() { has_header rocksdb/sst_file_writer.h; }
build() {
  "${CXX:-c++}" -std=c++17 -O1 -o "$BATS_FILE_TMPDIR/rocksdb" "$BATS_TEST_DIRNAME/rocksdb.cpp" -lrocksdb
}

rocksdb() { "$BATS_FILE_TMPDIR/rocksdb" "$@"; }

format_of() { [[ $1 = 4 ]] && echo rocksdb || echo "rocksdb-$1"; }

# sorted COUNT SALT: distinct keys in order; the first and the last one leave none outside
sorted() {
  {
    echo
    printf 'ff%.0s' {1..301}
    echo
    keys hex "$1" "$2"
  } | sort -u
}

# both_ways KEYS BITS_PER_KEY FORMAT_VERSION
both_ways() {
  local format
  format=$(format_of "$3")
  sorted "$1" "$1" >present
  { cat present; keys hex "$(($1 + 1000))" $(($1 + 1)); } >asked
  rm -f table
  rocksdb make table theirs "$2" "$3" <present
  bloomery create --force --format "$format,bits-per-key=$2" -n "$(wc -l <present)" ours
  bloomery add --format "$format" --key hex ours present
  same_bytes theirs ours
  same_answers theirs --format "$format" --key hex -- rocksdb ask table
}

# of_ours KEYS BITS_PER_KEY FORMAT_VERSION: a filter of ours in a table of RocksDB's, with other keys
of_ours() {
  local format n
  format=$(format_of "$3")
  sorted "$1" "$1" >others
  n=$(wc -l <others)
  rm -f table
  rocksdb make table theirs "$2" "$3" <others
  keys hex "$n" $(($1 + 2)) >present
  { cat present; keys hex "$((n + 1000))" $(($1 + 3)); } >asked
  bloomery create --force --format "$format,bits-per-key=$2" -n "$n" ours
  bloomery add --format "$format" --key hex ours present
  rocksdb put table ours
  same_answers ours --format "$format" --key hex -- rocksdb ask table
}

@test "the same filter and answers as RocksDB's before format version 5" {
  both_ways 1 10 4
  both_ways 300 10 4
  both_ways 2000 5 4
  both_ways 100 16.4 4
  both_ways 700 0.6 4
}

@test "the same filter and answers as RocksDB's since format version 5" {
  both_ways 1 10 5
  both_ways 300 10 5
  both_ways 2000 5.5 5
  both_ways 100 16.7 5
  both_ways 50 60 5
  both_ways 700 0.6 5
}

@test "RocksDB asks filters that we made" {
  of_ours 500 10 4
  of_ours 500 3 4
  of_ours 500 10 5
  of_ours 500 3.2 5
}
