# A filter is decoded once and used for many rows. It must never be that of another row: a stale
# filter would say "no" for a key that is in. All filters here have the same size.
load server

setup_file() {
  make_tree
  new_server server
  sql "CREATE EXTENSION bloomery;
       CREATE TABLE filters AS SELECT part, bloom_agg(part * 1000 + g, 1000, 1e-9) AS f
         FROM generate_series(0, 39) part, generate_series(0, 999) g GROUP BY part ORDER BY part;
       CREATE TABLE keys AS SELECT part * 1000 + g AS k, part FROM generate_series(0, 39) part, generate_series(0, 999, 10) g;
       ANALYZE"
}

@test "a column of filters: each row is asked its own" {
  gives '4000|0' "SELECT count(*) FILTER (WHERE f @> k), count(*) FILTER (WHERE f @> (k + 100000)) FROM filters JOIN keys USING (part)"
  gives '160000|4000' "SELECT count(*), count(*) FILTER (WHERE f @> k) FROM filters, keys"
  gives '4000' "SELECT count(*) FROM (SELECT * FROM filters, keys ORDER BY md5(k::text || filters.part)) s WHERE f @> k"
}

@test "whatever plan joins them" {
  local method
  for method in nestloop hashjoin mergejoin; do
    gives 4000 "SET enable_nestloop = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_$method = on;
      SELECT count(*) FROM filters JOIN keys USING (part) WHERE f @> k"
  done
}

@test "filters that are not stored yet: results of functions, arrays, rows and subqueries" {
  sql "CREATE TABLE few AS SELECT * FROM keys WHERE k % 100 = 0"
  gives 400 "SELECT count(*) FROM few k JOIN (SELECT part, bloom_merge(f, f) AS f FROM filters) s USING (part) WHERE f @> k"
  gives 400 "SELECT count(*) FROM few k, (SELECT array_agg(f ORDER BY part) AS fs FROM filters) s WHERE fs[part + 1] @> k"
  gives 400 "SELECT count(*) FROM few k WHERE (SELECT f FROM filters WHERE filters.part = k.part) @> k.k"
  gives 400 "SELECT count(*) FROM few k WHERE (SELECT bloom_union_agg(f) FROM filters WHERE filters.part = k.part) @> k.k"
  gives 0 "SELECT count(*) FROM few k WHERE (SELECT f FROM filters WHERE filters.part = (k.part + 1) % 40) @> k.k"
  gives 400 "SELECT count(*) FROM few k WHERE (SELECT bloom_agg(x, 1000, 1e-9) FROM generate_series(part * 1000, part * 1000 + 999) x) @> k.k"
}

@test "a subquery that runs again for each outer row, at the same address" {
  gives '40|4000' "SELECT count(*), sum(n) FROM (SELECT p, (SELECT count(*) FROM keys
      WHERE part = p AND (SELECT f FROM filters WHERE part = p OFFSET 0) @> k) AS n FROM generate_series(0, 39) p) s"
  gives '40|4000' "SELECT count(*), sum(n) FROM generate_series(0, 39) p, LATERAL (SELECT count(*) AS n FROM keys
      WHERE (SELECT bloom_union_agg(f) FROM filters WHERE part = p) @> k) s"
}

@test "variables of PL/pgSQL, in simple expressions and in queries" {
  script <<'SQL'
DO $$
DECLARE
  filter bloom; p int; n bigint; hits bigint := 0;
BEGIN
  FOR p IN 0..39 LOOP
    SELECT f INTO filter FROM filters WHERE part = p;
    FOR i IN 0..999 BY 50 LOOP
      IF NOT filter @> p * 1000 + i THEN RAISE 'stored: wrong no for % in %', i, p; END IF;
      IF filter @> -(p * 1000 + i + 1) THEN hits := hits + 1; END IF;
    END LOOP;
    filter := bloom_merge(filter, filter);              -- the same in memory
    FOR i IN 0..999 BY 50 LOOP
      IF NOT bloom_contains(filter, p * 1000 + i) THEN RAISE 'in memory: wrong no for % in %', i, p; END IF;
    END LOOP;
    SELECT count(*) INTO n FROM keys WHERE part = p AND filter @> k;
    IF n <> 100 THEN RAISE 'query: % of 100 in %', n, p; END IF;
  END LOOP;
  IF hits > 5 THEN RAISE '% false positives of 800', hits; END IF;
  filter := bloom_new(1000, 1e-9);
  FOR i IN 1..200 LOOP
    filter := bloom_add(filter, i);
    IF NOT filter @> i OR filter @> i + 1 AND filter @> i + 2 THEN RAISE 'while it is filled: %', i; END IF;
  END LOOP;
END $$;
SQL
}

