#!/bin/sh
# A throw-away PostgreSQL on loopback for the contract tests of the store.
#
#   tools/postgres_for_tests.sh run CMD [ARG...]  start, run CMD with SHARDWISE_TEST_POSTGRES_URL, stop
#   tools/postgres_for_tests.sh start             start and print the URL
#   tools/postgres_for_tests.sh stop              stop what start started, remove its data
#
# SHARDWISE_TEST_POSTGRES_PORT chooses the port (5455). Needs Debian's package postgresql, or
# initdb and pg_ctl on the PATH. PostgreSQL does not run as root: there the user postgres is used.
set -eu

port="${SHARDWISE_TEST_POSTGRES_PORT:-5455}"
where="$(dirname "$(mktemp -u)")/shardwise-postgres-$port"
url="postgresql+psycopg://shardwise@127.0.0.1:$port/shardwise"

fail() { echo "postgres_for_tests: $1" >&2; exit 2; }

bin() {
    if command -v pg_ctl >/dev/null 2>&1; then dirname "$(readlink -f "$(command -v pg_ctl)")"; return; fi
    newest="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)"
    [ -n "$newest" ] || fail "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    echo "$newest"
}

as_postgres() {
    if [ "$(id -u)" -ne 0 ]; then "$@"; return; fi
    (cd / && runuser -u postgres -- "$@")
}

start() {
    if as_postgres "$bin/pg_ctl" -D "$where/data" status >/dev/null 2>&1; then
        fail "there is one already in $where; stop it first"
    fi
    stop
    mkdir -m 700 "$where"
    [ "$(id -u)" -ne 0 ] || chown postgres "$where"
    # Tests need no durability of this server, and it only ever listens on loopback.
    as_postgres "$bin/initdb" -D "$where/data" -U shardwise -A trust -E UTF8 --locale=C.UTF-8 \
        --no-sync >"$where.log" 2>&1 || fail "initdb failed, see $where.log"
    as_postgres "$bin/pg_ctl" -D "$where/data" -w -t 60 -l "$where/server.log" -o \
        "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=60" \
        start >>"$where.log" 2>&1 || fail "the server did not start, see $where/server.log"
    as_postgres "$bin/createdb" -h 127.0.0.1 -p "$port" -U shardwise shardwise
}

stop() {
    [ -e "$where" ] || return 0
    as_postgres "$bin/pg_ctl" -D "$where/data" -m immediate -w stop >>"$where.log" 2>&1 || true
    rm -rf "$where" "$where.log"
}

bin="$(bin)"
case "${1:-}" in
    start) start; echo "$url" ;;
    stop) stop ;;
    run)
        shift
        [ "$#" -gt 0 ] || fail "run needs a command"
        trap stop EXIT
        trap 'exit 130' INT TERM
        start
        SHARDWISE_TEST_POSTGRES_URL="$url" "$@"
        ;;
    *) fail "usage: run CMD... | start | stop" ;;
esac
