# A filter has the same bytes wherever it is made.
load server

# same_file SQL FILE: the filter is the bytes of the file
same_file() {
  sql "COPY (SELECT encode(($1)::bytea, 'hex')) TO STDOUT" | tr -d '\n' >sql.hex
  od -An -v -tx1 "$2" | tr -d ' \n' >file.hex
  cmp sql.hex file.hex
}

setup_file() {
  make_tree
  new_server server "max_worker_processes = 16" "max_parallel_workers = 16"
  sql "CREATE EXTENSION bloomery;
       CREATE TABLE keys AS SELECT g AS int4, g::bigint * 1000003 AS int8, (g % 30000)::smallint AS int2,
         'key-' || g AS text, decode(md5(g::text), 'hex') AS bytea, md5(g::text)::uuid AS uuid
         FROM generate_series(1, 50000) g;
       ANALYZE keys"
}

@test "a filter of text is the command's file" {
  sql "SELECT text FROM keys" >keys.txt
  bloomery create -n 50000 -p 1% f.bloom keys.txt
  same_file "SELECT bloom_agg(text, 50000) FROM keys" f.bloom
  same_file "SELECT bloom_agg(text::varchar, 50000) FROM keys" f.bloom
  same_file "SELECT bloom_agg(text::bytea, 50000) FROM keys" f.bloom
  same_file "SELECT bloom_agg(text::char(20), 50000) FROM keys" f.bloom
}

@test "a filter of integers is the command's file with --key int" {
  local type
  for type in int8 int4 int2; do
    sql "SELECT $type FROM keys" >keys.txt
    bloomery create -n 50000 -p 0.1% --key int --force f.bloom keys.txt
    same_file "SELECT bloom_agg($type, 50000, 0.001) FROM keys" f.bloom
  done
  same_file "SELECT bloom_agg(int2::bigint, 50000, 0.001) FROM keys" f.bloom
  sql "SELECT -g FROM generate_series(1, 100) g" >keys.txt
  bloomery create -n 100 --key int --force f.bloom keys.txt
  same_file "SELECT bloom_agg(-g, 100) FROM generate_series(1, 100) g" f.bloom
}

@test "a filter of uuid or bytea is that of their bytes" {
  sql "SELECT md5(int4::text) FROM keys" >keys.txt
  bloomery create -n 50000 --key hex f.bloom keys.txt
  same_file "SELECT bloom_agg(uuid, 50000) FROM keys" f.bloom
  same_file "SELECT bloom_agg(bytea, 50000) FROM keys" f.bloom
}

@test "options give the command's file with the same options" {
  local layout
  sql "SELECT text FROM keys" >keys.txt
  for layout in classic blocked split-8x32 split-8x64 split-16x32; do
    bloomery create -n 50000 -p 1% --layout "$layout" --seed 7 --force f.bloom keys.txt
    same_file "SELECT bloom_agg(text, 50000, 0.01, 'layout=$layout seed=7') FROM keys" f.bloom
  done
  bloomery create -n 50000 --bytes 100kB --force f.bloom keys.txt
  same_file "SELECT bloom_agg(text, 50000, NULL, 'bytes=100000') FROM keys" f.bloom
}

@test "a filter that grows is the command's file with the same keys in the same order" {
  sql "SELECT text FROM keys ORDER BY int4" >keys.txt
  bloomery create --kind scalable -n 10000 -p 1% f.bloom keys.txt
  same_file "SELECT bloom_agg(text ORDER BY int4) FROM keys" f.bloom
}

@test "a filter of another system is the command's file in that format" {
  sql "SELECT text FROM keys" >keys.txt
  bloomery create --format guava -n 50000 -p 1% f.guava keys.txt
  bloomery convert --to native f.guava f.bloom
  same_file "SELECT bloom_to(bloom_agg(text, 50000, 0.01, 'format=guava'), 'guava') FROM keys" f.guava
  same_file "SELECT bloom_from('\\x$(od -An -v -tx1 f.guava | tr -d ' \n')', 'guava')" f.bloom
}

