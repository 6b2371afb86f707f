# The examples in docs/sql.md: each ```sql block in "In PostgreSQL" is run, in order, and prints what its comments show.
load server

setup_file() {
  make_tree
  new_server server
}

@test "the examples in docs/sql.md print what they show" {
  mkdir -p "$TREE/files" && chmod 755 "$TREE/files"
  seq 1 1000 | bloomery create -n 1000 -p 0.1% --key int "$TREE/files/customers.bloom" -
  chmod 644 "$TREE/files/customers.bloom"
  sed -n '/^## In PostgreSQL/,/^## [^I]/p' "$BATS_TEST_DIRNAME/../../docs/sql.md" |
    awk '/^```sql/ { inside = 1; print ""; next } /^```/ { inside = 0 } inside' | sed "s|/srv/filters|$TREE/files|" >examples.sql
  # A comment directly after a statement is its result; others explain.
  awk '/^-- / { if (ended) print substr($0, 4); next } { ended = /;$/ }' examples.sql >shown
  [[ $(wc -l <shown) -ge 9 ]]
  script <examples.sql >printed
  diff shown printed
}
