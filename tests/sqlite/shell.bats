#!/usr/bin/env bats
# What people type: the sqlite3 shell loads the extension, and its blobs are the files of the command.

setup() {
  cd "$BATS_TEST_TMPDIR" || exit
  PATH=$(dirname "$BLOOMERY"):$PATH
}

# sql STATEMENT...: in a database in memory
sql() { sqlite3 -batch -cmd ".load ${BLOOMERY_SQLITE%.so}" :memory: "$@"; }

@test "the extension loads, also with its whole name" {
  [[ $(sql "SELECT bloom_contains(bloom_agg('a', 10), 'a')") = 1 ]]
  [[ $(sqlite3 -cmd ".load $BLOOMERY_SQLITE" :memory: "SELECT bloom_contains(bloom_agg('a', 10), 'a')") = 1 ]]
}

@test "it loads twice, and in two connections" {
  [[ $(sql ".load ${BLOOMERY_SQLITE%.so}" "SELECT bloom_contains(bloom_agg('a', 10), 'a')") = 1 ]]
}

@test "bloom_agg of text makes the command's file" {
  seq -f 'key-%g' 1 1000 >keys.txt
  bloomery create -n 1000 -p 0.1% command.bloom keys.txt
  sql "CREATE TABLE t(k TEXT)" ".import keys.txt t" \
    "SELECT writefile('sql.bloom', bloom_agg(k, 1000, 0.001)) FROM t"
  cmp command.bloom sql.bloom
  bloomery verify sql.bloom
}

@test "bloom_agg of integers makes the command's file with --key int" {
  seq -500 500 >keys.txt
  bloomery create -n 1001 --key int command.bloom keys.txt
  sql "CREATE TABLE t(k INTEGER)" ".import keys.txt t" \
    "SELECT writefile('sql.bloom', bloom_agg(k, 1001)) FROM t"
  cmp command.bloom sql.bloom
}

@test "bloom_agg without a number makes the command's scalable filter" {
  seq 1 50000 >keys.txt
  bloomery create --kind scalable -n 10000 command.bloom keys.txt
  sql "CREATE TABLE t(k TEXT)" ".import keys.txt t" \
    "SELECT writefile('sql.bloom', bloom_agg(k)) FROM t"
  cmp command.bloom sql.bloom
}

@test "a merge, a union and an intersection are those of the command" {
  seq 1 600 >a.txt
  seq 400 1000 >b.txt
  bloomery create -n 1000 a.bloom a.txt
  bloomery create -n 1000 b.bloom b.txt
  bloomery merge -o merged.bloom a.bloom b.bloom
  bloomery intersect -o both.bloom a.bloom b.bloom
  sql "SELECT writefile('m.bloom', bloom_merge(bloom_file('a.bloom'), bloom_file('b.bloom')))" \
    "SELECT writefile('u.bloom', bloom_union_agg(f)) FROM
       (SELECT readfile('a.bloom') AS f UNION ALL SELECT readfile('b.bloom'))" \
    "SELECT writefile('i.bloom', bloom_intersect(bloom_file('a.bloom'), bloom_file('b.bloom')))"
  cmp merged.bloom m.bloom
  cmp merged.bloom u.bloom
  cmp both.bloom i.bloom
}

@test "a file of the command answers a table, and what it denies is what grep -v shows" {
  seq 1 2000 >keys.txt
  seq 1 2 2000 | bloomery create -n 1000 odd.bloom -
  bloomery grep -v odd.bloom keys.txt >absent.txt
  sql "CREATE TABLE t(k TEXT)" ".import keys.txt t" \
    "SELECT k FROM t WHERE NOT bloom_contains(bloom_file('odd.bloom'), k)" >denied.txt
  diff absent.txt denied.txt
}

@test "a keyed filter needs its secret in the file" {
  echo 00112233445566778899aabbccddeeff >secret
  echo apple | bloomery create -n 100 --secret-file secret closed.bloom -
  echo apple | bloomery create -n 100 --secret-file secret --keep-secret open.bloom -
  run sql "SELECT bloom_contains(bloom_file('closed.bloom'), 'apple')"
  [[ $status -ne 0 && $output == *secret* ]]
  [[ $(sql "SELECT bloom_contains(bloom_file('open.bloom'), 'apple')") = 1 ]]
}

@test "the file exports its entry point and nothing else" {
  nm -D --defined-only "$BLOOMERY_SQLITE" | awk '$2 != "A" { print $NF }' >exported.txt
  diff <(echo sqlite3_bloomerysqlite_init) exported.txt
}

@test "Python's sqlite3 loads it" {
  local each python=
  for each in python3 /usr/bin/python3; do # not every Python was built with this
    "$each" -c 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension(True)' && python=$each && break
  done
  [[ -n $python ]] || skip "no Python here can load extensions"
  "$python" - "$BLOOMERY_SQLITE" <<'END'
import sqlite3, sys
db = sqlite3.connect(":memory:")
db.enable_load_extension(True)
db.load_extension(sys.argv[1])
f = db.execute("SELECT bloom_agg(column1, 10) FROM (VALUES ('a'), ('b'))").fetchone()[0]
assert db.execute("SELECT bloom_contains(?, 'a')", (f,)).fetchone() == (1,)
END
}
