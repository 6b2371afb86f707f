# A Redis server of a test file. It listens on a socket in the folder of the file, so that no port is
# taken.

# Debian packs the server as redis-check-rdb: it is what it is called.
server() { command -v redis-server || command -v redis-check-rdb; }

# start NAME OPTION...: a server on the socket NAME, which ends with the test, or by the clock
start() {
  local folder=$BATS_FILE_TMPDIR name=$1
  shift
  ln -sf "$(server)" "$folder/redis-server"
  # Bats waits for whoever keeps its file descriptors.
  timeout 300 "$folder/redis-server" --port 0 --unixsocket "$folder/$name" --dir "$folder" \
    --save '' --appendonly no "$@" >"$folder/$name.log" 2>&1 3>&- 4>&- &
  echo $! >"$folder/$name.pid"
  local _
  for _ in {1..100}; do
    [[ ! -S $folder/$name ]] || return 0
    sleep 0.05
  done
  cat "$folder/$name.log"
  return 1
}

stop_all() {
  local pid
  for pid in "$BATS_FILE_TMPDIR"/*.pid; do
    [[ ! -e $pid ]] || kill "$(<"$pid")" || true
  done
}
