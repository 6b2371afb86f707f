# Filters in Redis: --redis, and the verb redis.
load helper
load redis_server

setup_file() {
  if ! command -v redis-cli >/dev/null || ! server >/dev/null; then
    skip "needs redis-tools"
  fi
  start socket
}

teardown_file() { stop_all; }

setup() {
  cd "$BATS_TEST_TMPDIR" || exit 1
  url=unix://$BATS_FILE_TMPDIR/socket
  [[ $("$BLOOMERY" redis drop --redis "$url" none 2>&1) != *"without Redis"* ]] ||
    skip "this bloomery was built without Redis"
  redis FLUSHALL >/dev/null
}

redis() { redis-cli -s "$BATS_FILE_TMPDIR/socket" "$@"; }
# told FIELD NAME: what info --json says
told() { bloomery info --redis "$url" --json "$2" | field "$1"; }
# field NAME: its value in the JSON on standard input
field() { sed -n "s/^ *\"$1\": //p" | tr -d '",'; }

@test "create, add, test, grep and info as for a file" {
  bloomery create --redis "$url" -n 10k -p 0.1% words
  seq 10000 >keys
  run -0 bloomery add -v --redis "$url" words keys
  [[ $output == *"read 10,000 keys, "*" of them definitely new to words" ]]
  bloomery grep --redis "$url" words keys | cmp - keys
  [ "$(seq 10001 20000 | bloomery grep -c --redis "$url" words)" -lt 40 ]
  run -0 bloomery test --redis "$url" words 1 nobody
  [ "$output" = $'maybe  1\nno     nobody' ]
  run -1 bloomery test -q --redis "$url" words nobody
  run -0 bloomery info --redis "$url" words
  [[ $output == *"format    redis: split into shards"* ]]
  [[ $output == *"made for  10,000 keys at a rate of 0.100 %"* ]]
  [ "$(told format words)" = redis ]
  [ "$(told scheme words)" = redisson-split ]
  [ "$(told item_capacity words)" = 10000 ]
  [ "$(told expires_in words)" = null ]
  [ "$(told shards words)" = 1 ]
}

@test "many shards, as large as --shard-bytes says" {
  bloomery create --redis "$url" -n 100k --shard-bytes 16KiB words
  [ "$(told shards words)" -ge 7 ]
  [ "$(redis STRLEN 'words:{words:0}')" -le 16385 ]
  seq 100000 | bloomery add --strict --redis "$url" words
  [ "$(seq 100000 | bloomery grep -c --redis "$url" words)" = 100000 ]
  bloomery create --split -n 100k --shard-bytes 16KiB words.bloom
  [ "$(bloomery info --json words.bloom | field bits)" = "$(told bits words)" ]
}

@test "an overfilled filter is told, and --strict exits with 3" {
  bloomery create --redis "$url" -n 100 small
  # shellcheck disable=SC2016 # the shell that runs it expands it
  run -3 bash -c 'seq 300 | "$1" add --strict --redis "$2" small' _ "$BLOOMERY" "$url"
  [[ $output == *"small holds about "*" keys and was made for 100"* ]]
}

@test "--force replaces, and without it nothing is lost" {
  bloomery create --redis "$url" -n 100 words
  echo a | bloomery add --redis "$url" words
  refuses bloomery create --redis "$url" -n 100 words
  says "there is already a filter words"
  bloomery test -q --redis "$url" words a
  bloomery create --force --redis "$url" -n 500 words
  run -1 bloomery test -q --redis "$url" words a
  [ "$(told item_capacity words)" = 500 ]
}

@test "filters expire, and can be kept" {
  bloomery create --redis "$url" -n 100 --expire 2h words
  [ "$(redis TTL 'words:{words:0}')" -gt 7100 ]
  [ "$(told expires_in words)" -gt 7100 ]
  bloomery redis persist --redis "$url" words
  [ "$(redis TTL 'words:{words:0}')" = -1 ]
  [ "$(told expires_in words)" = null ]
  bloomery redis expire --redis "$url" words 1s
  sleep 1.2
  refuses bloomery test --redis "$url" words a
  says "there is no filter words"
  refuses bloomery redis expire --redis "$url" words 1s
  refuses bloomery create --redis "$url" -n 100 --expire soon words
  [ "$(redis DBSIZE)" = 0 ]
}

