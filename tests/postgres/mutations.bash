# Damaged filters through the functions: an error or an answer, and the server goes on.
# mutate COUNT: prints how many calls were answered and refused, and how many kilobytes the server took
load_mutations() {
  sql "CREATE FUNCTION mutated(bytea, bigint) RETURNS bloom AS '$BLOOMERY_BUILD/postgres/bloomery_mutate' LANGUAGE C STRICT"
  script <<'SQL'
CREATE TABLE seeds (id int, f bloom, file bytea);
INSERT INTO seeds SELECT row_number() OVER () - 1, f, f::bytea FROM (
  SELECT bloom_agg(g, 100, 0.01, 'layout=' || l) FROM generate_series(1, 50) g, unnest('{classic,blocked,split-8x32,split-8x64,split-16x32}'::text[]) l GROUP BY l
  UNION ALL SELECT bloom_add(bloom_add(bloom_new(50, 0.01, 'kind=' || k), 7), 'seven') FROM unnest('{counting,spectral,dynamic-count,dleft,accurate,scalable,window}'::text[]) k
  UNION ALL SELECT bloom_agg(g) FROM generate_series(1, 100) g
  UNION ALL SELECT bloom_agg(g, 100, 0.01, 'format=guava') FROM generate_series(1, 50) g
) s(f);
CREATE PROCEDURE mutate(count bigint, first bigint) LANGUAGE plpgsql AS $$
DECLARE
  files bytea[]; filters bloom[]; v bloom; o bloom; answers bigint := 0; refusals bigint := 0;
  n int; b boolean; j jsonb; m bloom; kept int := 0;
BEGIN
  SELECT array_agg(file ORDER BY id), array_agg(f ORDER BY id), count(*) INTO files, filters, n FROM seeds;
  FOR i IN first .. first + count - 1 LOOP
    v := mutated(files[1 + i % n], i);
    o := filters[1 + i % n];
    BEGIN b := bloom_contains(v, i); answers := answers + 1;
    EXCEPTION WHEN OTHERS THEN refusals := refusals + 1; END;
    BEGIN j := bloom_info(v); answers := answers + 1;
    EXCEPTION WHEN OTHERS THEN refusals := refusals + 1; END;
    BEGIN m := CASE WHEN i % 2 = 0 THEN bloom_merge(v, o) ELSE bloom_merge(o, v) END; answers := answers + 1; kept := kept + 1;
    EXCEPTION WHEN OTHERS THEN refusals := refusals + 1; END;
    IF i % 16 = 0 THEN
      BEGIN v := v::bytea::bloom; EXCEPTION WHEN OTHERS THEN refusals := refusals + 1; END;
      BEGIN m := bloom_add(bloom_intersect(o, v), 'x'); b := bloom_fpp(v, i) > bloom_fpp(v) OR bloom_count(v) > 0; EXCEPTION WHEN OTHERS THEN refusals := refusals + 1; END;
    END IF;
  END LOOP;
  RAISE INFO 'answered % refused % merged %', answers, refusals, kept;
END $$;
SQL
}

# mutate COUNT: fails if the server ended, or took more memory with every filter
mutate() {
  local before after pid
  {
    echo "CALL mutate(2000, 1); SELECT pg_backend_pid();"
    echo "\\! awk '/VmRSS/ { print \$2 }' /proc/\$(psql -XqAt -c \"SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_backend_pid();' AND pid <> pg_backend_pid()\")/status"
    echo "CALL mutate($1, 1); SELECT pg_backend_pid();"
    echo "\\! awk '/VmRSS/ { print \$2 }' /proc/\$(psql -XqAt -c \"SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_backend_pid();' AND pid <> pg_backend_pid()\")/status"
  } | script >printed 2>told
  cat told printed
  read -r pid before pid after < <(paste -sd' ' printed)
  echo "process $pid: $before kB, then $after kB"
  [[ $((after - before)) -lt 40000 ]]
  ! grep -q 'terminated by signal' "$TREE/server.log"
  [[ $(tail -1 told) =~ answered\ ([0-9]+)\ refused\ ([0-9]+)\ merged\ ([0-9]+) ]]
  # Both happen often, so the filters are neither all destroyed nor all whole.
  [[ ${BASH_REMATCH[1]} -gt $(($1 / 10)) && ${BASH_REMATCH[2]} -gt $(($1 / 10)) && ${BASH_REMATCH[3]} -gt $(($1 / 100)) ]]
}
