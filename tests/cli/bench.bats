# bench: the table, its JSON and its TSV, on sizes that take only a moment. No test checks a time.
load helper

tiny() { bloomery bench -n 1k,2k --rounds 1 "$@"; }

@test "the table says where it was measured, and has a column for each size" {
  run -0 tiny
  [[ ${lines[0]} == processor* && ${lines[1]} == compiler* ]]
  [[ ${lines[2]} =~ ^kernel\ +(scalar|neon|avx2|avx512|avx512_vbmi)$ ]]
  [[ $output == *"1,000 keys"*"2,000 keys"* ]]
  [[ $output == *"rounds     1; in each, every case handles 131,072 keys"* ]]
}

@test "bars compare the bulk lookups of the largest size" {
  LC_ALL=C.UTF-8 tiny >table
  sed -n '/^bulk lookup in 2,000 keys, minimum ns$/,$p' table >bars
  for layout in split-8x32 split-8x64 split-16x32 blocked classic; do
    grep -Eq "^$layout +[█▏▎▍▌▋▊▉]+ [0-9]+\.[0-9]+\$" bars || { cat bars; false; }
  done
  LC_ALL=C tiny >table
  grep -Eq '^classic +#+ [0-9]+\.[0-9]+$' table
}

@test "the kernel is the one that the environment names" {
  BLOOMERY_KERNEL=scalar run -0 bloomery bench -n 1k --rounds 1
  [[ ${lines[2]} =~ ^kernel\ +scalar$ ]]
  BLOOMERY_KERNEL=abacus refuses bloomery bench -n 1k --rounds 1
  says abacus
}

# has OPERATION SUBJECT: a row with two figures, each a least and a median
has() {
  local figure='[0-9]+\.[0-9]+ \([0-9]+\.[0-9]+\)'
  grep -Eq "^$1 +$2 +$figure +$figure\$" table || { echo "no row: $1, $2"; cat table; return 1; }
}

@test "the table has a row for each layout and operation" {
  tiny >table
  for layout in split-8x32 split-8x64 split-16x32 blocked classic; do
    has 'bulk lookup' "$layout"
    has 'bulk insert' "$layout"
    has 'bulk lookup, x floor' "$layout"
  done
  for layout in split-8x32 split-8x64; do
    has 'bulk try_insert' "$layout"
    has 'bulk insert, 2 threads' "$layout"
    has 'bulk lookup of URLs' "$layout"
    has 'lookup, one by one' "$layout"
    has 'insert, one by one' "$layout"
  done
  has 'lookup, one by one' std::unordered_set
  has 'floor: hash' 'integers \(mix64\)'
  has 'floor: hash' 'URLs \(XXH3\)'
  has 'floor: gather' 'cache lines'
}

# field NAME: its values in the JSON on stdin, one a line
field() { sed -n "s/^ *\"$1\": *\(.*[^,]\),*\$/\1/p"; }

@test "JSON has the facts, and every result its fields" {
  tiny --json >out
  [ "$(head -c 1 out)" = '{' ] && [ "$(tail -n 1 out)" = '}' ]
  [ "$(field rounds <out)" = 1 ]
  [ "$(field keys_per_round <out)" = 131072 ]
  [ "$(field kernel <out | wc -l)" = 1 ]
  results=$(field operation <out | wc -l)
  [ "$results" -ge 50 ]
  [ "$(field rate <out | wc -l)" = $((results + 1)) ] # and the one that was asked for
  for name in subject items bytes min_ns median_ns times_floor; do
    [ "$(field "$name" <out | wc -l)" = "$results" ] || { echo "$name"; return 1; }
  done
  [ "$(field items <out | sort -u | xargs)" = '1000 2000' ]
  field min_ns <out | awk '!($1 > 0) { exit 1 }'
  [ "$(field times_floor <out | grep -vc null)" = 10 ]
  command -v jq >/dev/null || skip "there is no jq here"
  [ "$(jq '.results | length' out)" = "$results" ]
}

@test "what was measured are filters: the rates of false positives are those they were made for" {
  bloomery bench -n 100k --rounds 2 --json >out
  field rate <out | grep -v null >rates
  [ "$(wc -l <rates)" -ge 10 ]
  # an exact set never errs; the sample of 131,072 absent keys and the filter itself vary a little
  awk '$1 != 0 && ($1 < 0.007 || $1 > 0.013) { print; bad = 1 } END { exit bad }' rates
}

@test "the figures also go to a file, which can be drawn" {
  tiny --tsv figures.tsv >table
  [ "$(sed -n 2p figures.tsv)" = $'operation\tsubject\titems\tbytes\trate\tmin_ns\tmedian_ns' ]
  awk -F '\t' 'NR > 2 && (NF != 7 || !($6 > 0) || $7 < $6) { print; bad = 1 } END { exit bad }' figures.tsv
  "$BATS_TEST_DIRNAME/../../bench/plot" figures.tsv >figures.svg
  [ "$(grep -c '<polyline' figures.svg)" = 7 ]
  [ "$(tail -n 1 figures.svg)" = '</svg>' ]
  run -2 "$BATS_TEST_DIRNAME/../../bench/plot" /dev/null
}

@test "sizes and rounds that make no benchmark are refused" {
  refuses bloomery bench -n 10
  says '1,000 to 1,000,000,000 keys, not "10"'
  refuses bloomery bench -n 1k,many
  says '"many"'
  refuses bloomery bench -n 1k,
  refuses bloomery bench --rounds 0
  says '--rounds takes 1 to 10,000, not 0'
  refuses bloomery bench -n 1k --rounds 1 --tsv nowhere/figures.tsv
  says nowhere/figures.tsv
  refuses bloomery bench more
}
