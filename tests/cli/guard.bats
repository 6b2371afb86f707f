# guard: filters built from columns, and the demo, on SQLite and on servers that it starts.
load helper

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  [[ $("$BLOOMERY" guard build x x x x 2>&1) != *"without databases"* ]] ||
    skip "this bloomery was built without databases"
}

# demo REQUESTS OPTION...: a small one, whose keys are always the same
demo() { timeout 120 "$BLOOMERY" guard demo --rows 20k --seconds 20 --requests "$@"; }

# database: makes demo.db, a table items (key, value) of 20,000 rows
database() { demo 10 --keep . >/dev/null; }

# keys_of_database: the keys in demo.db, as its rows have them before their values, one a line
keys_of_database() { grep -aoE 'user:[0-9a-f]{16} is' demo.db | cut -c 1-21 | sort -u; }

# each FIELD: its values in the JSON of a demo, one a line, in the order of the phases
each() { sed -n "s/^ *\"$1\": //p" demo.json | sed 's/,$//' | tr -d '"'; }
# figure FIELD PHASE: one of them; phases are ordinary off and on, attack off and on
figure() { each "$1" | sed -n "$2p"; }

# bounded QUERIES ABSENT: so many false positives are explained by a rate of 1 %
bounded() { awk -v q="$1" -v n="$2" 'BEGIN { exit !(q <= n * 0.011 + 6 * sqrt(n * 0.011) + 7) }'; }

@test "build makes a filter of a column that test and grep read" {
  database
  bloomery guard build demo.db items key items.bloom
  keys_of_database >keys
  [ "$(wc -l <keys)" = 20000 ]
  bloomery grep items.bloom keys | cmp - keys
  run -1 bloomery test items.bloom nobody
  [ "$output" = "no     nobody" ]
  bloomery info --json items.bloom >info.json
  grep -q '"item_capacity": 25000,' info.json
  bloomery verify items.bloom
  [ "$(seq 100000 | bloomery grep -c items.bloom)" -lt 1500 ]
}

@test "build takes a rate, a head-room, a layout, a seed, a comment and a secret" {
  database
  bloomery guard build -p 0.1% --headroom 0 --layout classic --seed 7 --comment hello demo.db items key one
  bloomery info --json one >info.json
  grep -q '"item_capacity": 20000,' info.json
  grep -q '"layout": "classic"' info.json
  grep -q '"seed": "7"' info.json
  grep -q '"comment": "hello"' info.json
  bloomery guard build --headroom 150% demo.db items key two
  bloomery info --json two | grep -q '"item_capacity": 50000,'
  echo 00112233445566778899aabbccddeeff >secret
  bloomery guard build --secret-file secret demo.db items key keyed
  refuses bloomery test keyed nobody
  keys_of_database | bloomery grep -c --secret-file secret keyed | grep -qx 20000
  bloomery guard build --secret-file secret --keep-secret demo.db items key kept
  keys_of_database | bloomery grep -c kept | grep -qx 20000
  bloomery guard build demo.db items key - | bloomery info - | grep -q 'made for  25,000 keys'
}

@test "build replaces nothing without --force, and says so before it reads" {
  database
  echo precious >items.bloom
  refuses bloomery guard build nowhere.db items key items.bloom
  says "items.bloom already exists"
  [ "$(<items.bloom)" = precious ]
  bloomery guard build --force demo.db items key items.bloom
  bloomery verify items.bloom
}

@test "build says what is missing, and leaves nothing behind" {
  database
  mkdir made
  refuses bloomery guard build nowhere.db items key made/f
  says nowhere.db
  refuses bloomery guard build demo.db nothing key made/f
  says nothing
  refuses bloomery guard build demo.db items nothing made/f
  says nothing
  echo text >no.db
  refuses bloomery guard build no.db items key made/f
  refuses timeout 60 "$BLOOMERY" guard build postgresql://127.0.0.1:1/x items key made/f
  refuses bloomery guard build --headroom many demo.db items key made/f
  says 'is not a share; write one such as 25% or 0.25'
  refuses bloomery guard build --keep-secret demo.db items key made/f
  says "give --secret-file"
  refuses bloomery guard build -p 2 demo.db items key made/f
  refuses bloomery guard build demo.db items key made/no/f
  [ -z "$(ls -A made)" ]
}

@test "the demo prints a table, bars and what they come to" {
  LC_ALL=C.UTF-8 demo 5k >table
  cat table
  grep -q '^source   SQLite: 20,000 rows, loaded in ' table
  grep -q '^cache    none$' table
  grep -q '^guard    .* for 25,000 keys at 1.000 %, filled from the source in ' table
  grep -Eq '^guard +requests +queries +if absent +median +p99 +requests/s$' table
  grep -Eq '^ordinary off +5,000 +5,000 +100.00 % ' table
  grep -Eq '^attack   off +5,000 +5,000 +100.00 % ' table
  [ "$(grep -Ec '^         (on|ratio) ' table)" -ge 4 ]
  grep -q '^source queries per thousand requests$' table
  grep -q '█' table
  grep -Eq '^a second time    4,[0-9]{3} absent keys, 0 queries to the source$' table
  [ "$(LC_ALL=C.UTF-8 wc -L <table)" -le 80 ]
  run -1 grep -q $'\x1b' table
}