@test "--format redisson makes one as Redisson does, whose keys are Kryo's" {
  bloomery create --redis "$url" --format redisson -n 1000 -p 3% theirs
  [ "$(redis HGET '{theirs}:config' size)" = 7298 ]
  [ "$(redis HGET '{theirs}:config' hashIterations)" = 5 ]
  printf 'abc\nxyz\n' | bloomery add --redis "$url" theirs
  bloomery test -q --redis "$url" theirs abc
  bloomery test -q --redis "$url" --key hex theirs 036162e3
  bloomery test -q --redis "$url" --format redisson theirs abc
  [ "$(told scheme theirs)" = redisson ]
  bloomery create --redis "$url" --format redisson --bits 7298 -k 5 bits
  bloomery create --redis "$url" --format redisson,bits=7298,hashes=5 bits2
  [ "$(redis HGET '{bits2}:config' size)" = 7298 ]
  printf 'abc\nxyz\n' | bloomery add --redis "$url" bits
  redis --raw GET bits >one
  redis --raw GET theirs | cmp - one
  bloomery create --redis "$url" -n 100 ours
  refuses bloomery test --redis "$url" --format redisson ours a
  says 'is not a Redisson filter'
}

@test "bitmaps that programs fill with SETBIT" {
  printf 'ann\nbob\n' | bloomery add --redis "$url" --redis-scheme hash-code-6 seen
  run -0 bloomery test --redis "$url" --redis-scheme hash-code-6 seen ann bob nobody
  [ "$output" = $'maybe  ann\nmaybe  bob\nno     nobody' ]
  bloomery create --format setbit file
  printf 'ann\nbob\n' | bloomery add --format setbit file
  redis --raw GET seen | head -c -1 | cmp - file
  echo ann | bloomery add --redis "$url" --redis-scheme hash-code-6-mended mended
  [ "$(printf 'ann\ncid\n' | bloomery grep --redis "$url" --redis-scheme hash-code-6-mended mended)" = ann ]
  seq -f 'a longer key, number %.0f' 1 50 >some # half of which have no place
  run -2 bloomery add --format setbit file some
  run -2 bloomery add --redis "$url" --redis-scheme hash-code-6 seen some
  [[ "$output" == *" keys cannot be stored in this filter's format and were skipped, such as "* ]]
  redis --raw GET seen | head -c -1 | cmp - file
  bloomery grep --skip-unplaceable --format setbit file some >found
  bloomery grep --skip-unplaceable --redis "$url" --redis-scheme hash-code-6 seen some | cmp - found
  refuses bloomery test --redis "$url" --redis-scheme md5 seen ann
  says 'there is no scheme of a bitmap in Redis "md5"; choose one of: hash-code-6, hash-code-6-mended'
  refuses bloomery test --redis-scheme hash-code-6 seen ann
  says "give --redis too"
}

@test "push and pull: the same filter here and there" {
  seq 20000 >keys
  seq 30000 >asked
  bloomery create --split -n 20k -p 1% --shard-bytes 4KiB here.bloom
  bloomery add here.bloom keys
  bloomery grep here.bloom asked >found
  head -n 20000 found | cmp - keys
  bloomery redis push --redis "$url" here.bloom there
  bloomery grep --redis "$url" there asked | cmp - found
  bloomery redis pull --redis "$url" there back.bloom
  bloomery redis pull --redis "$url" there again.bloom
  cmp back.bloom again.bloom
  bloomery grep back.bloom asked | cmp - found
  refuses bloomery redis pull --redis "$url" there back.bloom
  bloomery redis pull --force --redis "$url" there back.bloom
  bloomery redis pull --redis "$url" there - | bloomery grep - asked | cmp - found
  refuses bloomery redis push --redis "$url" here.bloom there
  says "there is already a filter there"
  bloomery redis push --force --redis "$url" here.bloom there
  # What is added to one is what is added to the other.
  echo new | bloomery add --redis "$url" there
  echo new | bloomery add here.bloom
  bloomery redis pull --force --redis "$url" there back.bloom
  bloomery grep here.bloom asked >found
  bloomery grep back.bloom asked | cmp - found
  [ "$(bloomery info --json here.bloom | field bits_set)" = "$(told bits_set there)" ]
}

