# Values of SQL as keys.
load server

@test "text of any type is the same key" {
  gives 't|t|t|t|t' "SELECT f @> 'ab'::text, f @> 'ab'::varchar, f @> 'ab'::char(5), f @> 'ab'::name, f @> 'ab'::bytea
    FROM (SELECT bloom_add(bloom_new(10, 1e-9), 'ab') AS f) s"
  sql "CREATE DOMAIN word AS text CHECK (value <> ''); CREATE DOMAIN number AS int"
  gives 't|t' "SELECT bloom_add(bloom_new(10, 1e-9), 'ab') @> 'ab'::word, bloom_agg(7::number, 10, 1e-9) @> 7::bigint"
}

@test "integers of any width are the same key, and not that of their digits" {
  gives 't|t|t|f' "SELECT f @> (-7)::smallint, f @> -7, f @> (-7)::bigint, f @> '-7'
    FROM (SELECT bloom_add(bloom_new(10, 1e-9), -7) AS f) s"
}

@test "an instant is one key in every time zone, as in Python" {
  gives 't|t' "SELECT f @> '2024-05-01 00:00+00'::timestamptz, f @> 1714521600000000
    FROM (SELECT bloom_add(bloom_new(10, 1e-9), '2024-05-01 02:00+02'::timestamptz) AS f) s"
  refused 'infinity cannot be a key' "SELECT bloom_add(bloom_new(10), 'infinity'::timestamptz)"
}

@test "long, compressed and stored keys are keys like others" {
  sql "CREATE TABLE long (id int, k text)"
  sql "INSERT INTO long SELECT g, repeat('x', g * 40) FROM generate_series(1, 500) g"
  sql "INSERT INTO long SELECT g, (SELECT string_agg(md5(g::text || i), '') FROM generate_series(1, 300) i) FROM generate_series(501, 520) g"
  gives '520|0' "SELECT count(*) FILTER (WHERE f @> k), count(*) FILTER (WHERE f @> (k || '!')) FROM long, (SELECT bloom_agg(k, 520, 1e-9) AS f FROM long) s"
  gives '520' "SELECT count(*) FROM long, (SELECT bloom_agg(k || '', 520, 1e-9) AS f FROM long) s WHERE f @> k"
}

@test "other types are refused with what to do" {
  refused 'a value of type numeric cannot be a key of a filter' "SELECT bloom_new(10) @> 1.5"
  refused 'Cast the key to bigint or text' "SELECT bloom_new(10) @> 1.5::float8"
  refused 'Cast the key to timestamptz or text' "SELECT bloom_contains(bloom_new(10), now()::timestamp)"
  refused 'Cast the key to text, bytea, bigint, uuid or timestamptz' "SELECT bloom_agg(true, 10)"
  refused 'a value of type integer[] cannot be a key' "SELECT bloom_add(bloom_new(10), ARRAY[1])"
}

@test "text of a database in another encoding is hashed as UTF-8" {
  sql "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'"
  local in_utf8 in_latin
  in_utf8=$(sql "CREATE TABLE umlauts AS SELECT 'k' || chr(192 + g) || 'ö' AS k, g AS i FROM generate_series(0, 60) g;
    SELECT md5(bloom_agg(k, 100)::bytea) FROM umlauts")
  PGDATABASE=latin sql "CREATE EXTENSION bloomery"
  in_latin=$(PGDATABASE=latin PGCLIENTENCODING=UTF8 sql "SELECT md5(bloom_agg(k, 100)::bytea) FROM (SELECT 'k' || chr(192 + g) || 'ö' AS k FROM generate_series(0, 60) g) s")
  [[ $in_utf8 = "$in_latin" ]]
  [[ $(PGDATABASE=latin PGCLIENTENCODING=UTF8 sql "SELECT bloom_add(bloom_new(10, 1e-9), 'ö') @> '\\xc3b6'::bytea") = t ]]
}
