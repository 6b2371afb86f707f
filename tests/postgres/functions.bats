# Each function, and what it makes of NULL and of what cannot be.
load server

@test "bloom_contains and the operators agree" {
  sql "CREATE TABLE words AS SELECT 'w' || g AS w, g AS i FROM generate_series(1, 1000) g"
  gives '1000|1000|1000|1000' "SELECT count(*) FILTER (WHERE bloom_contains(f, w)), count(*) FILTER (WHERE f @> w),
    count(*) FILTER (WHERE w <@ f), count(*) FILTER (WHERE bloom_contained_in(w, f))
    FROM words, (SELECT bloom_agg(w, 1000) AS f FROM words) s"
  gives '1000|1000|0|0' "SELECT count(*) FILTER (WHERE f @> i), count(*) FILTER (WHERE i <@ f),
    count(*) FILTER (WHERE f @> -i), count(*) FILTER (WHERE f @> i::text)
    FROM words, (SELECT bloom_agg(i, 1000, 1e-9) AS f FROM words) s"
  gives 't|f' "SELECT bloom_contains(bloom_add(bloom_new(10, 1e-9), 'apple'), 'apple'),
                      bloom_contains(bloom_add(bloom_new(10, 1e-9), 'apple'), 'pear')"
  gives 't|t' "SELECT bloom_add(bloom_new(10), 'x') @> 'x', 'x' <@ bloom_add(bloom_new(10), 'x')"
}

@test "bloom_add, bloom_merge, bloom_intersect and bloom_union_agg are those of the keys" {
  gives t "SELECT bloom_add(bloom_add(bloom_new(10), 1), 2) = bloom_agg(g, 10) FROM generate_series(1, 2) g"
  gives t "SELECT bloom_merge(a, b) = c FROM (SELECT bloom_agg(g, 100) FILTER (WHERE g < 50) AS a,
    bloom_agg(g, 100) FILTER (WHERE g >= 50) AS b, bloom_agg(g, 100) AS c FROM generate_series(1, 100) g) s"
  gives '10|t' "SELECT count(*) FILTER (WHERE f @> g), bool_and(f @> g OR g NOT BETWEEN 41 AND 50)
    FROM generate_series(1, 100) g,
    (SELECT bloom_intersect(bloom_agg(k, 100, 1e-6) FILTER (WHERE k <= 50), bloom_agg(k, 100, 1e-6) FILTER (WHERE k > 40)) AS f
     FROM generate_series(1, 100) k) s"
  gives t "SELECT bloom_union_agg(f) = (SELECT bloom_agg(g, 100) FROM generate_series(1, 100) g)
    FROM (SELECT bloom_agg(g, 100) AS f FROM generate_series(1, 100) g GROUP BY g % 7) s"
  refused 'ERROR' "SELECT bloom_merge(bloom_new(10), bloom_new(10000))"
  refused 'ERROR' "SELECT bloom_union_agg(f) FROM (VALUES (bloom_new(10)), (bloom_new(10000))) s(f)"
}

@test "bloom_count, bloom_fpp and bloom_info describe a filter" {
  gives 't|t|t' "SELECT abs(bloom_count(f) - 5000) < 200, bloom_fpp(f) < 0.01, bloom_fpp(f, 20000) > 0.01
    FROM (SELECT bloom_agg(g, 10000) AS f FROM generate_series(1, 5000) g) s"
  gives 'bloom|10000|0.01' "SELECT i->>'kind', i->>'item_capacity', i->>'target_rate' FROM bloom_info(bloom_new(10000)) i"
  gives '' "SELECT bloom_count(bloom_agg(g, 1, 0.5)) FROM generate_series(1, 100000) g"
  refused 'must not be negative' "SELECT bloom_fpp(bloom_new(10), -1)"
}

@test "bloom_plan is what the command plans" {
  local bytes
  bytes=$(bloomery plan -n 1M -p 0.1% --json | jq '.bytes // .filter.bytes')
  gives "1000000|0.001|split-8x64|$bytes|t" "SELECT n, p, layout, bytes, expected_fpp <= 0.001 FROM bloom_plan(1000000, 0.001)"
  gives t "SELECT (bloom_info(bloom_new(1000))->>'bytes')::bigint = bytes FROM bloom_plan(1000)"
}

@test "bloom_to and bloom_from convert to and from formats of other systems" {
  gives 't' "SELECT bloom_from(bloom_to(f, 'guava')) @> 'apple' FROM (SELECT bloom_add(bloom_new(100, 0.01, 'format=guava'), 'apple') AS f) s"
  gives 't' "SELECT bloom_to(bloom_from(g, 'guava'), 'guava') = g
    FROM (SELECT bloom_to(bloom_add(bloom_new(100, 0.01, 'format=guava'), 'apple'), 'guava') AS g) s"
  gives 't' "SELECT bloom_from(bloom_to(f, 'native')) = f FROM (SELECT bloom_add(bloom_new(100), 'apple') AS f) s"
  gives '\x2a00000000000000' "SELECT bloom_key(42, 'i64le')"
  gives '\x4100' "SELECT bloom_key('A', 'utf16le')"
  refused 'ERROR' "SELECT bloom_to(bloom_new(10), 'nothing')"
  refused 'ERROR' "SELECT bloom_from('\\x0102', 'guava')"
  refused 'ERROR' "SELECT bloom_key('A', 'nothing')"
}