@test "push and pull of filters that are not split" {
  bloomery create --format redisson -n 1000 -p 3% value
  seq 500 | bloomery add --format redisson,bits=7298,hashes=5 value
  bloomery redis push --redis "$url" --format redisson,items=1000,rate=3% value theirs
  [ "$(seq 500 | bloomery grep -c --redis "$url" theirs)" = 500 ]
  [ "$(redis HGET '{theirs}:config' expectedInsertions)" = 1000 ]
  redis --raw GET theirs | head -c -1 | cmp - value
  bloomery redis pull --redis "$url" --to redisson theirs value2
  cmp value value2
  bloomery redis pull --redis "$url" theirs native.bloom
  bloomery redis push --redis "$url" native.bloom again
  redis --raw GET again | head -c -1 | cmp - value
}

@test "load: a file becomes a key for BF.*" {
  ! ldd "${BLOOMERY%/*}/bloomery.so" | grep -q libasan || skip "a server without AddressSanitizer has no use for it"
  start with-module --loadmodule "${BLOOMERY%/*}/bloomery.so"
  url=unix://$BATS_FILE_TMPDIR/with-module
  bf() { redis-cli -s "$BATS_FILE_TMPDIR/with-module" "$@"; }
  seq 30000 >keys
  bloomery create -n 30k -p 1% native.bloom
  bloomery create --layout classic -n 30k -p 0.1% classic.bloom
  bloomery create --format redisbloom -n 1000 -p 1% theirs
  bloomery add native.bloom keys
  bloomery add classic.bloom keys
  bloomery add --format redisbloom theirs keys
  local file
  for file in native.bloom classic.bloom theirs; do
    bloomery redis load --redis "$url" "$file" "the $file"
    xargs redis-cli -s "$BATS_FILE_TMPDIR/with-module" BF.MEXISTS "the $file" <keys | sort -u | cmp - <(echo 1)
    [ "$(seq 30001 40000 | sed 's/^/x/' | xargs redis-cli -s "$BATS_FILE_TMPDIR/with-module" BF.MEXISTS "the $file" |
      grep -c 1)" -lt 200 ]
    [ "$(bf TTL "the $file")" = -1 ]
  done
  [ "$(bf BF.INFO "the native.bloom" layout)" = split-8x64 ]
  [ "$(bf DBSIZE)" = 3 ] # no draft is left
  refuses bloomery redis load --redis "$url" native.bloom "the theirs"
  says "there is already a key the theirs in Redis"
  bloomery redis load --force --expansion 0 --redis "$url" native.bloom "the theirs"
  [[ $(bf BF.ADD "the theirs" surely-new 2>&1) == *"non scaling filter is full"* ]]
  bloomery create --kind counting -n 100 -p 1% counting.bloom
  refuses bloomery redis load --redis "$url" counting.bloom counting
  says "the BF.* commands take plain filters"
  refuses bloomery redis load --redis "unix://$BATS_FILE_TMPDIR/socket" native.bloom words
  says "the server has no BF.* commands: load the module bloomery.so there"
}

@test "what cannot be pushed or pulled" {
  filter_of a
  refuses bloomery redis push --redis "$url" f.bloom words
  says "bloomery create --split"
  refuses bloomery redis push --redis "$url" missing.bloom words
  bloomery create --redis "$url" -n 100 words
  refuses bloomery redis pull --redis "$url" --to redisson words file
  says "is a split filter"
  [ ! -e file ]
  refuses bloomery redis pull --redis "$url" nobody file
  [ ! -e file ]
}

