#!/usr/bin/env bash
# Filters in PostgreSQL: what a question costs per row, and what filters replace.
#
# usage: postgres.sh [ROWS [ROUNDS]]      default: 10,000,000 rows, 5 rounds
#
# It starts a PostgreSQL of its own and prints minimum and median of the rounds, in which the statements take turns: the
# time that passed, and the processor time of the session, which other programs on the machine change less.
# ./dev build and ./dev sql must have been run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rows=${1:-10000000}
rounds=${2:-5}
BATS_TEST_DIRNAME=$PWD/tests/postgres
bats_require_minimum_version() { :; }
# shellcheck source=../tests/postgres/server.bash
source tests/postgres/server.bash
make_tree
trap end_tree EXIT
new_server server "shared_buffers = 3GB" "work_mem = 1GB" "max_wal_size = 10GB" "jit = off" \
  "checkpoint_timeout = 1h" "max_parallel_workers_per_gather = 0"

echo "making $rows rows..." >&2
sql "CREATE EXTENSION bloomery;
  CREATE TABLE keys AS SELECT (g * 735632791) % 1000000007 AS k FROM generate_series(1, $rows::bigint) g;
  CREATE TABLE rows AS SELECT CASE WHEN g % 10 = 0 THEN (g * 735632791) % 1000000007 ELSE -g END AS k, 'key ' || g AS t
    FROM generate_series(1, $rows::bigint) g;
  CREATE TABLE filters AS SELECT bloom_agg(k, $rows) AS f, bloom_agg('key ' || k, $rows) AS t FROM keys;
  CREATE TABLE small AS SELECT bloom_agg(k, 10000) AS f FROM (SELECT k FROM keys LIMIT 10000) s"
sql "VACUUM (ANALYZE, FREEZE)"

declare -A statement=(
  [0 plain scan of the keys]="SELECT count(*) FROM keys"
  [1 plain scan]="SELECT count(*) FROM rows"
  [2 scan with k <> 0]="SELECT count(*) FROM rows WHERE k <> 0"
  [3 scan with small filter @> k]="SELECT count(*) FROM rows WHERE (SELECT f FROM small) @> k"
  [4 scan with filter @> k]="SELECT count(*) FROM rows WHERE (SELECT f FROM filters) @> k"
  [5 scan with filter @> text]="SELECT count(*) FROM rows WHERE (SELECT t FROM filters) @> t"
  [6 hash semi-join]="SELECT count(*) FROM rows WHERE k IN (SELECT k FROM keys)"
  [7 filter, then hash semi-join]="SELECT count(*) FROM rows WHERE (SELECT f FROM filters) @> k AND k IN (SELECT k FROM keys)"
  [8 bloom_agg]="SELECT length(bloom_agg(k, $rows)::bytea) FROM keys"
  [8t bloom_agg of text]="SELECT length(bloom_agg(t, $rows)::bytea) FROM rows"
  [9t count DISTINCT of text]="SELECT count(DISTINCT t) FROM rows"
  [9 count DISTINCT]="SELECT count(DISTINCT k) FROM keys"
  [A bloom_agg that grows]="SELECT length(bloom_agg(k)::bytea) FROM keys"
  [B bloom_agg, 2 workers]="SET max_parallel_workers_per_gather = 2; SELECT length(bloom_agg(k, $rows)::bytea) FROM keys"
  [C scan with filter @> k, 2 workers]="SET max_parallel_workers_per_gather = 2; SELECT count(*) FROM rows WHERE (SELECT f FROM filters) @> k"
)
mapfile -t names < <(printf '%s\n' "${!statement[@]}" | sort)

for ((round = 0; round < rounds; ++round)); do
  for name in "${names[@]}"; do
    printf '%s\n' "SET log_statement_stats = on; SET client_min_messages = log;" "${statement[$name]};" | psql -Xq 2>&1 |
      sed -nE 's/^!\s+([0-9.]+) s user, ([0-9.]+) s system, ([0-9.]+) s elapsed.*/\1\t\2\t\3/p' | tail -1 | sed "s/^/$name\t/"
  done
done | awk -F'\t' -v rows="$rows" '
  { spent[$1] = spent[$1] " " ($2 + $3) * 1000; passed[$1] = passed[$1] " " $4 * 1000 }
  function ordered(list, n, i, j, x) {
    n = split(list, t, " ")
    for (i = 2; i <= n; ++i) for (j = i; j > 1 && t[j] + 0 < t[j - 1] + 0; --j) { x = t[j]; t[j] = t[j - 1]; t[j - 1] = x }
    return n
  }
  END {
    printf "%-36s %9s %9s %9s %9s %9s\n", " ", "min ms", "median", "CPU min", "median", "CPU ns/row"
    for (name in passed) {
      n = ordered(passed[name]); low = t[1]; middle = t[int((n + 1) / 2)]
      n = ordered(spent[name])
      printf "%-36s %9.0f %9.0f %9.0f %9.0f %9.1f\n", name, low, middle, t[1], t[int((n + 1) / 2)], t[1] * 1e6 / rows | "sort"
    }
  }'
sql "SELECT 'filter: ' || pg_size_pretty(pg_column_size(f)::bigint) FROM filters"
sql "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${statement[6 hash semi-join]}" | grep -E 'Buckets|Memory' || true
lscpu | sed -n 's/^Model name: *//p'
