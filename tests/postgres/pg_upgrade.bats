# pg_upgrade carries filters into a new cluster, here of the same version.
load server

@test "pg_upgrade keeps the extension and its filters" {
  local before bin
  bin=$TREE$("$BLOOMERY_PG_CONFIG" --bindir)
  sql "CREATE TABLE kept AS SELECT n, bloom_agg(g, n) AS f FROM (VALUES (10), (100000)) v(n), generate_series(1, 100) g GROUP BY n"
  before=$(sql "SELECT n, md5(f::bytea) FROM kept ORDER BY n")
  new_server other
  cd "$TREE/other"
  as_server pg_ctl stop -D "$TREE/server/data" -m fast -s
  as_server pg_ctl stop -D "$TREE/other/data" -m fast -s
  as_server pg_upgrade -U tester -b "$bin" -B "$bin" -d "$TREE/server/data" -D "$TREE/other/data" \
    -s "$TREE/other" >upgrade.log 2>&1 3>&- 4>&- || { cat upgrade.log; false; }
  start_server other
  gives "$before" "SELECT n, md5(f::bytea) FROM kept ORDER BY n"
  gives '100|100' "SELECT count(*) FILTER (WHERE n = 10), count(*) FILTER (WHERE n > 10) FROM kept, generate_series(1, 100) g WHERE f @> g"
}