@test "the demo draws with # where there is no UTF-8, and keeps no folder" {
  mkdir temporary
  TMPDIR=$PWD/temporary LC_ALL=C demo 500 >table
  grep -q '##########' table
  [ "$(LC_ALL=C tr -d '\0-\177' <table | wc -c)" = 0 ]
  [ -z "$(ls -A temporary)" ]
}

@test "with a guard the source hears of one absent key in a hundred, and of none twice" {
  demo 20k --json >demo.json
  [ "$(figure absent_queries 3)" = "$(figure absent_requests 3)" ]
  [ "$(figure absent_requests 4)" = "$(figure absent_requests 3)" ]
  bounded "$(figure absent_queries 4)" "$(figure absent_requests 4)"
  bounded "$(figure absent_queries 2)" "$(figure absent_requests 2)"
  [ "$(figure absent_queries 4)" -gt 0 ]
  [ "$(figure requests 5)" = "$(figure absent_requests 4)" ] # of the second time
  [ "$(figure source_queries 5)" = 0 ]
  [ "$(figure source 1)" = SQLite ]
  [ "$(figure cache 1)" = null ]
  [ "$(figure planned_rate 1)" = 0.01 ]
}

@test "the demo takes a rate, a seed and a number of clients" {
  demo 5k -p 10% --threads 3 --seed 9 --json >demo.json
  [ "$(figure planned_rate 1)" = 0.1 ]
  [ "$(figure clients 1)" = 3 ]
  [ "$(figure absent_queries 4)" -gt 200 ]
  demo 5k -p 0.01% --seed 9 --threads 3 --json >demo.json
  [ "$(figure absent_queries 4)" -lt 50 ]
  refuses bloomery guard demo --rows 0
  refuses bloomery guard demo --requests 0
  refuses bloomery guard demo --threads 0
  refuses bloomery guard demo -p 2
}

@test "the demo leaves a database that is there alone" {
  database
  refuses bloomery guard demo --rows 10 --keep .
  says "already exists"
  refuses bloomery guard demo --postgres --keep .
  says "leave out --postgres or --keep"
}

@test "the demo ends its servers and removes its folder when it is interrupted" {
  mkdir temporary
  TMPDIR=$PWD/temporary "$BLOOMERY" guard demo --rows 100M >out 2>&1 3>&- &
  local pid=$! _
  for _ in {1..200}; do
    [[ -z $(find temporary -name demo.db) ]] || break
    sleep 0.05
  done
  kill -TERM "$pid"
  local status=0
  wait "$pid" || status=$?
  [ "$status" = 143 ]
  [ -z "$(ls -A temporary)" ]
  [ ! -s out ]
}

@test "the demo with a PostgreSQL and a Redis of its own" {
  command -v redis-server redis-check-rdb >/dev/null || skip "needs redis-server"
  [[ -n $(command -v postgres || ls /usr/lib/postgresql/*/bin/postgres 2>/dev/null) ]] || skip "needs postgresql"
  demo 3k --postgres --redis --json >demo.json
  [ "$(figure source 1)" = "PostgreSQL, started for this demo" ]
  [ "$(figure cache 1)" = "Redis, started for this demo" ]
  [ "$(figure cache_hits 1)" -gt 1000 ]
  [ "$(figure cache_hits 2)" -gt 1000 ]
  [ "$(figure absent_queries 3)" = "$(figure absent_requests 3)" ]
  bounded "$(figure absent_queries 4)" "$(figure absent_requests 4)"
  [ "$(figure source_queries 5)" = 0 ]
}

@test "the demo with a Redis that is there leaves no entry for long" {
  command -v redis-cli >/dev/null || skip "needs redis-tools"
  local server
  server=$(command -v redis-server || command -v redis-check-rdb) || skip "needs redis-server"
  ln -s "$server" redis-server
  timeout 120 ./redis-server --port 0 --unixsocket "$PWD/socket" --save '' >log 2>&1 3>&- 4>&- &
  local pid=$! _
  for _ in {1..100}; do [[ ! -S socket ]] || break; sleep 0.05; done
  demo 1k --redis="unix://$PWD/socket" --json >demo.json
  [ "$(figure cache 1)" = Redis ]
  [ "$(redis-cli -s socket DBSIZE)" -gt 0 ]
  redis-cli -s socket --scan >entries
  run -1 grep -v '^bloomery-guard-demo:' entries
  [ "$(redis-cli -s socket PTTL "$(head -n 1 entries)")" -gt 0 ]
  kill "$pid"
  refuses bloomery guard demo --rows 10 --redis="unix://$PWD/nobody"
  says "cannot connect"
}

@test "the verb guard knows its verbs" {
  refuses bloomery guard
  refuses bloomery guard fly
  says 'there is no verb "guard fly" (see: bloomery guard --help)'
  refuses bloomery guard build
  says "(see: bloomery guard build --help)"
}
