# Memory and interrupts.
load server

@test "a filter that would be too large is refused with a sentence, before it is made" {
  refused 'SET bloomery.max_filter_size to a larger value' "SELECT bloom_new(100000000)"
  refused 'but bloomery.max_filter_size is 64.0 MB' "SELECT bloom_new(100000000)"
  refused 'but bloomery.max_filter_size is 64.0 MB' "SELECT bloom_agg(g, 100000000) FROM generate_series(1, 3) g"
  refused 'but bloomery.max_filter_size is 1.0 MB' "SET bloomery.max_filter_size = '1MB'; SELECT bloom_agg(g) FROM generate_series(1, 1000000) g"
  refused 'A value of type bloom has at most 500 MB' "SELECT bloom_new(1000000000000)"
  gives 100000000 "SET bloomery.max_filter_size = '200MB'; SELECT bloom_info(bloom_new(100000000))->>'item_capacity'"
  refused 'outside the valid range' "LOAD 'bloomery'; SET bloomery.max_filter_size = '501MB'"
  refused 'invalid configuration parameter name "bloomery.nothing"' "LOAD 'bloomery'; SET bloomery.nothing = 1"
}

@test "a filter that is stored already can be used, dumped and loaded under any limit" {
  sql "CREATE TABLE large AS SELECT bloom_agg(g, 1000000) AS f FROM generate_series(1, 1000) g"
  gives '1000|t' "SET bloomery.max_filter_size = '64kB'; SELECT (SELECT count(*) FROM generate_series(1, 1000) g WHERE f @> g), f = f::text::bloom FROM large"
}

@test "errors and answers leak nothing" {
  script >printed <<'SQL'
CREATE TABLE many AS SELECT g, bloom_agg(k, 500000) AS f FROM generate_series(1, 2) g, generate_series(1, 10) k GROUP BY g;
CREATE PROCEDURE churn(rounds int) LANGUAGE plpgsql AS $$
DECLARE a bloom; b bloom := bloom_new(1000); refused int := 0;
BEGIN
  SELECT f INTO a FROM many WHERE g = 1;
  FOR i IN 1..rounds LOOP
    BEGIN PERFORM bloom_merge(a, b); EXCEPTION WHEN OTHERS THEN refused := refused + 1; END;
    BEGIN PERFORM bloom_agg(k::float8, 500000) FROM generate_series(1, 10) k; EXCEPTION WHEN OTHERS THEN refused := refused + 1; END;
    BEGIN PERFORM bloom_agg(k / (k - 5), 500000) FROM generate_series(1, 10) k; EXCEPTION WHEN OTHERS THEN refused := refused + 1; END;
    BEGIN PERFORM count(*) FROM many WHERE f @> (g / (g - 2)); EXCEPTION WHEN OTHERS THEN refused := refused + 1; END;
    BEGIN PERFORM bloom_to(a, 'nothing'); EXCEPTION WHEN OTHERS THEN refused := refused + 1; END;
    PERFORM bloom_info(a), bloom_count(a), bloom_add(a, i), bloom_union_agg(f) FROM many;
    PERFORM count(*) FROM many WHERE f @> i;
  END LOOP;
  IF refused <> 5 * rounds THEN RAISE '% refused', refused; END IF;
END $$;
CALL churn(20);
SELECT pg_backend_pid() \gset
\! awk '/VmRSS/ { print $2 }' /proc/$(psql -XqAt -c "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT pg_backend_pid%' AND pid <> pg_backend_pid()")/status
CALL churn(150);
SELECT pg_backend_pid() \gset
\! awk '/VmRSS/ { print $2 }' /proc/$(psql -XqAt -c "SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT pg_backend_pid%' AND pid <> pg_backend_pid()")/status
SQL
  cat printed
  local before after
  read -r before after < <(paste -sd' ' printed)
  [[ -n $before && -n $after && $((after - before)) -lt 20000 ]]
}

# cancelled STATEMENT: it ends soon after it is cancelled, in the middle
cancelled() {
  psql -XqAt -c "$1" >out 2>&1 3>&- 4>&- &
  local client=$! _ pid=
  for _ in {1..400}; do
    pid=$(sql "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND now() - query_start > '0.3 s'")
    [[ -z $pid ]] || break
    sleep 0.02
  done
  [[ -n $pid ]] || { cat out; return 1; }
  sql "SELECT pg_cancel_backend($pid)" >/dev/null
  ! wait "$client"
  grep -q 'canceling statement due to user request' out || { cat out; return 1; }
}

@test "a query can be cancelled in the middle of bloom_agg and of bloom_union_agg" {
  local rows="FROM generate_series(1, 100000) a, generate_series(1, 10000) b"
  cancelled "SELECT bloom_agg(a * 10000 + b, 40000000) $rows"
  cancelled "SELECT bloom_agg('k' || a * 10000 + b) $rows"
  cancelled "SELECT bloom_union_agg(f) FROM (SELECT bloom_new(10000000) AS f) s, generate_series(1, 100000)"
  cancelled "SELECT count(*) $rows WHERE NOT bloom_new(1000) @> a"
  gives 1 "SELECT 1"
}
