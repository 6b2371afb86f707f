#!/usr/bin/env bash
# Runs a program with the URL of a Redis as its first argument; the server ends with it.
#
# usage: with_server.sh PROGRAM [ARGUMENT...]
set -euo pipefail
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT

# Debian packs the server as redis-check-rdb too: it is what it is called.
ln -s "$(command -v redis-server || command -v redis-check-rdb)" "$work/redis-server"
"$work/redis-server" --port 0 --unixsocket "$work/socket" --dir "$work" --save '' --appendonly no >"$work/log" &
server=$!
for _ in {1..100}; do
  redis-cli -s "$work/socket" PING >"$work/ping" 2>&1 && break
  sleep 0.1
done
"$1" "unix://$work/socket" "${@:2}"
