#!/usr/bin/env bash
# Runs a program with the URL of a Redis as its first argument; the server stops with it.
#
# usage: with_server.sh [--tcp] PROGRAM [ARGUMENT...]     --tcp: through the loopback interface
# The server keeps everything in memory and writes nothing to disk.
set -euo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/bloomery-redis.XXXXXX")
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT

listen=(--port 0 --unixsocket "$work/socket")
reach=(-s "$work/socket")
url=unix://$work/socket
if [[ $1 = --tcp ]]; then
  shift
  port=$((11000 + RANDOM % 10000)) # below those that outgoing connections take
  listen=(--bind 127.0.0.1 --port "$port")
  reach=(-p "$port")
  url=redis://127.0.0.1:$port
fi

# Debian packs the server as redis-check-rdb too: it is what it is called.
ln -s "$(command -v redis-server || command -v redis-check-rdb)" "$work/redis-server"
"$work/redis-server" "${listen[@]}" --dir "$work" --save '' --appendonly no >"$work/log" &
server=$!
for _ in {1..100}; do
  redis-cli "${reach[@]}" PING >"$work/ping" 2>&1 && break
  sleep 0.1
done
"$1" "$url" "${@:2}"
