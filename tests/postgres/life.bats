# What happens to filters when databases are dumped, copied, upgraded and cleaned up.
load server

setup_file() {
  make_tree
  new_server server "wal_level = logical" "max_wal_senders = 5"
  sql "CREATE EXTENSION bloomery;
       CREATE TABLE kept (name text PRIMARY KEY, f bloom DEFAULT bloom_new(10));
       INSERT INTO kept SELECT 'n' || n, bloom_agg(g, n) FROM (VALUES (10), (1000), (100000)) v(n), generate_series(1, 100) g GROUP BY n;
       INSERT INTO kept VALUES ('null', NULL), ('default', DEFAULT);
       CREATE VIEW asked AS SELECT name FROM kept WHERE f @> 7"
}

digest() { sql "SELECT md5(string_agg(name || coalesce(md5(f::bytea), 'null'), ',' ORDER BY name)) FROM kept"; }

@test "a dump restores the same filters, as text and as an archive" {
  local before
  before=$(digest)
  pg_dump -Fp >plain.sql
  pg_dump -Fc -f archive
  sql "CREATE DATABASE plain"
  sql "CREATE DATABASE archive"
  PGDATABASE=plain psql -Xq -v ON_ERROR_STOP=1 -f plain.sql >/dev/null
  pg_restore --exit-on-error -d archive archive
  [[ $(PGDATABASE=plain digest) = "$before" ]]
  [[ $(PGDATABASE=archive digest) = "$before" ]]
  [[ $(PGDATABASE=plain sql "SELECT string_agg(name, ',' ORDER BY name) FROM asked") = "n10,n1000,n100000" ]]
  pg_dump --inserts -t kept >inserts.sql
  grep -q "INSERT INTO public.kept VALUES ('n10', '.x89424c4d" inserts.sql
}

@test "DROP EXTENSION is refused while columns depend on it, and CASCADE drops them" {
  sql "CREATE DATABASE dropped"
  pg_dump -Fc -f archive
  pg_restore -d dropped archive
  export PGDATABASE=dropped
  refused 'cannot drop extension bloomery because other objects depend on it' "DROP EXTENSION bloomery"
  sql "SET client_min_messages = warning; DROP EXTENSION bloomery CASCADE"
  gives 'name' "SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'kept'::regclass AND attnum > 0 AND NOT attisdropped"
  gives '' "SELECT proname FROM pg_proc WHERE proname LIKE 'bloom%'"
  sql "CREATE EXTENSION bloomery; ALTER TABLE kept ADD f bloom"
}

@test "an empty database drops the extension without a trace" {
  sql "CREATE DATABASE trace"
  export PGDATABASE=trace
  local before
  before=$(sql "SELECT count(*) FROM pg_depend")
  sql "CREATE EXTENSION bloomery; DROP EXTENSION bloomery"
  gives "$before" "SELECT count(*) FROM pg_depend"
}

@test "the extension can be in any schema, and be moved" {
  sql "CREATE DATABASE moved"
  export PGDATABASE=moved
  sql "CREATE SCHEMA a; CREATE SCHEMA b; CREATE EXTENSION bloomery SCHEMA a; CREATE TABLE t (f a.bloom); INSERT INTO t SELECT a.bloom_agg(g, 100) FROM generate_series(1, 100) g"
  sql "ALTER EXTENSION bloomery SET SCHEMA b"
  gives 100 "SELECT count(*) FROM t, generate_series(1, 100) g WHERE f OPERATOR(b.@>) g AND b.bloom_contains(f, g)"
}

@test "it lives beside the access method bloom, and in the same query" {
  sql "CREATE DATABASE beside"
  export PGDATABASE=beside
  sql "CREATE EXTENSION bloom; CREATE EXTENSION bloomery;
       CREATE TABLE t AS SELECT g AS a, g % 10 AS b FROM generate_series(1, 1000) g;
       CREATE INDEX ON t USING bloom (a, b); SET enable_seqscan = off; SET client_min_messages = warning"
  gives 1 "SET enable_seqscan = off; SELECT count(*) FROM t WHERE a = 7 AND b = 7 AND (SELECT bloom_agg(a, 1000) FROM t) @> a"
  sql "DROP EXTENSION bloom CASCADE" 2>/dev/null
  gives 1000 "SELECT count(*) FROM t WHERE (SELECT bloom_agg(a, 1000) FROM t) @> a"
}

@test "logical replication carries filters, in text and binary, with and without a primary key" {
  local mode
  sql "CREATE TABLE bare (f bloom, n int); ALTER TABLE bare REPLICA IDENTITY FULL; CREATE PUBLICATION p FOR TABLE kept, bare"
  for mode in false true; do
    sql "CREATE DATABASE copy_$mode"
    PGDATABASE=copy_$mode sql "CREATE EXTENSION bloomery; CREATE TABLE kept (name text PRIMARY KEY, f bloom); CREATE TABLE bare (f bloom, n int)"
    sql "SELECT pg_create_logical_replication_slot('s_$mode', 'pgoutput')" >/dev/null
    PGDATABASE=copy_$mode sql "CREATE SUBSCRIPTION s_$mode CONNECTION 'host=$PGHOST user=tester dbname=postgres'
      PUBLICATION p WITH (create_slot = false, slot_name = 's_$mode', binary = $mode)"
  done
  sql "INSERT INTO bare SELECT bloom_add(bloom_new(10), g), g FROM generate_series(1, 3) g;
       UPDATE kept SET f = bloom_add(f, 'more') WHERE f IS NOT NULL;
       UPDATE bare SET f = bloom_add(f, 'more') WHERE n = 2; DELETE FROM bare WHERE n = 3"
  local wanted _
  wanted=$(digest)
  for mode in false true; do
    for _ in {1..200}; do
      [[ $(PGDATABASE=copy_$mode sql "SELECT count(*) FROM bare WHERE n = 2 AND f @> 'more'") != 1 ]] || break
      sleep 0.05
    done
    for _ in {1..200}; do
      [[ $(PGDATABASE=copy_$mode digest) != "$wanted" ]] || break
      sleep 0.05
    done
    [[ $(PGDATABASE=copy_$mode digest) = "$wanted" ]]
    [[ $(PGDATABASE=copy_$mode sql "SELECT count(*), bool_and(f @> n) FROM bare") = '2|t' ]]
    PGDATABASE=copy_$mode sql "DROP SUBSCRIPTION s_$mode" 2>/dev/null
  done
}

@test "a later version can be installed beside this one, and be upgraded to" {
  local folder=$SHARE/extension
  echo "CREATE FUNCTION bloom_later() RETURNS int LANGUAGE sql AS 'SELECT 7';" >"$folder/bloomery--0.1--0.2.sql"
  sql "CREATE DATABASE later"
  export PGDATABASE=later
  sql "CREATE EXTENSION bloomery; CREATE TABLE t (f bloom); INSERT INTO t VALUES (bloom_add(bloom_new(10), 7))"
  gives '0.1' "SELECT extversion FROM pg_extension WHERE extname = 'bloomery'"
  sql "ALTER EXTENSION bloomery UPDATE TO '0.2'"
  gives '0.2|7|t' "SELECT extversion, bloom_later(), (SELECT f @> 7 FROM t) FROM pg_extension WHERE extname = 'bloomery'"
  rm "$folder/bloomery--0.1--0.2.sql"
}

@test "filters survive a crash of the server" {
  local before
  before=$(digest)
  stop_server server
  start_server server
  [[ $(digest) = "$before" ]]
}
