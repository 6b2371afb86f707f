# A PostgreSQL of a test file, with the extension, without touching the system's: a private copy of
# the server's folders, made of links, in which the extension is installed. Only the programs are
# copied, because the server looks for its files relative to where its program is.
#
# BLOOMERY_BUILD is the build folder, BLOOMERY_PG_CONFIG the pg_config of the server, BLOOMERY the
# command.
bats_require_minimum_version 1.5.0
: "${BLOOMERY_BUILD:=$BATS_TEST_DIRNAME/../../build}"
: "${BLOOMERY_PG_CONFIG:=pg_config}"
: "${BLOOMERY:=$BLOOMERY_BUILD/bloomery}"
bloomery() { "$BLOOMERY" "$@"; }

# as_server COMMAND...: as the user who runs the server, which refuses to be run by root
as_server() {
  if [[ $(id -u) -ne 0 ]]; then
    "$@"
  else
    local user=nobody
    ! id postgres >/dev/null 2>&1 || user=postgres
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- "$@"
  fi
}

# make_tree: the server's folders below $TREE, with the extension
make_tree() {
  local bin lib share each
  bin=$("$BLOOMERY_PG_CONFIG" --bindir) lib=$("$BLOOMERY_PG_CONFIG" --pkglibdir)
  share=$("$BLOOMERY_PG_CONFIG" --sharedir)
  TREE=$(mktemp -d "${TMPDIR:-/tmp}/bloomery-pg-XXXXXX")
  chmod 755 "$TREE"
  mkdir -p "$TREE$bin" "$TREE$(dirname "$lib")" "$TREE$(dirname "$share")"
  for each in "$bin"/*; do ln -s "$each" "$TREE$bin/"; done
  for each in initdb postgres pg_ctl pg_upgrade pg_dump; do
    rm -f "$TREE$bin/$each"
    cp "$bin/$each" "$TREE$bin/"
  done
  cp -rs "$lib" "$TREE$(dirname "$lib")/"
  cp -rs "$share" "$TREE$(dirname "$share")/"
  DESTDIR=$TREE cmake --install "$BLOOMERY_BUILD" --component postgres >/dev/null
  PATH=$TREE$bin:$PATH
  SHARE=$TREE$share
  export TREE PATH SHARE
}

# new_server NAME [SETTING...]: makes and starts a server on a socket of its own
new_server() {
  local home=$TREE/$1
  mkdir "$home" && chmod 700 "$home"
  [[ $(id -u) -ne 0 ]] || chown "$(as_server id -u):$(as_server id -g)" "$home"
  (cd "$home" && as_server initdb -D "$home/data" -U tester --encoding="${ENCODING:-UTF8}" \
    --locale=C --auth=trust --no-sync >"$TREE/$1.initdb" 2>&1) || { cat "$TREE/$1.initdb"; return 1; }
  {
    printf "listen_addresses = ''\nunix_socket_directories = '%s'\n" "$home"
    printf 'fsync = off\nautovacuum = off\nmax_connections = 30\ndynamic_shared_memory_type = mmap\n'
    printf '%s\n' "${@:2}"
  } >>"$home/data/postgresql.conf"
  start_server "$1"
}

# Bats waits for whoever keeps its file descriptors, so they are closed. A forgotten server ends by the clock.
start_server() {
  local home=$TREE/$1
  (cd "$home" && as_server timeout -s INT 1800 postgres -D "$home/data" \
    >>"$TREE/$1.log" 2>&1 3>&- 4>&- &)
  export PGHOST=$home PGUSER=tester PGDATABASE=postgres PGOPTIONS=
  local _
  for _ in {1..600}; do
    if pg_isready -q; then return 0; fi
    sleep 0.05
  done
  cat "$TREE/$1.log"
  return 1
}

stop_server() { as_server pg_ctl stop -D "$TREE/$1/data" -m immediate -s 3>&- 4>&- || true; }

end_tree() {
  local each
  for each in "$TREE"/*/data; do stop_server "$(basename "$(dirname "$each")")"; done
  rm -rf "$TREE"
}

setup_file() {
  make_tree
  new_server server "${SETTINGS[@]}"
  sql "CREATE EXTENSION bloomery"
}
teardown_file() { end_tree; }
setup() { cd "$BATS_TEST_TMPDIR" || exit 1; }

# sql STATEMENTS: what they print, and stop at the first error
sql() { psql -XqAt -v ON_ERROR_STOP=1 -v VERBOSITY=terse -c "$1"; }
# script: statements from standard input, in one session
script() { psql -XqAt -v ON_ERROR_STOP=1 -f -; }

# gives EXPECTED STATEMENTS
gives() {
  local printed
  printed=$(sql "$2")
  [[ $printed = "$1" ]] || { printf 'expected: %s\nprinted:  %s\n' "$1" "$printed"; return 1; }
}

# refused TEXT STATEMENTS: an error with this text, and the server goes on
refused() {
  local printed
  ! printed=$(psql -XqAt -v ON_ERROR_STOP=1 -c "$2" 2>&1) || { echo "accepted: $2: $printed"; return 1; }
  [[ $printed = *"$1"* ]] || { printf 'expected: %s\nprinted:  %s\n' "$1" "$printed"; return 1; }
}
