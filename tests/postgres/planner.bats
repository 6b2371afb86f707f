# What the planner knows about filters.
load server

setup_file() {
  make_tree
  new_server server
  sql "CREATE EXTENSION bloomery;
       CREATE TABLE rows AS SELECT g AS k, 'text ' || g AS t FROM generate_series(1, 100000) g; ANALYZE rows;
       CREATE FUNCTION slow(text) RETURNS boolean LANGUAGE plpgsql COST 100 AS \$\$ BEGIN RETURN true; END \$\$"
}

# filter_line WHERE: the quals of the scan in the order in which they are tested
filter_line() { sql "EXPLAIN (COSTS OFF) SELECT * FROM rows WHERE $1" | grep 'Filter: '; }

@test "a filter is asked before quals that cost more, wherever it is written" {
  local f="(SELECT bloom_agg(1, 10))" where
  for where in "slow(t) AND $f @> k" "t ~ 'x.*y' AND $f @> k" "t LIKE '%9%' AND bloom_contains($f, k)" "slow(t) AND k <@ $f"; do
    [[ $(filter_line "$where") =~ Filter:\ \(*(bloom_contains|bloom_contained_in|\(?\$0\ @\>|k\ \<@) ]] || { filter_line "$where"; return 1; }
  done
}

# estimated WHERE: the rows that the planner expects
estimated() { script <<<"EXPLAIN SELECT * FROM rows WHERE $1" | sed -n '1s/.*rows=\([0-9]*\).*/\1/p'; }

@test "the number of rows follows from the keys and the rate of a constant filter" {
  local f where rows
  f=$(sql "SELECT bloom_agg(g, 1000) FROM generate_series(1, 1000) g")
  for where in "'$f'::bloom @> k" "k <@ '$f'::bloom" "bloom_contains('$f', k)" "bloom_contained_in(k, '$f')"; do
    rows=$(estimated "$where")
    [[ $rows -gt 1500 && $rows -lt 2500 ]] || { echo "$rows"; return 1; } # 1,000 and one percent of the others
  done
  rows=$(estimated "'$(sql "SELECT bloom_agg(g, 60000, 0.001) FROM generate_series(1, 50000) g")'::bloom @> k")
  [[ $rows -gt 49000 && $rows -lt 51000 ]]
  [[ $(estimated "'$(sql "SELECT bloom_new(1000)")'::bloom @> k") -lt 10 ]]
  rows=$(estimated "(SELECT bloom_agg(1, 10)) @> k")
  [[ $rows -gt 30000 && $rows -lt 40000 ]] # not known
}

@test "filters are asked in parallel workers" {
  local plan
  plan=$(script <<<"SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
    EXPLAIN (COSTS OFF) SELECT count(*) FROM rows WHERE (SELECT bloom_agg(g, 1000) FROM generate_series(1, 1000) g) @> k")
  [[ $plan = *Gather*"Parallel Seq Scan"* ]]
  local counted
  counted=$(script <<<"SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
    SELECT count(*) FROM rows WHERE k <= 1000 AND (SELECT bloom_agg(g, 1000) FROM generate_series(1, 1000) g) @> k")
  [[ $counted = 1000 ]]
}
