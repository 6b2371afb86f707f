#!/usr/bin/env bash
# Filters in Redis: keys a second against plain GET, and the longest command while one is built.
#
# usage: bench/redis.sh [ROUNDS] [BYTES]      default: 11 rounds, a filter of 4 GiB
#
# The server listens on the loopback interface, keeps all in memory and writes nothing to disk.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rounds=${1:-11}
bytes=${2:-4294967296}
bench=$PWD/build/bench/bench_redis
work=$(mktemp -d "${TMPDIR:-/tmp}/bloomery-redis.XXXXXX")
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT

# Debian packs the server as redis-check-rdb too: it is what it is called.
ln -s "$(command -v redis-server || command -v redis-check-rdb)" "$work/redis-server"
port=$((20000 + RANDOM % 10000))
"$work/redis-server" --bind 127.0.0.1 --port "$port" --dir "$work" --save '' --appendonly no >"$work/log" &
server=$!
for _ in {1..100}; do
  redis-cli -p "$port" PING >"$work/ping" 2>&1 && break
  sleep 0.1
done

for shards in 1 8 64; do
  "$bench" "redis://127.0.0.1:$port" --rounds "$rounds" --shards "$shards"
done
"$bench" "redis://127.0.0.1:$port" --build "$bytes"
