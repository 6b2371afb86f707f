# Files on the server.
load server

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  FILES=$TREE/files
  mkdir -p "$FILES" && chmod 777 "$FILES"
  seq 1 20000 >keys.txt
  bloomery create -n 20000 -p 1e-9 --key int --comment 'the numbers' --force "$FILES/numbers.bloom" keys.txt
  chmod 644 "$FILES/numbers.bloom"
}

@test "bloom_file is the file, with its comment" {
  gives t "SELECT bloom_file('$FILES/numbers.bloom')::bytea = pg_read_binary_file('$FILES/numbers.bloom')"
  gives '20000|0' "SELECT count(*) FILTER (WHERE f @> g), count(*) FILTER (WHERE f @> -g)
    FROM generate_series(1, 20000) g, (SELECT bloom_file('$FILES/numbers.bloom') AS f OFFSET 0) s"
}

@test "a question to a file maps it, in every way to write it" {
  local where plan
  for where in "bloom_contains(bloom_file('$FILES/numbers.bloom'), g)" "bloom_file('$FILES/numbers.bloom') @> g" \
    "g <@ bloom_file('$FILES/numbers.bloom')" "bloom_contained_in(g, bloom_file('$FILES/numbers.bloom'))"; do
    plan=$(sql "EXPLAIN SELECT count(*) FROM generate_series(1, 20000) g WHERE $where")
    [[ $plan = *"bloom_file_contains('$FILES/numbers.bloom'"* ]]
    gives 20000 "SELECT count(*) FROM generate_series(1, 40000) g WHERE $where"
  done
  gives 't|f' "SELECT bloom_contains(bloom_file(path), 7), bloom_contains(bloom_file(path), 'seven') FROM (VALUES ('$FILES/numbers.bloom')) v(path)"
}

@test "keys that are added to a file are seen, and so is a file that replaces it" {
  script <<SQL | paste -sd' ' >printed
PREPARE ask AS SELECT bloom_contains(bloom_file('$FILES/numbers.bloom'), 'new'), bloom_contains(bloom_file('$FILES/numbers.bloom'), 'newer');
EXECUTE ask;
\\! echo new | $BLOOMERY add $FILES/numbers.bloom
EXECUTE ask;
\\! echo newer | $BLOOMERY create -n 100 -p 1e-9 --force $FILES/numbers.bloom -
EXECUTE ask;
SQL
  [[ $(<printed) = "f|f t|f f|t" ]]
}

@test "within one statement, another file is noticed after a moment" {
  script <<SQL
DO \$\$
BEGIN
  IF bloom_contains(bloom_file('$FILES/numbers.bloom'), 'other') THEN RAISE 'too early'; END IF;
  PERFORM pg_sleep(0.05);
  COPY (SELECT 'other') TO PROGRAM '$BLOOMERY create -n 100 -p 1e-9 $FILES/other.bloom - && mv $FILES/other.bloom $FILES/numbers.bloom';
  PERFORM pg_sleep(0.05);
  IF NOT bloom_contains(bloom_file('$FILES/numbers.bloom'), 'other') THEN RAISE 'a stale no'; END IF;
END \$\$;
SQL
}

@test "files of other kinds and formats are read" {
  seq 1 100 | bloomery create -n 100 --kind counting --force "$FILES/counting.bloom" -
  seq 1 100 | bloomery create -n 100 --format guava --force "$FILES/numbers.guava" -
  chmod 644 "$FILES"/*
  gives '100|100' "SELECT count(*) FILTER (WHERE bloom_file('$FILES/counting.bloom') @> g::text),
    count(*) FILTER (WHERE bloom_file('$FILES/numbers.guava') @> g::text) FROM generate_series(1, 100) g"
  gives 'counting|bloom' "SELECT bloom_info(bloom_file('$FILES/counting.bloom'))->>'kind', bloom_info(bloom_file('$FILES/numbers.guava'))->>'kind'"
}

@test "only superusers and members of pg_read_server_files may read files" {
  sql "CREATE ROLE reader; CREATE ROLE nobody"
  sql "GRANT pg_read_server_files TO reader"
  local call
  for call in "bloom_file('$FILES/numbers.bloom')::bytea IS NULL" "bloom_file('$FILES/numbers.bloom') @> 1" "bloom_file_contains('$FILES/numbers.bloom', 'x')"; do
    refused 'permission denied to read files of the server' "SET ROLE nobody; SELECT $call"
    sql "SET ROLE reader; SELECT $call"
  done
  refused 'permission denied' "DO \$\$ DECLARE path text := '$FILES/numbers.bloom'; r bool; BEGIN
    FOR i IN 1..2 LOOP r := bloom_file_contains(path, 'x'); SET LOCAL ROLE nobody; END LOOP; END \$\$"
}

@test "what is not a filter or not there is refused" {
  echo hello >"$FILES/hello.txt"
  mkdir -p "$FILES/folder"
  local call
  for call in "bloom_file('%s')" "bloom_file('%s') @> 1"; do
    # shellcheck disable=SC2059
    {
      refused 'No such file or directory' "SELECT $(printf "$call" "$FILES/none.bloom")"
      refused 'ERROR' "SELECT $(printf "$call" "$FILES/hello.txt")"
      refused 'is not a regular file' "SELECT $(printf "$call" "$FILES/folder")"
      refused 'is not a regular file' "SELECT $(printf "$call" "/dev/zero")"
    }
  done
}

@test "a file that is shortened while it is mapped is an error, and the server goes on" {
  # The query itself empties the file after it has mapped it. If that takes longer than a moment, the new file is
  # noticed first, so it may take more than one attempt.
  local before after printed _
  before=$(sql "SELECT pg_postmaster_start_time(), lo_from_bytea(4711, 'short')")
  for _ in {1..20}; do
    bloomery create -n 1M -p 1e-9 --force "$FILES/large.bloom"
    chmod 666 "$FILES/large.bloom"
    ! printed=$(sql "SELECT count(*) FILTER (WHERE bloom_file('$FILES/large.bloom') @> g) FROM
      (SELECT CASE WHEN g = 5 THEN g + lo_export(4711, '$FILES/large.bloom') ELSE g END AS g
       FROM generate_series(1, 20) g OFFSET 0) s" 2>&1)
    [[ $printed = *ERROR* ]]
    [[ $printed != *'was shortened while it was in use'* ]] || break
  done
  [[ $printed = *'was shortened while it was in use'* ]]
  after=$(sql "SELECT pg_postmaster_start_time(), 4711")
  [[ $before = "$after" ]]
  ! grep -q 'terminated by signal' "$TREE/server.log"
}
