# Redis itself, which keeps the bits of Redisson's filters and of those made with SETBIT. It listens
# on a socket in the test's folder, so that no port is taken.
load helper
packages() { echo redis-tools; }
# Debian packs the server as redis-check-rdb: it is what it is called.
original() { command -v redis-cli && server; }
server() { command -v redis-server || command -v redis-check-rdb; }

build() {
  ln -s "$(server)" "$BATS_FILE_TMPDIR/redis-server"
  # It ends with the test, or by the clock. Bats waits for whoever keeps its file descriptors.
  timeout 300 "$BATS_FILE_TMPDIR/redis-server" --port 0 --unixsocket "$BATS_FILE_TMPDIR/socket" \
    --dir "$BATS_FILE_TMPDIR" --save '' --appendonly no --rdbcompression no \
    >"$BATS_FILE_TMPDIR/log" 2>&1 3>&- 4>&- &
  echo $! >"$BATS_FILE_TMPDIR/pid"
  local _
  for _ in {1..100}; do
    [[ $(redis PING 2>/dev/null) != PONG ]] || return 0
    sleep 0.1
  done
  cat "$BATS_FILE_TMPDIR/log"
  return 1
}

teardown_file() {
  [[ ! -e $BATS_FILE_TMPDIR/pid ]] || kill "$(<"$BATS_FILE_TMPDIR/pid")"
}

redis() { redis-cli -s "$BATS_FILE_TMPDIR/socket" "$@"; }

# value COMMAND...: what Redis returns, without the newline that redis-cli adds
value() { redis --raw "$@" | head -c -1; }

# ones FILE: the numbers of the bits that are set; Redis counts from the high bit of a byte
ones() {
  od -An -v -tu1 -w1 "$1" | awk '{
    for (bit = 0; bit < 8; ++bit) if (int($1 / 2 ^ (7 - bit)) % 2) print (NR - 1) * 8 + bit }'
}

# set_bits KEY: sets the bits whose numbers are on standard input, in any order
set_bits() { awk -v key="$1" '{ print "SETBIT", key, $1, 1 }' | sort -R | redis >/dev/null; }

# redisson N P: a filter of ours with random keys as the files `value` (what GET returns) and `dump`
redisson() {
  draw text "$1" "$1"
  bloomery create --force --format redisson -n "$1" -p "$2" value
  bloomery add --format "redisson,items=$1,rate=$2" --key kryo5 value present
  bloomery convert --force --format "redisson,items=$1,rate=$2" --to redisson-dump value dump
}

@test "Redis restores what we dumped, bit for bit" {
  local n
  for n in 1 10 300 5000; do
    redisson "$n" 0.03
    redis -x RESTORE "restored$n" 0 <dump
    value GET "restored$n" | cmp - value
    [ "$(redis STRLEN "restored$n")" = "$(wc -c <value)" ]
    [ "$(redis BITCOUNT "restored$n")" = "$(told bits_set info --format "redisson,items=$n,rate=0.03" --json value)" ]
    value DUMP "restored$n" | cmp - dump
  done
}

@test "Redis has the bits where we have them" {
  redisson 100 0.01
  redis -x RESTORE bits 0 <dump
  seq 0 1100 | awk '{ print "GETBIT bits", $1 }' | redis |
    awk '$1 == 1 { print NR - 1 }' >theirs
  ones value | cmp theirs -
}

@test "we read what Redis has after SETBIT in any order, and what it dumps" {
  local n
  for n in 1 40 700; do
    redisson "$n" 0.05
    ones value | set_bits "set$n"
    value GET "set$n" >theirs
    cmp theirs value
    value DUMP "set$n" >theirs.dump
    same_bytes theirs.dump dump
    bloomery grep --format "redisson,items=$n,rate=0.05" --key kryo5 value asked >found
    bloomery grep --format "redisson-dump,items=$n,rate=0.05" --key kryo5 theirs.dump asked | cmp - found
    head -n "$n" found | cmp - present
  done
}

@test "a filter that came from Redis goes on here and returns" {
  redisson 200 0.02
  ones value | set_bits first
  keys text 100 5 >added
  value DUMP first >f
  bloomery add --format redisson-dump,items=200,rate=0.02 --key kryo5 f added
  redis -x RESTORE second 0 <f
  bloomery add --format redisson,items=200,rate=0.02 --key kryo5 value added
  value GET second | cmp - value
}

# The strings of Redis that are numbers are dumped as such.
@test "a short filter whose bytes happen to be digits" {
  local digits=$((RANDOM % 9000 + 1000))
  printf '%s' "$digits" >value
  redis SET digits "$digits"
  value DUMP digits >theirs
  bloomery convert --format redisson,bits=32,hashes=1 --to redisson-dump value ours
  same_bytes theirs ours
  bloomery convert --format redisson-dump,bits=32,hashes=1 --to redisson theirs back
  same_bytes value back
}

@test "a dump that Redis compressed is read, or refused with what to do instead" {
  redis CONFIG SET rdbcompression yes
  redis SETBIT sparse 5000 1
  value DUMP sparse >theirs
  redis CONFIG SET rdbcompression no
  value GET sparse >value
  if bloomery convert --format redisson-dump,bits=5001,hashes=1 --to redisson theirs back 2>why; then
    same_bytes value back
  else
    grep -q 'LZF' why
    grep -q 'GET' why
  fi
}

# The filter with six places from one hash code. Short keys have small codes, so that the string in
# Redis stays short.
@test "the places of the setbit filter, computed apart from our code" {
  keys int 300 0 | tr -d - | cut -c 1-4 | sort -u >present
  { cat present; keys int 300 1 | tr -d - | cut -c 1-4; } | sort -u >asked
  # The code of a text is the sum of its letters times powers of 31; it is spread by its upper half,
  # and the places are what six products share with it.
  awk '
    function both(a, b,    bit, sum) {
      for (bit = 1; a >= 1 && b >= 1; bit *= 2) {
        if (a % 2 && b % 2) sum += bit
        a = int(a / 2); b = int(b / 2)
      }
      return sum + 0
    }
    function differ(a, b,    bit, sum) {
      for (bit = 1; a >= 1 || b >= 1; bit *= 2) {
        if (a % 2 != b % 2) sum += bit
        a = int(a / 2); b = int(b / 2)
      }
      return sum + 0
    }
    BEGIN { n = split("1 6 16 38 58 68", factor, " ") }
    {
      code = 0
      for (i = 1; i <= length($0); ++i) code = code * 31 + 48 + index("0123456789", substr($0, i, 1)) - 1
      code = differ(code, int(code / 65536))
      for (i = 1; i <= n; ++i) printf "%s %.0f\n", $0, both(factor[i] * 536870911 % 4294967296, code)
    }' asked >places
  awk 'NR == FNR { chosen[$1]; next } $1 in chosen { print $2 }' present places | set_bits seeds
  value GET seeds >theirs
  bloomery create --format setbit ours
  bloomery add --format setbit --key utf16le ours present
  same_bytes theirs ours
  awk '{ print "GETBIT seeds", $2 }' places | redis | paste -d ' ' - places |
    awk '{ found[$2] += $1 } found[$2] == 6 { print $2 }' >theirs.found
  bloomery grep --format setbit --key utf16le theirs asked | cmp - theirs.found
}
