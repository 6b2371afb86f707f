#!/usr/bin/env bash
# Filters in SQLite: what bloom_contains costs per row, beside the semi-join that it replaces, and bloom_agg beside
# count(DISTINCT key). Each round runs everything in turn; the figures are medians and minima.
#
# usage: bench/sqlite.sh [ROWS] [ROUNDS]      default: 10000000 rows, 5 rounds
# The table of keys has as many rows, and the filter as many keys; a small one has 100,000. Every second row has its key in
# the filter. Everything runs in one thread, from a database in the page cache.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rows=${1:-10000000}
rounds=${2:-5}
extension=$PWD/build/bloomery_sqlite
work=$(mktemp -d "${TMPDIR:-/tmp}/bloomery-sqlite-XXXXXX")
trap 'rm -rf "$work"' EXIT

# Different numbers in no order: in order, a sorted set is at its best, which it rarely is.
key() { echo "(($1 * 2654435761) & 1099511627775)"; }
sql() { sqlite3 -batch -cmd "PRAGMA temp_store = MEMORY" -cmd ".load $extension" "$work/bench.db"; }

echo "making $rows rows"
sql >/dev/null <<END
PRAGMA journal_mode = OFF;
CREATE TABLE rows(key INTEGER, text TEXT);
CREATE TABLE keys(key INTEGER);
INSERT INTO rows SELECT $(key value), printf('key-%d', $(key value)) FROM generate_series(1, $rows);
INSERT INTO keys SELECT $(key value) FROM generate_series(2, 2 * $rows, 2);
CREATE TABLE filters(name TEXT PRIMARY KEY, f BLOB);
INSERT INTO filters SELECT 'keys', bloom_agg(key, $rows) FROM keys;
INSERT INTO filters SELECT 'texts', bloom_agg(printf('key-%d', key), $rows) FROM keys;
INSERT INTO filters SELECT 'small', bloom_agg(key, 100000) FROM (SELECT key FROM keys LIMIT 100000);
SELECT writefile('$work/' || name || '.bloom', f) FROM filters;
END

# name, then the statement; the shell's own time of the statement is measured, and the peak of its memory
statement() {
  local open='(SELECT bloom_open(f) FROM filters WHERE name ='
  case $1 in
    scan) echo "SELECT count(*) FROM rows WHERE key > 0" ;;
    scan-function) echo "SELECT count(*) FROM rows WHERE abs(key)" ;;
    contains-subquery) echo "SELECT count(*) FROM rows WHERE bloom_contains($open 'keys'), key)" ;;
    contains-small) echo "SELECT count(*) FROM rows WHERE bloom_contains($open 'small'), key)" ;;
    contains-small-file) echo "SELECT count(*) FROM rows WHERE bloom_contains(bloom_file('$work/small.bloom'), key)" ;;
    contains-file) echo "SELECT count(*) FROM rows WHERE bloom_contains(bloom_file('$work/keys.bloom'), key)" ;;
    contains-parameter | contains-small-parameter) echo "SELECT count(*) FROM rows WHERE bloom_contains(:f, key)" ;;
    semi-join) echo "SELECT count(*) FROM rows WHERE key IN (SELECT key FROM keys)" ;;
    scan-text) echo "SELECT count(*) FROM rows WHERE text > 'k'" ;;
    contains-text) echo "SELECT count(*) FROM rows WHERE bloom_contains($open 'texts'), text)" ;;
    agg) echo "SELECT length(bloom_agg(key, $rows)) FROM rows" ;;
    distinct) echo "SELECT count(DISTINCT key) FROM rows" ;;
    agg-text) echo "SELECT length(bloom_agg(text, $rows)) FROM rows" ;;
    distinct-text) echo "SELECT count(DISTINCT text) FROM rows" ;;
  esac
}
names=(scan scan-function contains-small contains-small-parameter contains-small-file
  contains-subquery contains-parameter contains-file semi-join
  scan-text contains-text agg distinct agg-text distinct-text)

# Prints seconds of processor time, and MiB.
measure() {
  {
    [[ $1 != contains-*parameter ]] ||
      echo ".parameter init
INSERT INTO sqlite_parameters SELECT ':f', f FROM filters WHERE name = '$([[ $1 = *small* ]] && echo small || echo keys)';"
    echo ".timer on"
    statement "$1" | sed 's/$/;/'
    echo ".timer off"
    # shellcheck disable=SC2016 # for the shell that SQLite starts
    echo '.shell grep VmHWM /proc/$PPID/status'
  } | sql | awk '/^Run Time/ { seconds = $6 + $8 } /^VmHWM/ { memory = $2 / 1024 } END { print seconds, memory }'
}

for ((round = 1; round <= rounds; ++round)); do
  for name in "${names[@]}"; do
    printf '%s %s\n' "$name" "$(measure "$name")" >>"$work/figures"
  done
done

lscpu | sed -n 's/^Model name: */processor: /p'
printf '%-25s %12s %12s %10s\n' '' 'median, s' 'minimum, s' 'MiB'
for name in "${names[@]}"; do
  grep "^$name " "$work/figures" | sort -k2,2n |
    awk -v name="$name" '{ time[NR] = $2; if ($3 > memory) memory = $3 }
      END { printf "%-25s %12.3f %12.3f %10.0f\n", name, time[int((NR + 1) / 2)], time[1], memory }'
done
