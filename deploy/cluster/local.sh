#!/bin/bash
# Runs a cluster on one machine, to try it and to rehearse its runbooks (docs/scale.md): two front-ends, two workers,
# PostgreSQL and nginx. It needs root, and Debian's packages postgresql and nginx.
#
#   npm run -s cluster -- up              starts everything; http://127.0.0.1:8080
#   npm run -s cluster -- down            stops everything; the data stays
#   npm run -s cluster -- start NAME      NAME: postgres, front-1, front-2, worker-1, worker-2, or nginx
#   npm run -s cluster -- stop NAME [SIGNAL]    for example with KILL; STOP suspends it until CONT
#   npm run -s cluster -- admin ...       like npm run admin
#
# CLUSTER_DIR is the cluster's folder. With CLUSTER_RELAY=1, front-ends relay connections. nginx uses PORT, the servers
# the next four ports, and PostgreSQL the fifth. To change settings, edit the .env files in the folder, and restart the
# servers. To add a worker, copy worker-2.env to worker-3.env, and change RBS_PORT, RBS_DATA_DIR and RBS_WORKER_URL.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=${CLUSTER_DIR:-/var/tmp/rbs-cluster}
port=${PORT:-8080}
servers="worker-1 worker-2 front-1 front-2"
postgres_port=$((port + 5))
postgres_programs=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1 || true)
database=postgres://browsers@127.0.0.1:$postgres_port/browsers