@test "kinds that count and grow can be made, filled and merged" {
  gives 'counting|3' "SELECT bloom_info(f)->>'kind', bloom_count(f)
    FROM (SELECT bloom_add(bloom_add(bloom_add(bloom_new(100, 0.01, 'kind=counting'), 1), 2), 3) AS f) s"
  gives 'scalable' "SELECT bloom_info(bloom_agg(g))->>'kind' FROM generate_series(1, 10) g"
}

@test "options alone make any kind, which is not made in parallel" {
  gives 't|0.001' "SELECT bloom_agg(g, '') = bloom_agg(g), bloom_info(bloom_agg(g, 'rate=0.001'))->>'target_rate' FROM generate_series(1, 100) g"
  gives t "SELECT bloom_agg(g, 'items=100 rate=0.001 seed=3') = bloom_agg(g, 100, 0.001, 'seed=3') FROM generate_series(1, 100) g"
  gives 'counting|window' "SELECT bloom_info(bloom_agg(g, 'kind=counting items=10'))->>'kind', bloom_info(bloom_agg(g, 'kind=window items=10'))->>'kind'
    FROM generate_series(1, 10) g"
  refused 'a filter of the kind "window" cannot be made in parallel' "SELECT bloom_agg(g, 10, 0.01, 'kind=window') FROM generate_series(1, 10) g"
  gives t "SELECT bloom_agg(g, NULL) = bloom_agg(g) FROM generate_series(1, 100) g"
  refused 'the number of keys must not be null' "SELECT bloom_agg(g, NULL::bigint) FROM generate_series(1, 10) g"
  gives t "SELECT bloom_agg(g, 100, NULL) = bloom_agg(g, 100) FROM generate_series(1, 100) g"
}

@test "keys of other systems are encoded as they do it" {
  gives 't|f|t|t' "SELECT bloom_contains(f, 42, 'i64le'), bloom_contains(f, 42, 'i64be'), f @> bloom_key(42, 'i64le'), bloom_contains(f, 'ö', 'utf16le')
    FROM (SELECT bloom_add(bloom_add(bloom_new(100, 1e-6, 'format=guava'), 42, 'i64le'), 'ö', 'utf16le') AS f) s"
  gives t "SELECT bloom_agg(bloom_key(g, 'i64le'), 100, 0.01, 'format=guava') = bloom_add(bloom_add(bloom_new(100, 0.01, 'format=guava'), 1, 'i64le'), 2, 'i64le')
    FROM generate_series(1, 2) g"
  refused 'ERROR' "SELECT bloom_contains(bloom_new(10), 'x', 'i64le')"
}

@test "null is ignored by aggregates, and gives null elsewhere" {
  gives '|||' "SELECT bloom_contains(NULL, 1), bloom_contains(bloom_new(10), NULL::int), bloom_add(NULL, 1), bloom_merge(NULL, bloom_new(10))"
  gives t "SELECT bloom_agg(k, 10) = bloom_add(bloom_new(10), 1) FROM (VALUES (NULL), (1), (NULL)) v(k)"
  gives '|' "SELECT bloom_agg(k, 10), bloom_agg(k) FROM (SELECT NULL::int WHERE false) v(k)"
  gives '|' "SELECT bloom_agg(k, 10), bloom_union_agg(NULL) FROM (VALUES (NULL::int)) v(k)"
  gives t "SELECT coalesce(bloom_agg(k, 10), bloom_new(10)) = bloom_new(10) FROM (SELECT 1 WHERE false) v(k)"
  gives t "SELECT bloom_agg(k, 0) = bloom_new(1) IS NULL FROM (SELECT 1 WHERE false) v(k)"
}

@test "arguments that cannot be are refused with a sentence" {
  refused 'the number of keys must not be negative' "SELECT bloom_new(-1)"
  refused 'the false-positive rate must be between 0 and 1, not 2' "SELECT bloom_new(10, 2)"
  refused 'the false-positive rate must be between 0 and 1, not NaN' "SELECT bloom_new(10, 'NaN')"
  refused 'unknown option "colour"' "SELECT bloom_new(10, 0.01, 'colour=blue')"
  refused 'needs a number, not "red"' "SELECT bloom_new(10, 0.01, 'seed=red')"
  refused 'ERROR' "SELECT bloom_new(10, 0.01, 'layout=round')"
}

@test "equal filters are one, for DISTINCT, groups and hash joins" {
  gives '2' "SELECT count(*) FROM (SELECT DISTINCT bloom_add(bloom_new(10), g % 2) AS f FROM generate_series(1, 100) g) s"
  gives '2' "SELECT count(*) FROM (SELECT f FROM (SELECT bloom_add(bloom_new(10), g % 2) AS f FROM generate_series(1, 100) g) s GROUP BY f) t"
  gives 't|f' "SELECT bloom_new(10) = bloom_new(10), bloom_new(10) <> bloom_new(10)"
}
