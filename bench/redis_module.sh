#!/usr/bin/env bash
# The module for Redis: keys per second compared with plain GET and with another module that has the same commands, and
# how long one command on a large filter blocks the server.
#
# usage: bench/redis_module.sh MODULE.so [OTHER_MODULE.so] [--quick] [--rounds R] [--no-stalls]
# Each module has its own server. All servers run on core 0, one at a time, and the client on core 1.
set -euo pipefail
modules=()
while [[ ${1:---} != --* ]]; do modules+=("$(realpath "$1")"); shift; done
if ((${#modules[@]} < 1 || ${#modules[@]} > 2)); then
  echo "usage: bench/redis_module.sh MODULE.so [OTHER_MODULE.so] [--quick] [--rounds R] [--no-stalls]" >&2
  exit 2
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/bloomery-module.XXXXXX")
servers=()
trap 'set +e; ((${#servers[@]} == 0)) || kill "${servers[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT

# Debian packs the server as redis-check-rdb too: it is what it is called.
ln -s "$(command -v redis-server || command -v redis-check-rdb)" "$work/redis-server"
sockets=()
for module in "${modules[@]}"; do
  socket=$work/socket${#sockets[@]}
  taskset -c 0 "$work/redis-server" --port 0 --unixsocket "$socket" --dir "$work" --save '' --appendonly no \
    --loadmodule "$module" >"$socket.log" &
  servers+=($!)
  sockets+=("$socket")
  for _ in {1..100}; do
    redis-cli -s "$socket" PING >"$work/ping" 2>&1 && break
    kill -0 $! 2>/dev/null || break
    sleep 0.1
  done
  grep -q PONG "$work/ping" || { cat "$socket.log" >&2; exit 2; }
  redis-cli -s "$socket" INFO server | grep -E '^(redis|valkey)_version' | tr -d '\r'
done
taskset -c 1 "${BENCH_REDIS_MODULE:-build/bench/bench_redis_module}" "${sockets[@]}" "$@"