port_of() { case $1 in front-1) echo $((port + 1)) ;; front-2) echo $((port + 2)) ;; worker-1) echo $((port + 3)) ;; worker-2) echo $((port + 4)) ;; esac; }
port_in() { sed -n 's/^RBS_PORT=//p' "$dir/$1.env"; }
# Lists all servers with settings, including servers that were added by hand.
list_servers() { for file in "$dir"/*.env; do [ ! -e "$file" ] || basename "$file" .env; done; }
is_running() { [ -e "$dir/$1.pid" ] && kill -0 "$(cat "$dir/$1.pid")" 2> /dev/null; }
as_postgres() { (cd "$dir/postgres" && setpriv --reuid postgres --regid postgres --init-groups "$@"); }

write_settings() {
  local name=$1 url
  url=http://127.0.0.1:$(port_of "$name")
  [ -e "$dir/$name.env" ] && return
  cat > "$dir/$name.env" << END
RBS_ROLE=${name%-*}
RBS_PORT=$(port_of "$name")
RBS_DATA_DIR=$dir/$name
RBS_DATABASE_URL=$database
RBS_SECRET_KEY_FILE=$dir/secret.key
RBS_CLUSTER_SECRET_FILE=$dir/cluster.secret
RBS_PUBLIC_URL=http://127.0.0.1:$port
RBS_TRUSTED_PROXIES=127.0.0.1
END
  [ "${name%-*}" = front ] || echo "RBS_WORKER_URL=$url" >> "$dir/$name.env"
}

check_machine() {
  [ "$(id -u)" = 0 ] || { echo "The cluster needs root." >&2; exit 1; }
  [ -n "$postgres_programs" ] && command -v nginx > /dev/null ||
    { echo "PostgreSQL or nginx is missing. Install them: apt install postgresql nginx" >&2; exit 1; }
}

create() {
  mkdir -p "$dir"
  # Browsers and PostgreSQL run as other users.
  chmod 711 "$dir"
  (
    umask 077
    [ -e "$dir/secret.key" ] || openssl rand -base64 32 > "$dir/secret.key"
    [ -e "$dir/cluster.secret" ] || openssl rand -hex 32 > "$dir/cluster.secret"
  )
  for name in $servers; do write_settings "$name"; done
  [ -e "$dir/postgres/data" ] && return
  install --directory --owner postgres --group postgres "$dir/postgres"
  # Only this machine can connect to it.
  as_postgres "$postgres_programs/initdb" --pgdata data --encoding UTF8 --locale C --auth trust > /dev/null
}

start() {
  is_running "$1" && { echo "$1 is running."; return; }
  case $1 in
    postgres)
      as_postgres "$postgres_programs/pg_ctl" start --pgdata data --log "$dir/postgres/log" --wait --silent \
        --options "-h 127.0.0.1 -p $postgres_port -k $dir/postgres"
      head -1 "$dir/postgres/data/postmaster.pid" > "$dir/postgres.pid"
      as_postgres psql -qAt -h 127.0.0.1 -p $postgres_port -d postgres -c "select 1 from pg_roles where rolname = 'browsers'" | grep -q 1 ||
        as_postgres psql -q -h 127.0.0.1 -p $postgres_port -d postgres -c "create role browsers login" \
          -c "create database browsers owner browsers template template0"
      ;;
    nginx)
      write_nginx
      nginx -e "$dir/nginx.log" -c "$dir/nginx.conf"
      ;;
    *)
      # Like systemd's EnvironmentFile, pass only these settings to the server.
      env -i PATH="$PATH" $(grep -v '^#' "$dir/$1.env") setsid --fork sh -c 'echo $$ > "$0.pid"; exec setpriv --no-new-privs "$@" >> "$0.log" 2>&1 < /dev/null' \
        "$dir/$1" node_modules/.bin/node --max-semi-space-size=4 server/src/main.ts
      until (: < "/dev/tcp/127.0.0.1/$(port_in "$1")") 2> /dev/null; do
        [ ! -e "$dir/$1.pid" ] || is_running "$1" || { tail -5 "$dir/$1.log" >&2; rm -f "$dir/$1.pid"; exit 1; }
        sleep 0.2
      done
      ;;
  esac
}

write_nginx() {
  {
    echo "worker_processes 1; pid $dir/nginx.pid; error_log $dir/nginx.log; events { worker_connections 4096; }"
    echo "http { access_log off;"
    for kind in client_body proxy fastcgi uwsgi scgi; do echo "${kind}_temp_path $dir/nginx-$kind;"; done
    sed -e "s/listen 80;/listen 127.0.0.1:$port;/" -e "s/front-1:8080/127.0.0.1:$(port_of front-1)/" \
      -e "s/front-2:8080/127.0.0.1:$(port_of front-2)/" -e '/resolver /d' -e '/^ *\(access\|error\)_log /d' -e '/Finds workers that have a name/d' deploy/cluster/nginx.conf |
      if [ -n "${CLUSTER_RELAY:-}" ]; then sed '/auth_request/d'; else cat; fi
    echo "}"
  } > "$dir/nginx.conf"
}

stop() {
  is_running "$1" || return 0
  local pid signal=TERM
  pid=$(cat "$dir/$1.pid")
  # With INT, PostgreSQL ends connections instead of waiting for them.
  [ "$1" = postgres ] && signal=INT
  signal=${2:-$signal}
  case $signal in
    # nginx's worker process would outlive its main process.
    KILL) kill -s KILL "$pid" $([ "$1" != nginx ] || pgrep --parent "$pid") ;;
    STOP | CONT) kill -s "$signal" "$pid"; return ;;
    *) kill -s "$signal" "$pid" ;;
  esac
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
  rm -f "$dir/$1.pid"
}

case ${1:-} in
  up)
    check_machine
    create
    for name in postgres $servers nginx; do start "$name"; done
    echo "Ready on http://127.0.0.1:$port"
    cat "$dir"/front-*/first-account.txt 2> /dev/null || true
    ;;
  down) for name in nginx $(list_servers) postgres; do stop "$name"; done ;;
  start) start "$2" ;;
  stop) stop "$2" "${3:-}" ;;
  account | admin) env -i PATH="$PATH" $(grep -v '^#' "$dir/front-1.env") node_modules/.bin/node server/src/cli/account.ts "${@:2}" ;;
  --help | -h) sed -n '2,13s/^# \{0,1\}//p' "$0" ;;
  *)
    sed -n '2,13s/^# \{0,1\}//p' "$0"
    exit 1
    ;;
esac
