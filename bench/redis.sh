#!/usr/bin/env bash
# Filters in Redis: keys per second compared with plain GET, and the longest command while one is built.
#
# usage: bench/redis.sh [ROUNDS] [BYTES]      default: 11 rounds, a filter of 4 GiB
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
measure() { tests/redis/with_server.sh --tcp build/bench/bench_redis "$@"; }

for shards in 1 8 64; do measure --rounds "${1:-11}" --shards "$shards"; done
measure --build "${2:-4294967296}"