@test "drop, rename and copy" {
  bloomery create --redis "$url" -n 10k --shard-bytes 2KiB one
  echo a | bloomery add --redis "$url" one
  bloomery redis rename --redis "$url" one two
  refuses bloomery test --redis "$url" one a
  bloomery test -q --redis "$url" two a
  bloomery redis copy --redis "$url" two three
  echo b | bloomery add --redis "$url" three
  bloomery test -q --redis "$url" three a
  run -1 bloomery test -q --redis "$url" two b
  refuses bloomery redis rename --redis "$url" two three
  refuses bloomery redis copy --redis "$url" two three
  bloomery redis drop --redis "$url" two
  bloomery redis drop --redis "$url" three
  [ "$(redis DBSIZE)" = 0 ]
  refuses bloomery redis drop --redis "$url" two
  says 'there is no filter "two"'
}

@test "uniq remembers in Redis from run to run" {
  printf 'a\nb\na\n' | bloomery uniq --redis "$url" -n 100 -p 1e-9 --state seen >first
  printf 'b\nc\n' | bloomery uniq --redis "$url" --state seen >second
  [ "$(<first)" = $'a\nb' ]
  [ "$(<second)" = c ]
  [ "$(printf 'a\nd\n' | bloomery uniq -v --redis "$url" --state seen)" = a ]
  printf 'x\t1\ny\t1\n' | bloomery uniq -f 2 --redis "$url" --state seen | cmp - <(printf 'x\t1\n')
  run -0 bloomery uniq -n 50 --redis "$url" --state seen /dev/null
  [[ $output == *"seen was made for 100 lines, and -n does not change that" ]]
  # shellcheck disable=SC2016 # the shell that runs it expands it
  run -3 bash -c 'seq 500 | "$1" uniq --strict --redis "$2" --state seen >/dev/null' _ "$BLOOMERY" "$url"
  [[ $output == *"more than 100 distinct lines"* ]]
}

@test "many uniq at once print each line once among them" {
  seq 60000 | awk '{ print ($1 * 7919) % 20011 }' >lines
  local i
  for i in 1 2 3 4 5; do
    sort -R --random-source=<(yes "$i") lines |
      bloomery uniq --redis "$url" -n 20k -p 1e-9 --state shared >"out$i" 3>&- &
  done
  wait
  sort -n out? >printed
  sort -nu lines | cmp - printed
  # ... and more than one of them had something to print.
  [ "$(find . -name 'out?' -size +0 | wc -l)" -gt 1 ]
}

@test "uniq prints every line although its connections break" {
  seq 100000 >lines
  { while :; do redis CLIENT KILL TYPE normal >/dev/null; sleep 0.02; done; } 3>&- &
  local killer=$!
  bloomery uniq --redis "$url" -n 100k -p 1e-9 --state seen lines >printed 2>warned
  kill "$killer"
  sort -nu printed | cmp - lines
  [ ! -s warned ] || grep -q 'may have been printed by two processes' warned
}

@test "uniq in Redis refuses what goes with files only" {
  refuses bloomery uniq --redis "$url" --state new /dev/null
  says "give -n"
  [ "$(redis DBSIZE)" = 0 ]
  refuses bloomery uniq --redis "$url" -n 100 /dev/null
  says "give --state"
  refuses bloomery uniq --redis "$url" -n 100 --state new --exact /dev/null
  refuses bloomery uniq --redis "$url" --state new --window 100 /dev/null
  refuses bloomery uniq --redis "$url" --state new --bytes 1MiB /dev/null
}

@test "--wait-replicas is for filters in Redis" {
  bloomery create --redis "$url" -n 100 words
  echo a | bloomery add --redis "$url" --wait-replicas 0 words
  echo b | bloomery uniq --redis "$url" --wait-replicas 0 --state words
  refuses bloomery add --wait-replicas 1 words /dev/null
  says "give --redis too"
}

