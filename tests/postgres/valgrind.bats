# The server itself under valgrind, in its single-user mode: what the library allocates is freed, also after errors, and
# nothing is read that was not written. The server's own memory contexts are one block to valgrind.
load server
load mutations

@test "valgrind finds nothing in the extension" {
  command -v valgrind >/dev/null || skip "needs valgrind"
  load_mutations
  seq 1 5000 >keys.txt
  bloomery create -n 5000 --key int "$TREE/numbers.bloom" keys.txt
  chmod 644 "$TREE/numbers.bloom"
  cd "$TREE/server"
  as_server pg_ctl stop -D "$TREE/server/data" -m fast -s
  # One statement per paragraph.
  cat >"$TREE/script.sql" <<SQL
CREATE TABLE t AS SELECT g AS k, 'key ' || g AS w FROM generate_series(1, 3000) g;

CREATE TABLE f AS SELECT k % 5 AS part, bloom_agg(k, 1000) AS f, bloom_agg(w) AS g FROM t GROUP BY 1;

SELECT count(*) FROM t WHERE (SELECT bloom_union_agg(f) FROM f) @> k;

SELECT count(*) FROM t, f WHERE bloom_contains(f, k) OR w <@ g;

SELECT bloom_info(f), bloom_count(g), bloom_fpp(f), bloom_fpp(f, 10), md5(bloom_to(f, 'native')), bloom_from(bloom_to(f, 'native')) = f FROM f;

SELECT bloom_merge(f, bloom_new(7)) FROM f;

SELECT bloom_agg(k / (k - 2999), 5000) FROM t;

SELECT count(*) FROM t, f WHERE f @> (k / (k - 2999));

SELECT bloom_from('\\x1234');

SELECT bloom_new(10, 0.01, 'kind=nothing');

SELECT count(*) FROM t WHERE bloom_file('$TREE/numbers.bloom') @> k;

SELECT bloom_info(bloom_file('$TREE/numbers.bloom'));

SELECT bloom_file('$TREE/none.bloom') @> 1;

SELECT sum(length(f::text::bloom::bytea)) FROM f;

CALL mutate(300, 1);

SELECT 'the end of the script';

SQL
  chmod 755 "$TREE" && chmod 644 "$TREE/script.sql"
  as_server valgrind --log-file="$TREE/server/valgrind.%p" --leak-check=full --show-leak-kinds=definite,indirect \
    --num-callers=40 --error-limit=no --trace-children=no \
    "$(command -v postgres)" --single -j -D "$TREE/server/data" postgres <"$TREE/script.sql" >out 2>err
  # All of it ran: the answers and the errors are those that are expected.
  grep -q 'count = "3000"' out
  grep -q 'division by zero' err
  grep -q 'the end of the script' out
  [[ $(grep -c ERROR err) -eq 6 ]]
  # Reports are separated by empty lines; those that concern us name our code.
  awk -v RS= '/loss record|Invalid|uninitialised|Mismatched/ && /bloomery\.so|: bloom/ { print; found = 1 } END { exit found }' \
    <(sed 's/^==[0-9]*== *//' valgrind.*)
}