@test "the bytes are the same with 0, 1, 2 and 4 workers" {
  local workers key plan first=
  for key in int8 text; do
    first=
    for workers in 0 1 2 4; do
      {
        echo "ALTER TABLE keys SET (parallel_workers = $workers);"
        echo "SET max_parallel_workers_per_gather = $workers; SET parallel_setup_cost = 0;"
        echo "SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;"
        echo "EXPLAIN (COSTS OFF) SELECT bloom_agg($key, 50000) FROM keys;"
        echo "\\echo ---"
        echo "SELECT md5(bloom_agg($key, 50000)::bytea), md5(bloom_union_agg(f)::bytea)
                FROM keys, LATERAL (SELECT CASE WHEN int4 % 5000 = 0 THEN bloom_add(bloom_new(99), $key) END) one(f);"
      } | script >printed
      plan=$(sed '/^---/,$d' printed)
      if [[ $workers -gt 0 ]]; then
        [[ $plan = *"Workers Planned: $workers"* && $plan = *"Partial Aggregate"* ]]
      fi
      : "${first:=$(sed '1,/^---/d' printed)}"
      [[ $(sed '1,/^---/d' printed) = "$first" && -n $first ]]
    done
  done
}

@test "a filter that grows is not made in parallel" {
  local plan
  plan=$(script <<<"SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
    EXPLAIN (COSTS OFF) SELECT bloom_agg(text) FROM keys")
  [[ $plan != *"Partial Aggregate"* ]]
}

@test "groups have filters of their own" {
  gives 't|5' "SELECT bool_and(count = 10000 AND bloom_contains(f, k) AND abs(bloom_count(f) - 10000) < 300), count(*)
    FROM (SELECT int4 % 5 AS part, count(*), bloom_agg(int4, 10000) AS f, min(int4) AS k FROM keys GROUP BY part) s"
  gives 't' "SELECT bloom_union_agg(f)::bytea = (SELECT bloom_agg(int4, 10000)::bytea FROM keys)
    FROM (SELECT bloom_agg(int4, 10000) AS f FROM keys GROUP BY int4 % 50) s"
}

@test "text, binary and bytea carry the bytes of the file" {
  sql "SELECT text FROM keys" >keys.txt
  bloomery create -n 50000 --comment 'a note' f.bloom keys.txt
  local hex
  hex=$(od -An -v -tx1 f.bloom | tr -d ' \n')
  printf '%s\n' "CREATE TABLE kept (f bloom);" "COPY kept FROM STDIN;" "\\\\x$hex" '\.' | script
  same_file "SELECT f FROM kept" f.bloom
  gives t "SELECT f::text = '\\x' || encode(f::bytea, 'hex') AND f = f::text::bloom AND f = f::bytea::bloom FROM kept"
  sql "COPY kept TO STDOUT (FORMAT binary)" >binary
  psql -XqAt -c "TRUNCATE kept; COPY kept FROM STDIN (FORMAT binary)" <binary
  same_file "SELECT f FROM kept" f.bloom
  sql "DROP TABLE kept"
}

@test "what is not a native file is refused" {
  refused 'invalid input syntax for type bloom: "hello"' "SELECT 'hello'::bloom"
  refused 'invalid hexadecimal digit' "SELECT '\\xzz'::bloom"
  refused 'ERROR' "SELECT '\\x00'::bloom"
  refused 'ERROR' "SELECT ''::bytea::bloom"
  refused 'ERROR' "SELECT substr(bloom_new(10)::bytea, 1, 4160)::bloom"
  refused 'ERROR' "SELECT set_byte(bloom_new(10)::bytea, 4100, 1)::bloom"
  refused 'ERROR' "SELECT (bloom_new(10)::bytea || '\\x00')::bloom"
}