@test "a function that is called with other filters" {
  script <<'SQL'
CREATE FUNCTION asks(filter bloom, key int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN filter @> key; END $$;
CREATE FUNCTION asks_sql(filter bloom, key int) RETURNS boolean LANGUAGE sql VOLATILE AS $$ SELECT filter @> key $$;
SQL
  gives '4000|4000' "SELECT count(*) FILTER (WHERE asks(f, k)), count(*) FILTER (WHERE asks_sql(f, k)) FROM filters JOIN keys USING (part)"
  gives '0|0' "SELECT count(*) FILTER (WHERE asks(f, k)), count(*) FILTER (WHERE asks_sql(f, k)) FROM filters, keys WHERE filters.part = (keys.part + 1) % 40"
}

@test "a prepared statement with other parameters, also as a generic plan" {
  local mode
  for mode in force_custom_plan force_generic_plan; do
    {
      echo "SET plan_cache_mode = $mode; PREPARE ask (bloom, int) AS SELECT count(*) FROM keys WHERE part = \$2 AND \$1 @> k;"
      echo "SELECT format('EXECUTE ask(%L, %s)', f, part) FROM filters ORDER BY part \\gexec"
    } | script | sort | uniq -c >printed
    [[ $(<printed) = *" 40 100" ]]
  done
}

@test "a row that changes, in one session" {
  {
    echo "CREATE TABLE one (f bloom); INSERT INTO one SELECT bloom_new(1000, 1e-9);"
    echo "PREPARE ask (int) AS SELECT f @> \$1 FROM one;"
    for i in {1..20}; do
      echo "UPDATE one SET f = bloom_add(f, $i); EXECUTE ask($i); BEGIN; SAVEPOINT s; UPDATE one SET f = bloom_new(1000, 1e-9); EXECUTE ask($i); ROLLBACK TO s; EXECUTE ask($i); COMMIT;"
    done
  } | script | paste -sd' ' >printed
  [[ $(<printed) = "$(yes 't f t' | head -20 | paste -sd' ')" ]]
}

@test "a row that changes while a procedure runs, and is taken back" {
  script <<'SQL'
CREATE TABLE mine (f bloom);
INSERT INTO mine SELECT bloom_new(1000, 1e-9);
CREATE PROCEDURE goes_on() LANGUAGE plpgsql AS $$
DECLARE filter bloom;
BEGIN
  FOR i IN 1..50 LOOP
    UPDATE mine SET f = bloom_add(f, i);
    SELECT f INTO filter FROM mine;
    IF NOT filter @> i THEN RAISE 'wrong no for %', i; END IF;
    BEGIN
      UPDATE mine SET f = bloom_new(1000, 1e-9);
      SELECT f INTO filter FROM mine;
      IF filter @> i THEN RAISE 'stale yes for %', i; END IF;
      RAISE division_by_zero;
    EXCEPTION WHEN division_by_zero THEN NULL;
    END;
    SELECT f INTO filter FROM mine;
    IF NOT filter @> i THEN RAISE 'wrong no for % afterwards', i; END IF;
    IF i % 10 = 0 THEN COMMIT; END IF;
  END LOOP;
END $$;
CALL goes_on();
SQL
}

@test "cursors, and parallel workers" {
  script <<'SQL' | paste -sd' ' >printed
BEGIN;
DECLARE a CURSOR FOR SELECT f @> k FROM filters JOIN keys USING (part) ORDER BY k;
DECLARE b CURSOR FOR SELECT f @> k FROM filters, keys WHERE filters.part = 39 - keys.part ORDER BY k;
FETCH 3 FROM a; FETCH 3 FROM b; FETCH 2 FROM a; FETCH 2 FROM b;
COMMIT;
SQL
  [[ $(<printed) = "t t t f f f t t f f" ]]
  gives 4000 "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
    SELECT count(*) FROM filters JOIN keys USING (part) WHERE f @> k"
}

@test "values that are compressed in their row" {
  sql "CREATE TABLE small (part int, f bloom); ALTER TABLE small ALTER f SET STORAGE extended;
       INSERT INTO small SELECT part, bloom_agg(part * 1000 + g, 20, 1e-9) FROM generate_series(0, 39) part, generate_series(0, 9) g GROUP BY part"
  gives t "SELECT max(pg_column_size(f)) < 2000 FROM small"
  gives '400|400' "SELECT count(*), count(*) FILTER (WHERE f @> part * 1000 + g) FROM small, generate_series(0, 9) g"
  gives 0 "SELECT count(*) FROM small, generate_series(0, 9) g WHERE f @> (part * 1000 + 500 + g)"
}
