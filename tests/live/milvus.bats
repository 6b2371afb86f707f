# Milvus's Python client, from PyPI: it makes filters, and no client asks them.
load helper
python=$BATS_TEST_DIRNAME/../../.cache/python/bin/python
packages() { echo 'pymilvus, which ./dev test --live installs with pip'; }
original() { "$python" -c 'import pymilvus.client.bloom_filter'; }
build() { :; }

# made KIND FILE N P: a filter with the keys on standard input
made() { "$python" "$BATS_TEST_DIRNAME/milvus.py" "$@"; }

# both_ways KIND KEY N P
both_ways() {
  draw "$1" "$3" "$3"
  rm -f theirs
  made "$2" theirs "$3" "$4" <present
  bloomery create --force --format milvus -n "$3" -p "$4" --key "$2" ours present
  same_bytes theirs ours
  bloomery grep --key "$2" theirs asked | head -n "$3" | cmp - present
}

@test "the same filter as Milvus's client makes of integers" {
  both_ways long int 1 0.05
  both_ways long int 1000 0.005
  both_ways int int 40000 0.0001
}

@test "the same filter as Milvus's client makes of texts" {
  both_ways whole utf8 1 0.05
  both_ways whole utf8 1000 0.005
  both_ways whole utf8 20000 0.01
}

@test "a filter for both kinds of keys" {
  draw long 300
  made int theirs 600 0.01 <present
  bloomery create --format milvus -n 600 -p 1% --key int ours present
  draw whole 300
  made utf8 theirs 600 0.01 <present
  bloomery add --key utf8 ours present
  same_bytes theirs ours
}
