# pyarrow from PyPI writes the filters of .parquet files, and DuckDB asks them.
load helper
python=$BATS_TEST_DIRNAME/../../.cache/python/bin/python
packages() { echo 'pyarrow and duckdb, which ./dev test --live installs with pip'; }
original() { "$python" -c 'import duckdb, pyarrow.parquet'; }
build() { :; }

# both_ways KIND TYPE KEY N P ROWS: N keys in row groups of ROWS
both_ways() {
  draw "$1" "$4" "$4"
  "$python" "$BATS_TEST_DIRNAME/arrow.py" write "$2" f.parquet "$5" "$6" <present
  bloomery info --json f.parquet >listed
  bloomery grep --key "$3" --format parquet-file,column=key f.parquet present | cmp - present
  "$python" "$BATS_TEST_DIRNAME/arrow.py" ask "$2" f.parquet <asked >theirs
  bloomery grep --key "$3" --format parquet-file,column=key f.parquet asked >ours
  diff theirs ours
}

@test "the answers of DuckDB for files of pyarrow" {
  both_ways whole string utf8 300 0.1 100
  both_ways long int64 i64le 1000 0.05 250
  both_ways int int32 i32le 500 0.01 500
}