@test "a user and a password, in the URL or in the environment" {
  redis ACL SETUSER ann on '>se:c@ret' '~*' '+@all' >/dev/null
  bloomery create --redis "unix://ann:se%3Ac%40ret@$BATS_FILE_TMPDIR/socket" -n 100 words
  REDISCLI_AUTH='se:c@ret' bloomery info --redis "unix://ann:@$BATS_FILE_TMPDIR/socket" words
  refuses bloomery info --redis "unix://ann:wrong@$BATS_FILE_TMPDIR/socket" words
  says "WRONGPASS"
  start guarded --requirepass secret
  local guarded=unix://$BATS_FILE_TMPDIR/guarded
  REDISCLI_AUTH=secret bloomery create --redis "$guarded" -n 100 words
  bloomery info --redis "unix://:secret@$BATS_FILE_TMPDIR/guarded" words
  refuses bloomery info --redis "$guarded" words
  says "NOAUTH"
  REDISCLI_AUTH=wrong refuses bloomery info --redis "$guarded" words
}

@test "another database is another set of names" {
  bloomery create --redis "$url?db=3" -n 100 words
  refuses bloomery info --redis "$url" words
  bloomery info --redis "$url?db=3" words
}

@test "no server, no such filter, no such name" {
  refuses bloomery info --redis "unix://$PWD/nobody" words
  says "cannot connect"
  refuses bloomery add --redis redis://127.0.0.1:1 words /dev/null
  says "cannot connect to Redis at 127.0.0.1:1"
  refuses bloomery info --redis http://127.0.0.1 words
  refuses bloomery info --redis rediss://127.0.0.1 words
  says "TLS"
  refuses bloomery grep --redis "$url" words /dev/null
  says "there is no filter words"
  refuses bloomery create --redis "$url" -n 100 'wo{r}ds'
  says "choose a name without"
  refuses bloomery create --redis "$url" -n 100 ''
  redis SET '{words}:split' text
  refuses bloomery info --redis "$url" words
}

@test "options that do not go together" {
  refuses bloomery info --redis "$url" --redis-cluster "$url" words
  says "not both"
  refuses bloomery redis drop words
  says "give --redis or --redis-cluster"
  echo 00000000000000000000000000000000 >secret
  refuses bloomery info --redis "$url" --secret-file secret words
  says "leave --secret-file out"
  refuses bloomery info --redis "$url" --format guava words
  says "not guava"
  refuses bloomery info --redis "$url" --format native words
  local create=(bloomery create --redis "$url" -n 100 words)
  refuses "${create[@]}" --kind counting
  says "leave --kind out"
  refuses "${create[@]}" --layout classic
  says "leave --layout out"
  refuses "${create[@]}" --comment text
  says "leave --comment out"
  refuses "${create[@]}" --secret-file secret
  says "leave --secret-file out"
  refuses "${create[@]}" --seed 7
  refuses "${create[@]}" --bytes 1MiB
  refuses "${create[@]}" --bits 1000
  refuses "${create[@]}" --format redisson --shard-bytes 1MiB
  refuses bloomery create --redis "$url" words
  says "give -n"
  refuses bloomery create --redis "$url" --format redisson --bits 100 words
  refuses bloomery create -n 100 --expire 5m words
  says "give --redis too"
  refuses bloomery create -n 100 --shard-bytes 1MiB words
  says "give --split or --redis too"
  refuses bloomery create --split -n 100 --layout classic words
  refuses bloomery create --split -n 100 --format guava words
  refuses bloomery create --split words
  [ "$(redis DBSIZE)" = 0 ]
  [ ! -e words ]
}

@test "the verb redis knows its verbs" {
  refuses bloomery redis
  refuses bloomery redis fly
  says 'there is no verb "redis fly" (see: bloomery redis --help)'
  refuses bloomery redis push
  says "(see: bloomery redis push --help)"
}
